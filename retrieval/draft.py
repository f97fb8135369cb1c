"""An answer while it is written. Given the answerers' pieces, gives events for whoever watches, numbers the citations, and in the end gives the answer."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from uuid import UUID

from inference.types import TokenCount
from retrieval.answer import (
    Answer,
    Citation,
    Cited,
    Delta,
    Dropped,
    Fixed,
    Nearest,
    Part,
    Piece,
    Place,
    Quoted,
    Said,
    Statement,
    Used,
)
from retrieval.parts import markdown_of, pieces_of, sentence_of
from retrieval.trace import Trace

MARKER = "[{}]".format


@dataclass(slots=True)
class Draft:
    """Parts and citations so far."""

    language: str
    parts: list[Part] = field(default_factory=list)
    citations: dict[int, Citation] = field(default_factory=dict)
    numbers: dict[tuple[UUID, int, int], int] = field(default_factory=dict)
    dropped: int = 0
    tokens: TokenCount = field(default_factory=TokenCount)
    answerer: str = ""

    def take(self, piece: Piece) -> Iterator[Cited | Delta]:
        """Put a piece into the answer. Quotations are shown when all of them are there, because they are grouped."""
        if isinstance(piece, Dropped):
            self.dropped += piece.statements
        elif isinstance(piece, Used):
            self.tokens = piece.tokens
        else:
            yield from self.state(piece)

    def state(self, statement: Statement) -> Iterator[Cited | Delta]:
        known = set(self.citations)
        numbers = tuple(dict.fromkeys(self.number(place) for place in statement.places))
        yield from (Cited(self.citations[n]) for n in numbers if n not in known)
        if not statement.text:
            self.parts.extend(Quoted(n) for n in numbers)
            return
        said = Said(statement.text, numbers)
        self.parts.append(said)
        yield Delta(sentence_of(said, self.language, MARKER))

    def number(self, place: Place) -> int:
        """The number of the citation of this place, a new one where it is cited for the first time."""
        key = (place.source.version_id, place.start, place.end)
        if key not in self.numbers:
            self.numbers[key] = len(self.numbers) + 1
            self.citations[self.numbers[key]] = citation_of(self.numbers[key], place)
        return self.numbers[key]

    def close(self) -> Iterator[Delta]:
        """What is only shown at the end: quotations, or the sentence that nothing was found."""
        if not self.parts:
            self.parts.append(Fixed("not_found"))
        if not any(isinstance(part, Said) for part in self.parts):
            yield from (Delta(piece) for piece in pieces_of(self.parts, self.citations, self.language, MARKER))

    @property
    def has_text(self) -> bool:
        return bool(self.parts)

    def answer(self, trace: Trace, nearest: tuple[Nearest, ...] = ()) -> Answer:
        """The finished answer; `nearest` only stands in one that found nothing."""
        found = any(isinstance(part, Said | Quoted) for part in self.parts)
        return Answer(
            text=markdown_of(self.parts, self.citations, self.language),
            found=found,
            answerer=self.answerer,
            language=self.language,
            parts=tuple(self.parts),
            citations=tuple(self.citations.values()),
            degraded=tuple(trace.degraded),
            stages=tuple(trace.stages),
            tokens=self.tokens,
            nearest=() if found else nearest,
            dropped=self.dropped,
            took_ms=trace.took_ms,
        )


def citation_of(n: int, place: Place) -> Citation:
    source = place.source
    return Citation(
        n=n,
        document=source.document_id,
        version=source.version,
        version_id=source.version_id,
        chunk=source.chunk_id,
        start=place.start,
        end=place.end,
        text=place.text,
        page=source.page_at(place.mark.start),
        document_title=source.title,
        path=source.path,
        kind=place.kind,
        language=source.language,
        heading_path=source.heading_path,
        mark=place.mark,
        lead=place.lead,
        lead_text=place.lead_text,
    )

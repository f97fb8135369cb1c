"""The values of an answer: what an answerer gives, what is cited, what happens while it is written, and the finished whole.

Offsets count code points in the version's canonical text, half open. What is kept of it is decided in `retrieval.parts` and `retrieval.citations`.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import UUID

from inference.types import TokenCount
from retrieval.types import Source, Span, jsonable


@dataclass(frozen=True, slots=True)
class Citation:
    """Exact characters of a stored version. Texts and titles are what stands there now; they are never stored with the answer.

    `mark` is the stretch that answers, inside start..end; `lead` (a table's header) is shown before a quotation and is not adjacent to it.
    Of a source that was deleted, or that the reader may no longer see, only `n` and `document` are known, and `is_deleted` says so.
    """

    n: int
    document: UUID
    version: int = 0
    version_id: UUID | None = None
    chunk: UUID | None = None
    start: int = 0
    end: int = 0
    text: str = ""
    page: int | None = None
    document_title: str = ""
    path: str = ""
    kind: str = ""
    language: str = ""
    heading_path: tuple[str, ...] = ()
    mark: Span | None = None
    lead: Span | None = None
    lead_text: str = ""
    is_deleted: bool = False

    def as_dict(self) -> dict[str, Any]:
        """The fields of `7-interfaces.md` and of the event `citation`, ready for JSON."""
        shown = {
            "n": self.n,
            "document": self.document,
            "document_title": self.document_title,
            "path": self.path,
            "version": self.version,
            "chunk": self.chunk,
            "start": self.start,
            "end": self.end,
            "text": self.text,
            "page": self.page,
            "heading_path": self.heading_path,
            "language": self.language,
            "deleted": self.is_deleted,
        }
        return {key: jsonable(value) for key, value in shown.items()}


@dataclass(frozen=True, slots=True)
class Said:
    """A stretch of a written answer, as Markdown without markers, and the citations that support it. White space at its end belongs to it."""

    text: str
    cites: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Quoted:
    """A citation that is shown as a quotation."""

    n: int


@dataclass(frozen=True, slots=True)
class Fixed:
    """A sentence of our own (`not_found`), in the answer's language."""

    code: str


@dataclass(frozen=True, slots=True)
class Gone:
    """Where something stood whose source was deleted."""

    n: int


Part = Said | Quoted | Fixed | Gone


@dataclass(frozen=True, slots=True)
class Place:
    """What an answerer cites: a stretch of a found source's version; `mark` and `lead` as in `Citation`."""

    source: Source
    start: int
    end: int
    text: str
    mark: Span
    kind: str = ""
    lead: Span | None = None
    lead_text: str = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """A piece of an answerer's output: text that these places support; without text, the place itself is quoted."""

    places: tuple[Place, ...]
    text: str = ""


@dataclass(frozen=True, slots=True)
class Dropped:
    """Statements that were left out because what they cite does not support them."""

    statements: int


@dataclass(frozen=True, slots=True)
class Used:
    """Tokens of the generating call."""

    tokens: TokenCount


Piece = Statement | Dropped | Used


@dataclass(frozen=True, slots=True)
class Nearest:
    """A document that came nearest to a question that nothing answers."""

    document: UUID
    title: str


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of a question: how long it took and how it ended (`done`, `timeout`, `unavailable`, `refused`, `skipped`)."""

    name: str
    ms: float
    outcome: str


@dataclass(frozen=True, slots=True)
class StageNews:
    """A step began or ended: for whoever watches."""

    name: str
    state: str
    ms: float = 0
    outcome: str = ""
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of the answer as Markdown with `[n]`."""

    text: str


@dataclass(frozen=True, slots=True)
class Cited:
    """A source that the answer names, before or after the delta that names it."""

    citation: Citation


@dataclass(frozen=True, slots=True)
class Answer:
    """A finished answer. `text` is Markdown in which a citation stands as `[n]`."""

    text: str
    found: bool
    answerer: str
    language: str
    parts: tuple[Part, ...] = ()
    citations: tuple[Citation, ...] = ()
    degraded: tuple[str, ...] = ()
    stages: tuple[Stage, ...] = ()
    tokens: TokenCount = field(default_factory=TokenCount)
    nearest: tuple[Nearest, ...] = ()
    dropped: int = 0
    took_ms: int = 0
    cached: bool = False

    def as_dict(self) -> dict[str, Any]:
        """The object that `manage.py ask --json` and REST give."""
        return {
            "answer": self.text,
            "found": self.found,
            "answerer": self.answerer,
            "language": self.language,
            "citations": [citation.as_dict() for citation in self.citations],
            "degraded": list(self.degraded),
            "dropped": self.dropped,
            "cached": self.cached,
            "stages": [asdict(stage) for stage in self.stages],
            "tokens": asdict(self.tokens),
            "took_ms": self.took_ms,
            "nearest": [jsonable(asdict(each)) for each in self.nearest],
        }


Event = StageNews | Delta | Cited | Answer

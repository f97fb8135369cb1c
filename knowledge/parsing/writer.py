"""Writes canonical Markdown and records where each block stands while it writes, so that offsets are true by construction.

Canonical text is what is quoted and searched, so it keeps words **verbatim**: `a<b`, `&`, `*` and `_` stand as themselves, nothing is turned into an
entity or escaped, and emphasis is dropped. Readers go by the blocks, never by parsing the text again, so nothing there can be misread. The one
exception is `|` inside a table's cell, written `\\|`. Blocks are parted by an empty line.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

from common.text import canonical, is_blank
from knowledge.parsing import faq, refusals
from knowledge.parsing.limits import ReadLimits
from knowledge.parsing.markup import Item, few_lines, item_lines, one_line, row_line, rule_line
from knowledge.parsing.media import MediaType
from knowledge.parsing.pictures import PictureShelf
from knowledge.types import Block, BlockKind, ParsedDocument, PictureSink

NOTICES_AT_MOST = 50

Span = tuple[int, int]


@dataclass(slots=True)
class Writer:
    """One document being written. Parsers add blocks in reading order; `document` gives the result."""

    name: str
    sink: PictureSink
    limits: ReadLimits
    title: str = ""
    metadata: dict[str, str] = field(default_factory=dict)
    pictures: PictureShelf = field(init=False)
    _pieces: list[str] = field(default_factory=list)
    _length: int = 0
    _blocks: list[Block] = field(default_factory=list)
    _page_starts: list[int] = field(default_factory=list)
    _notices: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.pictures = PictureShelf(self.sink, self.limits)

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been written yet."""
        return not self._blocks

    @property
    def page(self) -> int | None:
        """The page that is being written, 1-based; None without pages."""
        return len(self._page_starts) or None

    # What a parser says

    def begin_page(self) -> None:
        """From here on the text stands on the next page."""
        self._page_starts.append(self._length + len(self._gap()))

    def notice(self, sentence: str) -> None:
        """A sentence for the editor about what was left out; each is kept once."""
        if sentence not in self._notices and len(self._notices) < NOTICES_AT_MOST:
            self._notices.append(sentence)

    def heading(self, text: str, level: int) -> None:
        """A heading of depth 1 to 6."""
        if words := one_line(text):
            level = min(max(level, 1), 6)
            self._add(BlockKind.HEADING, "#" * level + " " + words, level=level)

    def paragraph(self, text: str, page_breaks: Sequence[int] = ()) -> None:
        """Running text; its line breaks are kept. `page_breaks` are offsets in it at which a new page begins (the text must then be clean)."""
        words = text if page_breaks else few_lines(text)
        if is_blank(words):
            return
        start = self._length + len(self._gap())
        page = self.page
        self._add(BlockKind.PARAGRAPH, words, page=page)
        self._page_starts.extend(start + offset for offset in page_breaks)

    def code(self, text: str, language: str = "") -> None:
        """Text in which spaces count, between fences."""
        body = canonical(text).strip("\n")
        if is_blank(body):
            return
        longest = max((len(run) for run in re.findall(r"`{3,}", body)), default=2)
        fence = "`" * (longest + 1)
        self._add(BlockKind.CODE, f"{fence}{one_line(language)}\n{body}\n{fence}")

    def list(self, items: Iterable[Item]) -> None:
        """Items with their markers; what is under an item is indented by the width of its marker."""
        parts: list[Span] = []
        lines: list[str] = []
        length = 0
        for item in items:
            text = "\n".join(item_lines(item))
            if not text:
                continue
            parts.append((length, length + len(text)))
            lines.append(text)
            length += len(text) + 1
        if lines:
            self._add(BlockKind.LIST, "\n".join(lines), parts=parts)

    def faq(self, question: str, answer: str, more: Sequence[tuple[str, str]] = ()) -> None:
        """A question and its answer as one block; `more` are labelled remarks that belong to the pair but to neither part."""
        question, answer = few_lines(question), few_lines(answer)
        if not question or not answer:
            self.paragraph(question or answer)
            return
        asks, answers = faq.labels_for(question)
        head = f"{asks}{question}"
        middle = f"{head}\n{answers}"
        rest = "".join(f"\n{one_line(label)}: {one_line(text)}" for label, text in more if text.strip())
        parts = [(len(asks), len(head)), (len(middle), len(middle) + len(answer))]
        self._add(BlockKind.FAQ, middle + answer + rest, parts=parts)

    def table(self, rows: Iterable[Sequence[str]], header_rows: int) -> None:
        """Rows of cells, the first `header_rows` of them as header; rows are taken one by one, so that long tables need no memory of their own."""
        rest = iter(rows)
        header = [row for row in islice(rest, header_rows) if row_line(row, len(row))]
        start = self._begin()
        parts: list[Span] = []
        width = max((len(row) for row in header), default=0)
        for number, row in enumerate(chain(header, rest)):
            if number == len(header) and header:
                self._put(rule_line(width) + "\n")
            width = max(width, len(row))
            line = row_line(row, width)
            if line:
                parts.append((self._length, self._length + len(line)))
                self._put(line + "\n")
        if not parts:
            self._forget_gap(start)
            return
        if len(parts) == len(header):
            self._put(rule_line(width) + "\n")
        self._drop_last_line_end()
        self._close(BlockKind.TABLE, start, parts=parts, header_parts=len(header))

    def image(self, data: bytes | None, caption: str = "", alternative: str = "") -> None:
        """A picture in its place, by its bytes where they are at hand. With words of its own it is a block; without, it goes with the block before it."""
        words = few_lines(caption)
        other = few_lines(alternative)
        if other and other not in words:
            words = f"{words}\n{other}" if words else other
        if words:
            self._add(BlockKind.IMAGE, words)
        if data is not None:
            at = self._blocks[-1].start if self._blocks else 0
            self.pictures.keep(data, at=at, caption=words, page=self.page)

    def verbatim(self, text: str) -> int:
        """Canonical text that its parser marks up itself with `mark`; gives the offset at which it begins."""
        start = self._begin()
        self._put(text)
        return start

    def mark(
        self,
        kind: BlockKind,
        start: int,
        end: int,
        *,
        level: int = 0,
        parts: Sequence[Span] = (),
        header_parts: int = 0,
    ) -> None:
        """Record a block in text written with `verbatim`; offsets are those of the whole text."""
        self._blocks.append(Block(kind, start, end, level, tuple(parts), header_parts, self.page))

    def document(self, *, parser: str, media_type: MediaType) -> ParsedDocument:
        """What was written. Raises UnreadableFile when that is nothing."""
        if not self._blocks:
            raise refusals.nothing_to_read(self.name)
        text = "".join(self._pieces)
        blocks = faq.pair(text, self._blocks)
        return ParsedDocument(
            text=text,
            blocks=blocks,
            parser=parser,
            media_type=str(media_type),
            title=one_line(self.title)[:500],
            page_starts=tuple(min(start, len(text)) for start in self._page_starts),
            pictures=self.pictures.placed(blocks),
            notices=(*self._notices, *self.pictures.notices()),
            metadata={key: canonical(value) for key, value in self.metadata.items() if value.strip()},
        )

    # How it is written down

    def _gap(self) -> str:
        return "\n\n" if self._length else ""

    def _begin(self) -> int:
        self._put(self._gap())
        return self._length

    def _put(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)
        if self._length > self.limits.text_chars:
            raise refusals.text_too_long(self.name, limit=self.limits.text_chars)

    def _drop_last_line_end(self) -> None:
        self._pieces[-1] = self._pieces[-1].removesuffix("\n")
        self._length -= 1

    def _forget_gap(self, start: int) -> None:
        gap = self._pieces.pop()
        self._length = start - len(gap)

    def _add(
        self, kind: BlockKind, text: str, *, level: int = 0, parts: Sequence[Span] = (), page: int | None = None
    ) -> None:
        start = self._begin()
        self._put(text)
        self._close(kind, start, level=level, parts=[(start + first, start + last) for first, last in parts], page=page)

    def _close(
        self,
        kind: BlockKind,
        start: int,
        *,
        level: int = 0,
        parts: Sequence[Span] = (),
        header_parts: int = 0,
        page: int | None = None,
    ) -> None:
        self._blocks.append(Block(kind, start, self._length, level, tuple(parts), header_parts, page or self.page))

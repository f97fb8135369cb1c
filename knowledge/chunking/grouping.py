"""Which stretches may stand in one chunk. Given a text and its blocks, gives groups of units in reading order; nothing is counted or cut here.

Headings begin a group and bind to what follows. Paragraphs, lists, listings and pictures of one section are running text; a table and an FAQ pair stand alone.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from common.sentences import sentences
from knowledge.chunking.sections import heading_title
from knowledge.chunking.types import Group, Unit
from knowledge.types import Block, BlockKind


def groups(
    text: str, blocks: Iterable[Block], *, title: str, records: Collection[int] = frozenset()
) -> Iterator[Group]:
    """Groups that together hold every block, in order. `records` are the sections that begin a record."""
    desk = _Desk(text, title, records)
    for block in blocks:
        if block.kind is BlockKind.HEADING:
            yield from desk.running()
            if block.level <= desk.level:
                yield from desk.bare_headings()
            desk.open_section(block)
        elif block.kind is BlockKind.TABLE:
            yield from desk.running()
            yield desk.alone(_rows(block), header=_header(text, block))
        elif block.kind is BlockKind.FAQ:
            yield from desk.running()
            yield desk.alone(_pair(text, block), header=_question(text, block), kept_whole=True)
        else:
            desk.add(block)
    yield from desk.running()
    yield from desk.bare_headings()


@dataclass(slots=True)
class _Desk:
    """What has been read and not yet been given away: the open headings, headings without text, and running text."""

    text: str
    title: str
    records: Collection[int] = frozenset()
    section: int = 0
    open_headings: list[tuple[int, str, int]] = field(default_factory=list)
    headings: list[Unit] = field(default_factory=list)
    lead_path: tuple[str, ...] = ()
    flow: list[Unit] = field(default_factory=list)

    @property
    def level(self) -> int:
        """The level of the innermost open heading."""
        return self.open_headings[-1][0] if self.open_headings else 0

    @property
    def path(self) -> tuple[str, ...]:
        return (self.title, *(title for _level, title, _section in self.open_headings))

    @property
    def record(self) -> int:
        """The section of the innermost record, 0 outside of all."""
        return next((section for _level, _title, section in self.open_headings[::-1] if section in self.records), 0)

    def open_section(self, block: Block) -> None:
        """Go into the section of this heading; the heading waits for what it heads."""
        level = max(block.level, 1)
        while self.open_headings and self.open_headings[-1][0] >= level:
            self.open_headings.pop()
        if not self.headings:
            self.lead_path = self.path
        self.section += 1
        self.open_headings.append((level, heading_title(self.text, block), self.section))
        self.headings.append(
            Unit(block.start, block.end, BlockKind.HEADING, section=self.section, binds=True, page=block.page)
        )

    def add(self, block: Block) -> None:
        """Put running text on the desk."""
        units = list(_units(self.text, block))
        if block.kind is BlockKind.LIST and self.flow:
            last = self.flow[-1]
            announces = self.text[last.start : last.end].rstrip().endswith((":", "："))
            self.flow[-1] = replace(last, binds=announces)
        self.flow.extend(units)

    def running(self) -> Iterator[Group]:
        """The running text so far, if there is any."""
        if self.flow:
            units, self.flow = self.flow, []
            yield self.alone(units, overlaps=True)

    def bare_headings(self) -> Iterator[Group]:
        """Headings with nothing below them."""
        if self.headings:
            yield self.alone([])

    def alone(
        self, units: Sequence[Unit], *, header: str = "", kept_whole: bool = False, overlaps: bool = False
    ) -> Group:
        """A group of its own, with the headings that were waiting in front."""
        waiting, self.headings = self.headings, []
        lead_path = self.lead_path if waiting else self.path
        own = (replace(unit, section=self.section) for unit in units)
        return Group(self.path, lead_path, (*waiting, *own), header, kept_whole, overlaps, self.record)


def _units(text: str, block: Block) -> Iterator[Unit]:
    if block.kind is BlockKind.PARAGRAPH:
        yield from _sentence_units(text, block.start, block.end, block.kind, block.page)
    elif block.kind is BlockKind.LIST and block.parts:
        yield from _partition(block)
    else:
        yield Unit(block.start, block.end, block.kind, ends_block=True, page=block.page)


def _sentence_units(text: str, start: int, end: int, kind: BlockKind, page: int | None) -> Iterator[Unit]:
    spans = sentences(text[start:end])
    for index, (first, last) in enumerate(spans):
        yield Unit(start + first, start + last, kind, is_sentence=True, ends_block=index == len(spans) - 1, page=page)


def _partition(block: Block) -> list[Unit]:
    """One unit a part; what stands between two parts (a table's rule, a blank line) goes with the earlier one, so that nothing is lost."""
    starts = [block.start, *(start for start, _ in block.parts[1:]), block.end]
    return [
        Unit(start, end, block.kind, ends_block=True, page=block.page) for start, end in pairwise(starts) if start < end
    ]


def _rows(block: Block) -> list[Unit]:
    if not block.parts:
        return [Unit(block.start, block.end, block.kind, ends_block=True, page=block.page)]
    rows = _partition(block)
    return [replace(row, binds=True) if index < block.header_parts else row for index, row in enumerate(rows)]


def _header(text: str, block: Block) -> str:
    """The header rows as they stand in the text, without the rule below them."""
    if not block.header_parts or len(block.parts) <= block.header_parts:
        return ""
    return "\n".join(text[start:end].strip() for start, end in block.parts[: block.header_parts])


def _pair(text: str, block: Block) -> list[Unit]:
    if len(block.parts) < 2:
        return list(_sentence_units(text, block.start, block.end, block.kind, block.page))
    answer = block.parts[1][0]
    question = Unit(block.start, answer, block.kind, ends_block=True, binds=True, page=block.page)
    return [question, *_sentence_units(text, answer, block.end, block.kind, block.page)]


def _question(text: str, block: Block) -> str:
    return text[slice(*block.parts[0])].strip() if len(block.parts) >= 2 else ""

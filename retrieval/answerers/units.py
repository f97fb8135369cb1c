"""What may be quoted: whole units of a passage. A sentence with the one its pronoun needs, a list item or a list of steps, a table row with its header,
the answer of an FAQ pair, a listing. Given a passage, gives its units in reading order; scoring and choosing are `quoting`'s.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from common.sentences import sentences
from retrieval.types import BlockPart, Passage, Span

LONGEST_LIST = 900
LONGEST_LEAD = 400
ANNOUNCED = ("list", "table", "code")

# A sentence that begins like this speaks of what the one before it named.
_NEEDS_THE_ONE_BEFORE = re.compile(
    r"\W*(?:(?:he|she|it|they|this|that|these|those|his|her|its|their|him|them|such|the (?:former|latter|same))\b"
    r"|[他她它其该此这那](?!\w*[·])|前者|后者|後者|同时|同年|同時|上述|因此|所以|另外)",
    re.IGNORECASE,
)
_STEP = re.compile(r"\s*(?:\d{1,3}[.)、]|第[一二三四五六七八九十\d]+步|步骤)")
_ENDS_OPEN = re.compile(r"[:：]\s*\Z")


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch that can stand alone. `core` is what may answer, `lead` what must be read before it when it is not adjacent (a table's header)."""

    kind: str
    start: int
    end: int
    core: Span
    lead: Span | None = None

    @property
    def spans(self) -> tuple[Span, ...]:
        """All that is shown, lead first."""
        whole = Span(self.start, self.end)
        return (self.lead, whole) if self.lead else (whole,)


def units_of(passage: Passage) -> list[Unit]:
    """The units that lie wholly inside the passage, in reading order."""
    blocks = passage.blocks or (BlockPart("paragraph", passage.start, passage.end, 0, (), 0),)
    found: list[Unit] = []
    for before, block, after in zip((None, *blocks), blocks, (*blocks[1:], None), strict=False):
        units = block_units(passage, block, before)
        if after is not None and after.kind in ANNOUNCED:
            # "To clean it:" says nothing alone; it is the lead of what follows.
            units = (unit for unit in units if not _ENDS_OPEN.search(passage.cut(unit.core.start, unit.core.end)))
        found.extend(trimmed(passage, unit) for unit in units)
    return [unit for unit in found if unit.start < unit.end]


def block_units(passage: Passage, block: BlockPart, before: BlockPart | None) -> Iterator[Unit]:
    """The units of one block."""
    start, end = max(block.start, passage.start), min(block.end, passage.end)
    if start >= end or block.kind == "heading":
        return
    is_whole = (start, end) == (block.start, block.end)
    if block.kind == "table" and block.parts:
        yield from rows(passage, block)
    elif block.kind == "faq" and len(block.parts) >= 2:
        yield from faq_answer(passage, block)
    elif block.kind == "list" and block.parts:
        yield from listed(passage, block, before, is_whole=is_whole)
    elif block.kind == "code" or block.kind == "image":
        if is_whole and end - start <= LONGEST_LIST:
            yield Unit(block.kind, start, end, Span(start, end))
    else:
        yield from running(passage, start, end)


def running(passage: Passage, start: int, end: int) -> Iterator[Unit]:
    """Each sentence; together with the one before when it begins with a word that points back."""
    previous: Span | None = None
    for first, last in sentences(passage.cut(start, end)):
        core = Span(start + first, start + last)
        needs = previous is not None and _NEEDS_THE_ONE_BEFORE.match(passage.cut(core.start, core.end))
        begin = previous.start if needs and previous and core.start - previous.start <= LONGEST_LEAD else core.start
        yield Unit("sentence", begin, core.end, core)
        previous = core


def listed(passage: Passage, block: BlockPart, before: BlockPart | None, *, is_whole: bool) -> Iterator[Unit]:
    """A list of steps as one; other lists item by item. Either with the line that announces them."""
    lead = announcement(passage, before)
    items = [Span(start, end) for start, end in block.parts if passage.start <= start and end <= passage.end]
    if (
        is_whole
        and block.end - block.start <= LONGEST_LIST
        and all(_STEP.match(passage.cut(*span_of(item))) for item in items)
    ):
        yield Unit("steps", lead.start if lead else block.start, block.end, Span(block.start, block.end))
        return
    for index, item in enumerate(items):
        adjoins = lead is not None and index == 0
        begin = lead.start if lead and adjoins else item.start
        yield Unit("item", begin, item.end, item, None if adjoins else lead)


def announcement(passage: Passage, before: BlockPart | None) -> Span | None:
    """The last sentence before a list when it ends in a colon."""
    if before is None or before.kind not in ("paragraph", "heading") or before.start < passage.start:
        return None
    text = passage.cut(before.start, before.end)
    if before.kind == "heading" or not _ENDS_OPEN.search(text):
        return None
    first, last = sentences(text)[-1]
    return Span(before.start + first, before.start + last) if last - first <= LONGEST_LEAD else None


def rows(passage: Passage, block: BlockPart) -> Iterator[Unit]:
    """Each row below the header, with the header."""
    header = block.parts[: block.header_parts]
    lead = Span(header[0][0], header[-1][1]) if header else None
    if lead is not None and lead.start < passage.start:
        lead = None
    for start, end in block.parts[block.header_parts :]:
        if passage.start <= start and end <= passage.end:
            yield Unit("row", start, end, Span(start, end), lead)


def faq_answer(passage: Passage, block: BlockPart) -> Iterator[Unit]:
    """The answer, with its question before it."""
    question, answer = block.parts[0], block.parts[-1]
    if passage.start <= question[0] and answer[1] <= passage.end:
        yield Unit("answer", question[0], answer[1], Span(*answer))


def span_of(span: Span) -> tuple[int, int]:
    return span.start, span.end


def trimmed(passage: Passage, unit: Unit) -> Unit:
    """Without white space at its two ends."""
    text = passage.cut(unit.start, unit.end)
    start = unit.start + len(text) - len(text.lstrip())
    end = unit.start + len(text.rstrip())
    return replace(unit, start=start, end=end, core=Span(max(unit.core.start, start), min(unit.core.end, end)))

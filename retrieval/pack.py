"""Make passages of hits: each found chunk with its neighbours inside its section, overlapping ones joined, under a budget of tokens.

Small chunks are found, their section is read. Given sources in order of merit, gives passages in the same order; what does not fit is left out.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from psycopg.rows import DictRow

from common.sentences import sentences
from retrieval.database import Database
from retrieval.types import BlockPart, Found, Passage

TokenCounter = Callable[[str], Awaitable[int]]

# How many characters of its section a chunk is read with, on either side. Sections that are not much longer are read whole.
AROUND = 500
# No tokenizer puts more characters into a token on average, and less room than this holds no sentence.
CHARACTERS_A_TOKEN = 8
LEAST_TOKENS = 20

TEXTS = """
SELECT w.n, substring(v.text FROM w.first + 1 FOR w.last - w.first) AS text
FROM unnest(%(versions)s::uuid[], %(firsts)s::int[], %(lasts)s::int[]) WITH ORDINALITY AS w(version_id, first, last, n)
JOIN knowledge_version v ON v.id = w.version_id
"""
BLOCKS = """
SELECT w.n, b.kind, b.start, b."end", b.level, b.parts, b.header_parts
FROM unnest(%(versions)s::uuid[], %(firsts)s::int[], %(lasts)s::int[]) WITH ORDINALITY AS w(version_id, first, last, n)
JOIN knowledge_storedblock b ON b.version_id = w.version_id AND b.start < w.last AND b."end" > w.first
ORDER BY w.n, b.ordinal
"""


@dataclass(frozen=True, slots=True)
class Window:
    """The stretch of a version that is read for one or more found chunks."""

    version_id: UUID
    start: int
    end: int
    sources: tuple[Found, ...]

    def touches(self, other: "Window") -> bool:
        return self.version_id == other.version_id and self.start <= other.end and other.start <= self.end

    def joined(self, other: "Window") -> "Window":
        return replace(
            self, start=min(self.start, other.start), end=max(self.end, other.end), sources=self.sources + other.sources
        )


async def pack(database: Database, found: Sequence[Found], *, around: int = AROUND) -> list[Passage]:
    """Passages for these hits, the best first. Raises EngineUnavailable."""
    windows = joined_windows([window_of(each, around) for each in found])
    if not windows:
        return []
    places = {
        "versions": [window.version_id for window in windows],
        "firsts": [window.start for window in windows],
        "lasts": [window.end for window in windows],
    }
    texts = {row["n"]: row["text"] for row in await database.rows(TEXTS, places)}
    blocks = await database.rows(BLOCKS, places)
    return [
        passage_of(window, texts[n], [row for row in blocks if row["n"] == n])
        for n, window in enumerate(windows, start=1)
        if n in texts
    ]


async def within_budget(passages: Sequence[Passage], *, budget_tokens: int, count: TokenCounter) -> list[Passage]:
    """The best passages that fit together; the last one may be shortened to its found chunk."""
    kept: list[Passage] = []
    left = budget_tokens
    for passage in passages:
        if left < LEAST_TOKENS:
            break
        for candidate in (passage, core_of(passage)):
            if len(candidate.text) > CHARACTERS_A_TOKEN * left:
                continue  # not worth asking the engine
            tokens = await count(candidate.text)
            if tokens <= left:
                kept.append(replace(candidate, tokens=tokens))
                left -= tokens
                break
    return kept


def window_of(found: Found, around: int) -> Window:
    source = found.source
    start = max(source.section_start, source.start - around)
    end = min(source.section_end, source.end + around)
    if start - source.section_start < around:
        start = source.section_start
    if source.section_end - end < around:
        end = source.section_end
    return Window(source.version_id, min(start, source.start), max(end, source.end), (found,))


def joined_windows(windows: Sequence[Window]) -> list[Window]:
    """Each stretch once, at the place of the best hit in it."""
    kept: list[Window] = []
    for window in windows:
        meeting = [each for each in kept if each.touches(window)]
        if not meeting:
            kept.append(window)
            continue
        first, *others = meeting
        for other in (*others, window):
            first = first.joined(other)
        place = kept.index(meeting[0])
        kept = [each for each in kept if each not in others]
        kept[place] = first
    return kept


def passage_of(window: Window, text: str, blocks: Sequence[DictRow]) -> Passage:
    """The window's text without the broken sentences at its ends."""
    chunks = [found.source for found in window.sources]
    before = text[: max(0, min(chunk.start for chunk in chunks) - window.start)]
    after = text[max(chunk.end for chunk in chunks) - window.start :]
    begins_whole = window.start == min(chunk.section_start for chunk in chunks)
    ends_whole = window.end == max(chunk.section_end for chunk in chunks)
    cut_start = 0 if begins_whole or not before else sentences(before)[0][1]
    cut_end = len(text) - (0 if ends_whole or not after else len(after) - sentences(after)[-1][0])
    start, end = window.start + cut_start, window.start + cut_end
    inside = [row for row in blocks if row["start"] < end and row["end"] > start]
    return Passage(text[cut_start:cut_end], start, tuple(map(block_of, inside)), window.sources)


def block_of(row: DictRow) -> BlockPart:
    parts = tuple((start, end) for start, end in row["parts"])
    return BlockPart(row["kind"], row["start"], row["end"], row["level"], parts, row["header_parts"])


def core_of(passage: Passage) -> Passage:
    """Only the best chunk of it."""
    best = passage.best
    start, end = max(best.start, passage.start), min(best.end, passage.end)
    blocks = tuple(block for block in passage.blocks if block.start < end and block.end > start)
    return replace(passage, text=passage.cut(start, end), start=start, blocks=blocks, sources=passage.sources[:1])

"""Which chunk of a version holds a stretch of its text."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from knowledge.models import Chunk, Version
from ontology.types import Where


@dataclass(frozen=True, slots=True)
class ChunkSpan:
    id: UUID
    start: int
    end: int
    is_live: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Where evidence is stored: its first chunk, the stretch (cut at the chunk's end where no chunk holds all of it), and whether a live chunk covers it."""

    chunk: UUID
    start: int
    end: int
    is_live: bool


@dataclass(frozen=True, slots=True)
class Places:
    """The chunks of a version in the order of their starts; they may overlap. `reaches[i]` is the furthest end among the first i + 1."""

    spans: Sequence[ChunkSpan]
    starts: Sequence[int]
    reaches: Sequence[int]

    @classmethod
    def of(cls, version: Version) -> "Places":
        rows = (
            Chunk.objects.filter(version=version)
            .order_by("start", "ordinal")
            .values_list("id", "start", "end", "is_live")
        )
        spans = [ChunkSpan(*row) for row in rows.iterator(chunk_size=5000)]
        reaches, furthest = [], 0
        for span in spans:
            furthest = max(furthest, span.end)
            reaches.append(furthest)
        return cls(spans, [span.start for span in spans], reaches)

    def find(self, where: Where) -> Place | None:
        """None when no chunk holds even its beginning."""
        around = self.around(where.start)
        if not around:
            return None
        holding = [span for span in around if span.end >= where.end]
        if holding:
            return Place(holding[0].id, where.start, where.end, any(span.is_live for span in holding))
        longest = max(around, key=lambda span: span.end)
        return Place(longest.id, where.start, longest.end, longest.is_live)

    def around(self, at: int) -> list[ChunkSpan]:
        """The chunks that hold this character, in reading order."""
        last = bisect_right(self.starts, at) - 1
        found = []
        while last >= 0 and self.reaches[last] > at:
            if self.spans[last].end > at:
                found.append(self.spans[last])
            last -= 1
        return found[::-1]

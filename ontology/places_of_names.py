"""Where versions speak of entities, so that a name that stands elsewhere is seen to be missed."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import accumulate
from uuid import UUID

from ontology.models import Evidence
from ontology.rules.gazetteer import Sighting

Key = tuple[UUID, UUID | None]


@dataclass(frozen=True, slots=True)
class Places:
    """For each version and entity the starts of its evidence in order, and the furthest end up to each."""

    starts: dict[Key, list[int]]
    ends: dict[Key, list[int]]

    @classmethod
    def of(cls, entities: Collection[UUID], **only: object) -> "Places":
        """Of these entities, in all versions or in those that are named."""
        rows: dict[Key, list[tuple[int, int]]] = defaultdict(list)
        places = Evidence.objects.filter(entity__in=entities, **only).order_by("start")
        for version, entity, start, end in places.values_list("version_id", "entity_id", "start", "end").iterator():
            rows[version, entity].append((start, end))
        starts = {key: [start for start, _end in some] for key, some in rows.items()}
        ends = {key: list(accumulate((end for _start, end in some), max)) for key, some in rows.items()}
        return cls(starts, ends)

    def cover_all(self, version: UUID, begin: int, sightings: Iterable[Sighting]) -> bool:
        """Whether each name, in a text that begins there, lies in a place of one who bears it."""
        return all(
            any(self._cover((version, known.entity_id), begin + each.start, begin + each.end) for known in each.known)
            for each in sightings
        )

    def _cover(self, key: Key, start: int, end: int) -> bool:
        before = bisect_right(self.starts.get(key, []), start)
        return before > 0 and self.ends[key][before - 1] >= end

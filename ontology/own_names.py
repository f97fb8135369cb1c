"""Names that a document itself has made known, say in its table: after the first reading they are looked for in the rest of its text, so that sentences before and after that table count too.

`ontology.seek` does the same for all other documents, later.
"""

from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import accumulate
from uuid import UUID

from knowledge.models import Version
from ontology.gazetteers import known_names
from ontology.models import Alias, Entity, Evidence
from ontology.rules.gazetteer import Gazetteer


def own_names(graph_id: UUID, version: Version, text: str) -> Gazetteer:
    """The names that became known by this version, if one of them stands in its text where nothing was found; else EMPTY."""
    new = {"is_sought": False, "evidence__version": version}
    if not any(model._default_manager.filter(graph_id=graph_id, **new).exists() for model in (Entity, Alias)):
        return Gazetteer.EMPTY
    own = Gazetteer.of(known_names(graph_id, **new))
    found = Places.of(version, {known.entity_id for names in own.entries for known in names if known.entity_id})
    for each in own.sightings(text):
        if not any(found.cover(known.entity_id, each.start, each.end) for known in each.known):
            return own
    return Gazetteer.EMPTY


@dataclass(slots=True)
class Places:
    """Where a version's text gives entities, each a list of starts, and of the furthest end so far."""

    starts: dict[UUID, list[int]] = field(default_factory=dict)
    ends: dict[UUID, list[int]] = field(default_factory=dict)

    @classmethod
    def of(cls, version: Version, entities: set[UUID]) -> "Places":
        rows: dict[UUID, list[tuple[int, int]]] = defaultdict(list)
        places = Evidence.objects.filter(version=version, entity__in=entities).order_by("start")
        for entity, start, end in places.values_list("entity_id", "start", "end").iterator():
            rows[entity].append((start, end))
        starts = {entity: [start for start, _end in some] for entity, some in rows.items()}
        ends = {entity: list(accumulate((end for _start, end in some), max)) for entity, some in rows.items()}
        return cls(starts, ends)

    def cover(self, entity: UUID | None, start: int, end: int) -> bool:
        """Whether one of the entity's places begins there or before, and one of those reaches as far."""
        if entity not in self.starts:
            return False
        before = bisect_right(self.starts[entity], start)
        return before > 0 and self.ends[entity][before - 1] >= end

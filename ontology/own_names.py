"""Names that a document itself has made known, say in its table: after the first reading they are looked for in the rest of its text, so that sentences before and after that table count too.

`ontology.seek` does the same for all other documents, later.
"""

from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import accumulate
from uuid import UUID

from knowledge.models import Version
from ontology.gazetteers import known_names
from ontology.models import Alias, Entity, Evidence
from ontology.names import normal
from ontology.rules.gazetteer import Gazetteer, KnownName, Meant
from ontology.twins import twins


def with_own_names(gazetteer: Gazetteer, graph_id: UUID, version: Version, text: str) -> Gazetteer | None:
    """The same with the names that became known by this version; None where none of them stands in its text where nothing was found."""
    new = {"is_sought": False, "evidence__version": version}
    if not any(model._default_manager.filter(graph_id=graph_id, **new).exists() for model in (Entity, Alias)):
        return None
    own = Gazetteer.of(known_names(graph_id, **new))
    found = Places.of(version, {known.entity_id for names in own.entries for known in names if known.entity_id})
    for each in own.sightings(text):
        if not any(found.cover(known.entity_id, each.start, each.end) for known in each.known):
            doubles = twins(Entity.objects.filter(graph_id=graph_id, is_rejected=False, normal_name__in=normals(own)))
            leave_out = frozenset(doubles.values_list("pk", flat=True))
            return replace(gazetteer, also=own, meant=partial(are_others, leave_out, gazetteer.meant))
    return None


def normals(own: Gazetteer) -> set[str]:
    return {normal(known.name) for names in own.entries for known in names}


def are_others(
    leave_out: frozenset[UUID], meant: Meant | None, known: tuple[KnownName, ...], text: str, at: int
) -> tuple[KnownName, ...]:
    """Without those of whom this version has said who they are."""
    others = tuple(each for each in known if each.entity_id not in leave_out) or known
    return meant(others, text, at) if meant and len(others) > 1 else others


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

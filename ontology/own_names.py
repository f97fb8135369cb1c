"""Names that a document itself has made known, say in its table: after the first reading they are looked for in the rest of its text, so that sentences before and after that table count too.

`ontology.seek` does the same for all other documents, later.
"""

from dataclasses import replace
from functools import partial
from uuid import UUID

from knowledge.models import Version
from ontology.gazetteers import known_names
from ontology.models import Alias, Entity
from ontology.names import normal
from ontology.places_of_names import Places
from ontology.rules.gazetteer import Gazetteer, KnownName, Meant
from ontology.twins import twins


def with_own_names(gazetteer: Gazetteer, graph_id: UUID, version: Version, text: str) -> Gazetteer | None:
    """The same with the names that became known by this version; None where none of them stands in its text where nothing was found."""
    new = {"is_sought": False, "evidence__version": version}
    if not any(model._default_manager.filter(graph_id=graph_id, **new).exists() for model in (Entity, Alias)):
        return None
    own = Gazetteer.of(known_names(graph_id, **new))
    bearers = {known.entity_id for names in own.entries for known in names if known.entity_id}
    if Places.of(bearers, version=version).cover_all(version.pk, 0, own.sightings(text)):
        return None
    doubles = twins(Entity.objects.filter(graph_id=graph_id, is_rejected=False, normal_name__in=normals(own)))
    leave_out = frozenset(doubles.values_list("pk", flat=True))
    return replace(gazetteer, also=own, meant=partial(are_others, leave_out, gazetteer.meant))


def normals(own: Gazetteer) -> set[str]:
    return {normal(known.name) for names in own.entries for known in names}


def are_others(
    leave_out: frozenset[UUID], meant: Meant | None, known: tuple[KnownName, ...], text: str, at: int
) -> tuple[KnownName, ...]:
    """Without those of whom this version has said who they are."""
    others = tuple(each for each in known if each.entity_id not in leave_out) or known
    return meant(others, text, at) if meant and len(others) > 1 else others

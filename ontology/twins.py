"""Entities that were only seen by the form of a name which another entity of their class is said to bear too: the one that is known by more is meant.

"Shen Kexin | 沈可昕" in a table says who 沈可昕 is; what a pattern found under that name before the table was read is no second person.
"""

from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from ontology.models import Alias, Entity, Evidence
from ontology.types import Extractor

BY_FORM = (Extractor.PATTERN.value, Extractor.PHRASE.value, Extractor.GAZETTEER.value)


def without_twins(entities: "QuerySet[Entity]") -> "QuerySet[Entity]":
    """Those that bear their name themselves. Nothing that a person or a document's own words (a row, a line, a title) vouch for is left out."""
    return entities.exclude(pk__in=twins(entities).order_by().values("pk"))


def versions_with_twins(graph_id: UUID) -> list[UUID]:
    """Versions whose evidence speaks of such an entity, to be gone over again."""
    found = twins(Entity.objects.filter(graph_id=graph_id, is_rejected=False))
    return list(Evidence.objects.filter(entity__in=found).values_list("version_id", flat=True).distinct())


def twins(entities: "QuerySet[Entity]") -> "QuerySet[Entity]":
    said = Evidence.objects.filter(entity=OuterRef("pk")).exclude(extractor__in=BY_FORM)
    other = Alias.objects.filter(
        graph=OuterRef("graph"),
        normal=OuterRef("normal_name"),
        entity__class_name=OuterRef("class_name"),
        entity__merged_into=None,
        is_rejected=False,
    ).exclude(entity=OuterRef("pk"))
    return entities.filter(~Exists(said), Exists(other), is_confirmed=False, merged_into=None)

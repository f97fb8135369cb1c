"""Facts that fit a changed skeleton and may go all the same: only rules have found them, and what they were found by has changed.

Given what a difference touches, gives their number. Whether they are found again is known when the documents are read again.
"""

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from ontology.models import AttributeValue, Entity, Evidence, Graph, Relation
from ontology.selectors.misfits import Misfits
from ontology.skeleton.compare import Touched
from ontology.types import Extractor

OTHERS = (Extractor.MODEL.value, Extractor.IMPORT.value, Extractor.HAND.value)


def may_go(graph: Graph, touched: Touched, misfits: Misfits) -> int:
    """How many, the misfits aside; three statements. What people have confirmed stays, and what a model or an import has said too."""
    entities = Entity.objects.filter(graph=graph).exclude(pk__in=misfits.entities.values("pk"))
    attributes = AttributeValue.objects.filter(entity__graph=graph).exclude(pk__in=misfits.attributes.values("pk"))
    relations = Relation.objects.filter(graph=graph).exclude(pk__in=misfits.relations.values("pk"))
    of_attributes = Q(pk__in=[])
    for owner in {owner for owner, _name in touched.attributes}:
        names = [name for each, name in touched.attributes if each == owner]
        of_attributes |= Q(entity__class_name=owner, name__in=names)
    return (
        by_rules(entities.filter(class_name__in=touched.classes), "entity").count()
        + by_rules(attributes.filter(of_attributes), "attribute").count()
        + by_rules(relations.filter(type__in=touched.relations), "relation").count()
    )


def by_rules(rows: "QuerySet[Any]", kind: str) -> "QuerySet[Any]":
    """Those that rules have found and nobody else vouches for."""
    live = Evidence.objects.filter(**{kind: OuterRef("pk")}, is_live=True)
    others = live.filter(extractor__in=OTHERS)
    return rows.filter(Exists(live), ~Exists(others), is_confirmed=False, is_rejected=False)

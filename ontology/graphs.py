"""Which graph a knowledge base feeds, and the skeleton it grows along. A base that has none gets one of its own with the default skeleton when it is first needed."""

from functools import lru_cache
from pathlib import Path
from uuid import UUID

from django.db import connection, transaction

from knowledge.models import KnowledgeBase
from ontology.models import Graph, GraphSource, SkeletonVersion
from ontology.skeleton.faults import SkeletonRefused
from ontology.skeleton.read import read_skeleton
from ontology.types import CompiledSkeleton

WHAT_WAS_APPLIED = 10_000
DEFAULT = Path(__file__).parent / "skeleton" / "default.yaml"


def source_of(kb_id: UUID) -> GraphSource:
    """What feeds the graph, made where it is missing."""
    return GraphSource.objects.select_related("graph__skeleton").filter(kb_id=kb_id).first() or made(kb_id)


@transaction.atomic
def made(kb_id: UUID) -> GraphSource:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"graph of {kb_id}"])
    there = GraphSource.objects.select_related("graph__skeleton").filter(kb_id=kb_id).first()
    if there:
        return there
    graph = Graph.objects.create(name=KnowledgeBase.objects.get(pk=kb_id).name)
    text = DEFAULT.read_text(encoding="utf-8")
    graph.skeleton = SkeletonVersion.objects.create(
        graph=graph, number=1, text=text, fingerprint=compiled(text).fingerprint
    )
    graph.save()
    return GraphSource.objects.create(kb_id=kb_id, graph=graph)


@lru_cache(maxsize=32)
def compiled(text: str) -> CompiledSkeleton:
    """The skeleton of a text that was checked when it was applied; a limit that has been lowered since does not undo it."""
    reading = read_skeleton(text, relation_types_max=WHAT_WAS_APPLIED)
    if reading.skeleton is None:
        raise SkeletonRefused(list(reading.faults))
    return reading.skeleton


def skeleton_of(graph: Graph) -> CompiledSkeleton:
    """The one in use, compiled."""
    return compiled(skeleton_in_use(graph).text)


def skeleton_in_use(graph: Graph) -> SkeletonVersion:
    """Set when the graph was made."""
    assert graph.skeleton is not None
    return graph.skeleton

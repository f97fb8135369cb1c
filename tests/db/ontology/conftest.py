"""What tests of the graph share: the way in with extraction, people, a knowledge base with a small skeleton, and short questions about what is known."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from common.storage import FolderStorage
from inference.hash_embedder import HashEmbedder
from knowledge.ingest import WAY_IN
from knowledge.models import KnowledgeBase
from knowledge.tools import Tools
from ontology import extract
from ontology.graphs import compiled, source_of
from ontology.keeper import LedgerFactKeeper
from ontology.models import AttributeValue, Entity, Graph, GraphSource, Relation, SkeletonVersion
from ontology.selectors.facts import EXISTS
from ontology.tend_graphs import tend_graphs
from tests.db.knowledge import conftest as knowledge

department = knowledge.department
kb = knowledge.kb
editor = knowledge.editor
viewer = knowledge.viewer
stranger = knowledge.stranger
send = knowledge.send
read = knowledge.read

SKELETON = """
title: Pumps
classes:
  System:
    labels: {en: System, zh: 系统}
    rules: {patterns: ['[A-Z][a-z]+ (?:Server|Gateway)', '[一-龥]{2,6}系统']}
    attributes:
      memory_limit: {type: integer, keys: [Memory, 内存]}
      released: {type: date, keys: [Released, 发布日期]}
  Person:
    labels: {en: Person, zh: 人员}
    rules: {patterns: ['Dr\\. [A-Z][a-z]+']}
  Paper:
    labels: {en: Paper, zh: 文件}
    subject: true
relations:
  calls:
    from: [System]
    to: [System]
    labels: {en: calls, zh: 调用}
    phrases: ['{source} calls {target}', '{source}调用{target}']
  keeps:
    from: [Person]
    to: [System]
    labels: {en: keeps, zh: 维护}
    phrases: ['{source} keeps {target}']
"""


@pytest.fixture
def tools(tmp_path: Path) -> Tools:
    return Tools(
        storage=FolderStorage(tmp_path / "storage"),
        embedder=HashEmbedder(),
        splitter=knowledge.PlainWords(),
        way_in=(*WAY_IN, extract),
        facts=LedgerFactKeeper(),
    )


@pytest.fixture
def graph(kb: KnowledgeBase) -> Graph:
    made = Graph.objects.create(name="Pumps")
    made.skeleton = SkeletonVersion.objects.create(
        graph=made, number=1, text=SKELETON, fingerprint=compiled(SKELETON).fingerprint
    )
    made.save()
    GraphSource.objects.create(kb=kb, graph=made)
    return source_of(kb.pk).graph


def exists(rows: Any) -> Any:
    return rows.filter(EXISTS)


@pytest.fixture
def names(graph: Graph) -> Callable[[], set[str]]:
    """The names of entities that exist now, of all classes but the documents' own."""
    return lambda: set(
        exists(Entity.objects.filter(graph=graph)).exclude(class_name="Paper").values_list("name", flat=True)
    )


@pytest.fixture
def relations(graph: Graph) -> Callable[[], dict[tuple[str, str, str], int]]:
    """Relations that exist now with their support."""

    def found() -> dict[tuple[str, str, str], int]:
        rows = exists(Relation.objects.filter(graph=graph)).select_related("source", "target")
        return {(each.source.name, each.type, each.target.name): each.support for each in rows}

    return found


@pytest.fixture
def values(graph: Graph) -> Callable[[str], list[Any]]:
    """`values("memory_limit")`: what exists of one attribute, in all entities."""
    return lambda name: sorted(
        exists(AttributeValue.objects.filter(entity__graph=graph, name=name)).values_list("value", flat=True)
    )


@pytest.fixture
def tend(tools: Tools) -> Callable[[], int]:
    """Run the periodic job once."""
    return lambda: tend_graphs(tools)

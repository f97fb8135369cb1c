"""The shortest way between two entities by the graph database, with little patience: there is another way to find it."""

from __future__ import annotations

import atexit
from functools import cache
from typing import TYPE_CHECKING
from uuid import UUID

from ontology.graph import binding
from ontology.graph.cypher import SHORTEST
from ontology.graph.keys import graph_key, row_of
from ontology.graphs import skeleton_of
from ontology.models import Graph
from ontology.skeleton.graph_constraints import quoted

if TYPE_CHECKING:
    from ontology.graph.database import GraphDatabaseClient

PATIENCE_S = 2.0


def shortest_in_database(
    graph: Graph, source: UUID, target: UUID, relations: tuple[str, ...], *, longest: int
) -> list[UUID]:
    """The entities from one to the other, both included; empty when there is no way. Raises EngineUnavailable, GraphRefused."""
    declared = skeleton_of(graph).relations
    types = [name for name in (relations or declared) if name in declared]
    if not types:
        return []
    statement = SHORTEST.format(types="|".join(map(quoted, types)), longest=int(longest))
    ends = {"source": graph_key(graph.pk, source), "target": graph_key(graph.pk, target)}
    rows = patient().rows(statement, **ends)
    keys = rows[0]["keys"] if rows else []
    found = [row_of(graph.pk, key) for key in keys]
    return [] if None in found else [pk for pk in found if pk is not None]


@cache
def patient() -> GraphDatabaseClient:
    """A client that gives up early, for a reader who waits."""
    from ontology.graph.database import GraphDatabaseClient  # the driver is loaded with the first question

    client = GraphDatabaseClient(binding.graph_database().server, statement_s=PATIENCE_S)
    atexit.register(client.close)
    return client

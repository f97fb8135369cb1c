"""Which graph database this process writes. `config/wiring.py` says where it is and binds it here; tasks and commands ask for it.

The driver is loaded with the first use: every process is told where the database is, and few of them write it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from common.errors import Misconfigured
from ontology.graphs import skeleton_of
from ontology.models import Graph

if TYPE_CHECKING:
    from ontology.graph.database import GraphDatabaseClient, Server
    from ontology.graph.projector import Projector

_server: list[Callable[[], Server]] = []


def bind(server: Callable[[], Server]) -> None:
    """Say where the graph database is; it is asked when it is first needed."""
    _server[:] = [server]
    graph_database.cache_clear()


@cache
def graph_database() -> GraphDatabaseClient:
    """The one of this process. Raises Misconfigured when nobody has bound it."""
    if not _server:
        raise Misconfigured(
            "Nobody has said where the graph database is: config.wiring binds that when the server starts."
        )
    from ontology.graph.database import GraphDatabaseClient

    return GraphDatabaseClient(_server[0])


def projector_of(graph: Graph) -> Projector:
    """The projector of a graph, along the skeleton in use."""
    from ontology.graph.projector import Projector

    return Projector(graph.pk, skeleton_of(graph), graph_database())

"""How far the graph database is behind the ledger."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Min, Q
from django.utils import timezone

from ontology.models import Graph, GraphChange

SHOWN = 20


@dataclass(frozen=True, slots=True)
class Lag:
    """Of one graph: rows that wait to be projected since `oldest_at`, and rows that could not be."""

    graph_id: UUID
    pending: int
    set_aside: int
    oldest_at: datetime | None

    @property
    def seconds(self) -> float:
        """Age of the oldest change; 0 when nothing waits."""
        return (timezone.now() - self.oldest_at).total_seconds() if self.oldest_at else 0.0


def lag_of(graph: Graph) -> Lag:
    """As it is now."""
    waits = Q(is_set_aside=False)
    found = GraphChange.objects.filter(graph=graph).aggregate(
        pending=Count("pk", filter=waits),
        oldest_at=Min("created_at", filter=waits),
        set_aside=Count("key", filter=~waits, distinct=True),
    )
    return Lag(graph.pk, found["pending"], found["set_aside"], found["oldest_at"])


def set_aside(graph: Graph, *, limit: int = SHOWN) -> list[dict[str, Any]]:
    """The first of the rows that the graph database did not take, with what it said."""
    rows = GraphChange.objects.filter(graph=graph, is_set_aside=True).order_by("id")
    return [
        {"kind": kind, "id": str(key), "error": error}
        for kind, key, error in rows.values_list("kind", "key", "error")[:limit]
    ]


def graphs_behind() -> list[UUID]:
    """Graphs of which something waits."""
    return list(GraphChange.objects.filter(is_set_aside=False).order_by().values_list("graph_id", flat=True).distinct())

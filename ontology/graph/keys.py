"""Names of nodes and edges in the graph database: `"<graph id>:<row id>"`, one string, because Neo4j Community has no composite keys."""

from uuid import UUID


def graph_key(graph_id: UUID, row_id: UUID) -> str:
    """The key of a row of the ledger in the graph database."""
    return f"{graph_id}:{row_id}"


def row_of(graph_id: UUID, key: object) -> UUID | None:
    """The way back; None for what is not a key of this graph."""
    prefix = f"{graph_id}:"
    if not isinstance(key, str) or not key.startswith(prefix):
        return None
    try:
        row_id = UUID(key[len(prefix) :])
    except ValueError:
        return None
    return row_id if graph_key(graph_id, row_id) == key else None


def graph_of(key: object) -> UUID | None:
    """The graph that a key belongs to, whether or not there is such a graph."""
    if not isinstance(key, str):
        return None
    try:
        return UUID(key.partition(":")[0])
    except ValueError:
        return None

"""Make a graph's part of the database anew from the ledger.

First everything is put into the outbox, then the part is emptied, then it is projected as always. So the result is that of incremental work, and whoever is killed
in between leaves it to the next projector.
"""

from dataclasses import dataclass

from django.db import connection, transaction
from django.utils.translation import gettext_lazy as _

from common.errors import Conflict
from ontology.graph import cypher
from ontology.graph.projector import Projector, only_one
from ontology.models import GraphChange

EMPTY_BATCH = 2000
WAIT_S = 60.0

EVERYTHING = (
    "SELECT 'entity', id FROM ontology_entity WHERE graph_id = %(graph)s",
    "SELECT 'relation', id FROM ontology_relation WHERE graph_id = %(graph)s",
    """
    SELECT DISTINCT 'chunk', chunk.id FROM knowledge_chunk AS chunk JOIN ontology_graphsource AS source ON source.kb_id = chunk.kb_id
    WHERE source.graph_id = %(graph)s AND chunk.is_live
    """,
)
TELL = """
INSERT INTO ontology_graphchange (graph_id, kind, key, created_at, attempts, is_set_aside, error)
SELECT %(graph)s, kind, key, now(), 0, false, '' FROM ({rows}) AS everything(kind, key)
"""
FORGET = (
    "UPDATE ontology_relation SET projected_source = NULL, projected_target = NULL "
    "WHERE graph_id = %(graph)s AND projected_source IS NOT NULL"
)


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """How many rows were projected and how many could not be."""

    projected: int
    set_aside: int


def rebuild(projector: Projector, *, wait_s: float = WAIT_S) -> Rebuilt:
    """Raises Conflict when another process goes on projecting for so long, EngineUnavailable."""
    with only_one(projector.graph_id, wait_s=wait_s) as is_mine:
        if not is_mine:
            raise Conflict(_("Another process is projecting this graph. Try again when it has ended."))
        count = tell_everything(projector)
        projector.database.prepare()
        empty(projector)
        projector.drain()
    aside = GraphChange.objects.filter(graph_id=projector.graph_id, is_set_aside=True).values("key").distinct().count()
    return Rebuilt(count - aside, aside)


@transaction.atomic
def tell_everything(projector: Projector) -> int:
    """The whole ledger of the graph into the outbox, beside what waits there (which may name rows that are gone); gives how many rows."""
    values = {"graph": projector.graph_id}
    count = 0
    with connection.cursor() as cursor:
        for rows in EVERYTHING:
            cursor.execute(TELL.format(rows=rows), values)
            count += cursor.rowcount
    return count


def empty(projector: Projector) -> None:
    """Nothing of the graph is left in the database, in batches."""
    prefix = f"{projector.graph_id}:"
    for label in cypher.OWN_LABELS:
        while True:
            (row,) = projector.database.write([(cypher.EMPTY[label], {"prefix": prefix, "limit": EMPTY_BATCH})])[0]
            if not row["count"]:
                break
    with connection.cursor() as cursor:
        cursor.execute(FORGET, {"graph": projector.graph_id})

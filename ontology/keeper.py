"""Plays knowledge's fact keeper: evidence is live while a live chunk covers it, and goes for good with the chunks it stands in."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import connection

from ontology import outbox, support
from ontology.communities.sources import texts_forget
from ontology.support import Changes

# Chunks overlap: what is lost with one may still stand in another.
FOLLOW = """
WITH moved AS (SELECT version_id, start, "end" FROM knowledge_chunk WHERE id = ANY(%(chunks)s)),
touched AS (
    SELECT DISTINCT evidence.id FROM moved JOIN ontology_evidence AS evidence ON evidence.version_id = moved.version_id
    AND evidence.start >= moved.start AND evidence.start < moved."end" AND evidence."end" <= moved."end"
),
held AS (
    SELECT DISTINCT evidence.id FROM knowledge_chunk AS chunk JOIN ontology_evidence AS evidence ON evidence.version_id = chunk.version_id
    AND evidence.start >= chunk.start AND evidence.start < chunk."end" AND evidence."end" <= chunk."end"
    WHERE chunk.is_live AND chunk.version_id IN (SELECT version_id FROM moved)
),
flipped AS (
    UPDATE ontology_evidence AS evidence SET is_live = NOT evidence.is_live, updated_at = now()
    FROM touched LEFT JOIN held ON held.id = touched.id
    WHERE evidence.id = touched.id AND evidence.is_live <> (held.id IS NOT NULL)
    RETURNING evidence.entity_id, evidence.alias_id, evidence.attribute_id, evidence.relation_id, evidence.is_live
)
SELECT entity_id, alias_id, attribute_id, relation_id, sum(CASE WHEN is_live THEN 1 ELSE -1 END)::int FROM flipped GROUP BY 1, 2, 3, 4
"""
GONE = """
WITH gone AS (
    DELETE FROM ontology_evidence WHERE {condition} RETURNING id, entity_id, alias_id, attribute_id, relation_id, is_live
)
SELECT array_agg(id), entity_id, alias_id, attribute_id, relation_id, -(count(*) FILTER (WHERE is_live))::int FROM gone GROUP BY 2, 3, 4, 5
"""
FORGET_OUTPUT = """
DELETE FROM ontology_keptmodeloutput AS kept USING knowledge_chunk AS chunk, ontology_graphsource AS source
WHERE chunk.id = ANY(%(chunks)s) AND source.kb_id = chunk.kb_id AND kept.graph_id = source.graph_id AND kept.content_hash = chunk.content_hash
AND NOT EXISTS (
    SELECT 1 FROM knowledge_chunk AS other JOIN ontology_graphsource AS feeds ON feeds.kb_id = other.kb_id
    WHERE other.content_hash = chunk.content_hash AND feeds.graph_id = source.graph_id AND other.id <> ALL(%(chunks)s)
)
"""


class LedgerFactKeeper:
    """Works in the caller's transaction, which holds the document."""

    def follow(self, chunk_ids: Sequence[UUID]) -> None:
        chunks = list(chunk_ids)
        with connection.cursor() as cursor:
            cursor.execute(FOLLOW, {"chunks": chunks})
            changes = Changes().add_rows(cursor.fetchall())
        support.apply(changes)
        outbox.chunks_changed(chunks)

    def erase(self, chunk_ids: Sequence[UUID]) -> None:
        chunks = list(chunk_ids)
        outbox.chunks_changed(chunks)
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM ontology_quarantined WHERE chunk_id = ANY(%s)", [chunks])
            cursor.execute(FORGET_OUTPUT, {"chunks": chunks})
        forget_evidence("chunk_id = ANY(%(chunks)s)", chunks=chunks)


def forget_evidence(condition: str, **values: Any) -> None:
    """Delete the evidence that meets a condition (SQL of ours), and what then has neither evidence nor a person's word."""
    with connection.cursor() as cursor:
        cursor.execute(GONE.format(condition=condition), values)
        gone = cursor.fetchall()
    changes = Changes().add_rows(fact for _ids, *fact in gone)
    support.apply(changes)
    support.remove_unheld(changes)
    texts_forget([id for ids, *_fact in gone for id in ids])

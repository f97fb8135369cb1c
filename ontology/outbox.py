"""Tell the graph database what has changed: one row a changed row of the ledger, written in the caller's transaction; when it commits, the projector is woken.

Call it after locking and before deleting: a row that is gone can't be told any more. Which kind of change it was does not matter, and twice does no harm.
"""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from django.db import connection, transaction

from ontology import wake

PROJECT = "ontology.tasks.project"
QUEUE = "short"

TELL = """
WITH told AS (
    INSERT INTO ontology_graphchange (graph_id, kind, key, source, target, created_at, attempts, is_set_aside, error)
    SELECT graph_id, kind, key, source, target, now(), 0, false, '' FROM ({rows}) AS changed RETURNING graph_id
)
SELECT DISTINCT graph_id FROM told
"""
ENTITIES = """
SELECT graph_id, 'entity' AS kind, id AS key, NULL::uuid AS source, NULL::uuid AS target FROM ontology_entity WHERE id = ANY(%(ids)s)
"""
# Held, so that no edge is written while the row goes: the projector stores the ends first.
RELATIONS = """
SELECT graph_id, 'relation' AS kind, id AS key, projected_source AS source, projected_target AS target
FROM ontology_relation WHERE id = ANY(%(ids)s) ORDER BY id FOR NO KEY UPDATE
"""
CHUNKS = """
SELECT source.graph_id, 'chunk' AS kind, chunk.id AS key, NULL::uuid AS source, NULL::uuid AS target
FROM knowledge_chunk AS chunk JOIN ontology_graphsource AS source ON source.kb_id = chunk.kb_id WHERE chunk.{column} = ANY(%(ids)s)
"""

# Everybody who is one with these entities: up to the roots and down to all that was merged into them.
GROUP = """
WITH RECURSIVE up AS (
    SELECT id, merged_into_id FROM ontology_entity WHERE id = ANY(%(ids)s)
    UNION SELECT parent.id, parent.merged_into_id FROM up JOIN ontology_entity AS parent ON parent.id = up.merged_into_id
), member AS (
    SELECT id FROM up
    UNION SELECT merged.id FROM member JOIN ontology_entity AS merged ON merged.merged_into_id = member.id
)
{wanted}
"""
MEMBERS = "SELECT id FROM member"
RELATIONS_OF_MEMBERS = """
SELECT relation.id FROM member JOIN ontology_relation AS relation ON relation.source_id = member.id
UNION SELECT relation.id FROM member JOIN ontology_relation AS relation ON relation.target_id = member.id
"""
# Evidence names the first chunk that holds it; through overlap the next ones may hold it too.
CHUNKS_OF_MEMBERS = """
SELECT DISTINCT chunk.id
FROM (
    SELECT evidence.* FROM member JOIN ontology_evidence AS evidence ON evidence.entity_id = member.id
    UNION ALL SELECT evidence.* FROM member JOIN ontology_alias AS alias ON alias.entity_id = member.id
    JOIN ontology_evidence AS evidence ON evidence.alias_id = alias.id
) AS place JOIN knowledge_chunk AS first ON first.id = place.chunk_id
JOIN knowledge_chunk AS chunk ON chunk.version_id = first.version_id AND chunk.ordinal BETWEEN first.ordinal AND first.ordinal + 4
WHERE chunk.start <= place.start AND chunk."end" >= place."end"
"""


def entities_changed(entity_ids: Collection[UUID]) -> None:
    """Also when a name, a value or evidence of theirs has changed, and for both of whom one was merged into the other or given back."""
    write(ENTITIES, entity_ids)


def relations_changed(relation_ids: Collection[UUID]) -> None:
    """Before such a row is deleted, at the latest."""
    write(RELATIONS, relation_ids)


def chunks_changed(chunk_ids: Collection[UUID]) -> None:
    """Chunks that can be found or not any more, or that mention others than before."""
    write(CHUNKS.format(column="id"), chunk_ids)


def versions_changed(version_ids: Collection[UUID]) -> None:
    """Every chunk of these versions, when evidence in readable ones came or went."""
    write(CHUNKS.format(column="version_id"), version_ids)


def whole_group_changed(entity_ids: Collection[UUID]) -> None:
    """These entities, all that are one with them now, their relations and the chunks that mention them."""
    if not entity_ids:
        return
    values = {"ids": list(entity_ids)}
    for wanted, tell in (
        (MEMBERS, entities_changed),
        (RELATIONS_OF_MEMBERS, relations_changed),
        (CHUNKS_OF_MEMBERS, chunks_changed),
    ):
        with connection.cursor() as cursor:
            cursor.execute(GROUP.format(wanted=wanted), values)
            found = [row[0] for row in cursor.fetchall()]
        tell(found)


def write(rows: str, ids: Collection[UUID]) -> None:
    """One statement for all of them; wakes the projector of each graph once a transaction."""
    if not ids:
        return
    with connection.cursor() as cursor:
        cursor.execute(TELL.format(rows=rows), {"ids": sorted(ids)})
        graphs = [row[0] for row in cursor.fetchall()]
    for graph_id in graphs:
        wake = Wake(graph_id)
        if not any(waiting[1] == wake for waiting in connection.run_on_commit):
            transaction.on_commit(wake)


@dataclass(frozen=True, slots=True)
class Wake:
    """Sends the message that a graph has something to be told. What the broker loses, the periodic look finds."""

    graph_id: UUID

    def __call__(self) -> None:
        wake.send(PROJECT, QUEUE, [str(self.graph_id)])

"""Evidence as rows: many at once, each once, with what it changed."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection

from common.ids import uuid7
from knowledge.models import Version
from ontology.recording.places import Place
from ontology.support import KINDS, Changes
from ontology.types import Extractor

# One that is there already is only marked as found again; `xmax = 0` tells the new ones.
INSERT = """
WITH written AS (
    INSERT INTO ontology_evidence (id, created_at, updated_at, graph_id, document_id, version_id, chunk_id, start, "end",
        entity_id, alias_id, attribute_id, relation_id, extractor, confidence, is_live, round)
    SELECT given.id, now(), now(), %(graph)s, %(document)s, %(version)s, given.chunk, given.start, given.ending,
        given.entity, given.alias, given.attribute, given.relation, given.extractor, given.confidence, given.live, %(round)s
    FROM unnest(%(ids)s::uuid[], %(chunks)s::uuid[], %(starts)s::int[], %(ends)s::int[], %(entity)s::uuid[], %(alias)s::uuid[],
        %(attribute)s::uuid[], %(relation)s::uuid[], %(extractors)s::text[], %(confidences)s::float8[], %(lives)s::bool[])
        AS given(id, chunk, start, ending, entity, alias, attribute, relation, extractor, confidence, live)
    ON CONFLICT (version_id, start, "end", entity_id, alias_id, attribute_id, relation_id)
    DO UPDATE SET round = excluded.round, confidence = greatest(ontology_evidence.confidence, excluded.confidence)
    RETURNING entity_id, alias_id, attribute_id, relation_id, is_live, xmax = 0 AS is_new
)
SELECT entity_id, alias_id, attribute_id, relation_id, (count(*) FILTER (WHERE is_live))::int FROM written WHERE is_new GROUP BY 1, 2, 3, 4
"""


@dataclass(frozen=True, slots=True)
class Support:
    """One fact (kind and id) at one place."""

    kind: str
    fact: UUID
    place: Place
    extractor: Extractor
    confidence: float


def write_evidence(graph_id: UUID, version: Version, round: int, supports: Iterable[Support]) -> Changes:
    """Store them; gives the live evidence that each fact gained."""
    unique = {(each.kind, each.fact, each.place.start, each.place.end): each for each in supports}
    rows = [unique[key] for key in sorted(unique)]
    if not rows:
        return Changes()
    columns = {kind: [each.fact if each.kind == kind else None for each in rows] for kind in KINDS}
    values: dict[str, Any] = {
        "graph": graph_id,
        "document": version.document_id,
        "version": version.pk,
        "round": round,
        "ids": [uuid7() for _ in rows],
        "chunks": [each.place.chunk for each in rows],
        "starts": [each.place.start for each in rows],
        "ends": [each.place.end for each in rows],
        "extractors": [each.extractor.value for each in rows],
        "confidences": [each.confidence for each in rows],
        "lives": [each.place.is_live for each in rows],
        **columns,
    }
    with connection.cursor() as cursor:
        cursor.execute(INSERT, values)
        return Changes().add_rows(cursor.fetchall())

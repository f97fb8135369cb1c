"""What the graph database is to hold of given rows, by the ledger as it is now: plain values, in a few statements a batch, whatever became of the rows since.

An entity stands for all that were merged into it. It exists while it is not rejected and one of them has live evidence or a person's word. What the skeleton does not
have, does not exist here.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import connection

from ontology.graph.keys import graph_key
from ontology.roots import is_loop_by_merge, roots_of
from ontology.types import CompiledSkeleton

Properties = dict[str, Any]

DOWN = """
WITH RECURSIVE down AS (
    SELECT id AS root, id AS member FROM ontology_entity WHERE id = ANY(%(ids)s) AND graph_id = %(graph)s AND merged_into_id IS NULL
    UNION
    SELECT down.root, merged.id FROM down JOIN ontology_entity AS merged ON merged.merged_into_id = down.member
)
{select}
"""
STANDING = """
SELECT root.id, root.class_name FROM ontology_entity AS root
WHERE root.id = ANY(%(ids)s) AND NOT root.is_rejected AND root.class_name = ANY(%(classes)s) AND EXISTS (
    SELECT 1 FROM down JOIN ontology_entity AS one ON one.id = down.member
    WHERE down.root = root.id AND NOT one.is_rejected AND (one.support > 0 OR one.is_confirmed)
)
"""
NAMES = """
SELECT root.id, root.name, ARRAY(
    SELECT source.kb_id::text FROM ontology_graphsource AS source WHERE source.graph_id = root.graph_id AND EXISTS (
        SELECT 1 FROM down JOIN ontology_evidence AS evidence ON evidence.entity_id = down.member
        JOIN knowledge_document AS document ON document.id = evidence.document_id
        WHERE down.root = root.id AND evidence.is_live AND document.kb_id = source.kb_id
        UNION ALL SELECT 1 FROM down JOIN ontology_entity AS one ON one.id = down.member
        WHERE down.root = root.id AND one.is_confirmed AND source.kb_id = ANY(one.known_in)
    ) ORDER BY 1
) FROM ontology_entity AS root WHERE root.id = ANY(%(standing)s)
"""
# The value shown first: a person's word, an exact one before a bound, what the latest document says, what more places say.
VALUES = """
SELECT DISTINCT ON (down.root, value.name) down.root, value.name, value.value
FROM down JOIN ontology_attributevalue AS value ON value.entity_id = down.member
LEFT JOIN LATERAL (
    SELECT max(document.effective_on) AS effective_on, max(version.created_at) AS read_at
    FROM ontology_evidence AS evidence JOIN knowledge_document AS document ON document.id = evidence.document_id
    JOIN knowledge_version AS version ON version.id = evidence.version_id
    WHERE evidence.attribute_id = value.id AND evidence.is_live
) AS said ON true
WHERE down.root = ANY(%(standing)s) AND NOT value.is_rejected AND (value.support > 0 OR value.is_confirmed)
ORDER BY down.root, value.name, value.is_confirmed DESC, value.comparison <> '', said.effective_on DESC NULLS LAST,
    said.read_at DESC NULLS LAST, value.support DESC, value.id
"""
RELATIONS = """
SELECT relation.id, relation.source_id, relation.type, relation.target_id, relation.attributes, relation.support,
    NOT is_rejected AND (support > 0 OR is_confirmed), relation.projected_source, relation.projected_target, ARRAY(
    SELECT document.kb_id::text FROM ontology_evidence AS evidence
    JOIN knowledge_document AS document ON document.id = evidence.document_id
    WHERE evidence.relation_id = relation.id AND evidence.is_live
    UNION SELECT source.kb_id::text FROM ontology_graphsource AS source
    WHERE source.graph_id = relation.graph_id AND relation.is_confirmed AND source.kb_id = ANY(relation.known_in) ORDER BY 1
) FROM ontology_relation AS relation WHERE relation.id = ANY(%(ids)s) AND relation.graph_id = %(graph)s
"""
CHUNKS = """
SELECT chunk.id, chunk.document_id, chunk.kb_id::text, array_agg(DISTINCT coalesce(evidence.entity_id, alias.entity_id))
FROM knowledge_chunk AS chunk
JOIN ontology_graphsource AS source ON source.kb_id = chunk.kb_id AND source.graph_id = %(graph)s
JOIN ontology_evidence AS evidence ON evidence.version_id = chunk.version_id AND evidence.start >= chunk.start
    AND evidence.start < chunk."end" AND evidence."end" <= chunk."end" AND evidence.is_live AND evidence.graph_id = source.graph_id
LEFT JOIN ontology_alias AS alias ON alias.id = evidence.alias_id AND NOT alias.is_rejected
WHERE chunk.id = ANY(%(ids)s) AND chunk.is_live AND coalesce(evidence.entity_id, alias.entity_id) IS NOT NULL
GROUP BY chunk.id
"""


@dataclass(frozen=True, slots=True)
class EntityNode:
    """An entity as it stands in the graph database."""

    key: str
    class_name: str
    properties: Properties


@dataclass(frozen=True, slots=True)
class RelationEdge:
    """An edge as it stands there, between the keys of its ends."""

    id: UUID
    key: str
    type: str
    source: UUID
    target: UUID
    properties: Properties


@dataclass(frozen=True, slots=True)
class ChunkNode:
    """A chunk that mentions somebody, with the keys of its document and of whom it mentions, in order."""

    key: str
    document: str
    properties: Properties
    document_properties: Properties
    entities: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Relations:
    """The edges that are to be, and between whom edges of these relations may be now (`(None, None)`: nowhere)."""

    edges: dict[UUID, RelationEdge] = field(default_factory=dict)
    projected: dict[UUID, tuple[UUID | None, UUID | None]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Desired:
    """Reads one graph's wanted state."""

    graph_id: UUID
    skeleton: CompiledSkeleton

    def entities(self, ids: Collection[UUID]) -> dict[UUID, EntityNode]:
        """Those of them that are to be nodes; of one that was merged, nothing."""
        standing = self.standing(ids)
        values = {"ids": list(ids), "graph": self.graph_id, "standing": list(standing)}
        attributes: dict[UUID, Properties] = {}
        for root, name, value in rows(DOWN.format(select=VALUES), values) if standing else ():
            if self.skeleton.classes[standing[root]].attribute(name):
                attributes.setdefault(root, {})[name] = plain(loaded(value))
        found = rows(DOWN.format(select=NAMES), values) if standing else ()
        return {id: self._node(id, standing[id], name, kbs, attributes.get(id, {})) for id, name, kbs in found}

    def standing(self, ids: Collection[UUID]) -> dict[UUID, str]:
        """The classes of those that are roots and exist."""
        if not ids:
            return {}
        values = {"ids": list(ids), "graph": self.graph_id, "classes": list(self.skeleton.classes)}
        return dict(rows(DOWN.format(select=STANDING), values))

    def relations(self, ids: Collection[UUID]) -> Relations:
        """Edges between roots that exist; a loop that a merge made is none."""
        found = Relations()
        if not ids:
            return found
        read = rows(RELATIONS, {"ids": list(ids), "graph": self.graph_id})
        roots = roots_of({end for row in read for end in (row[1], row[3])})
        standing = self.standing(set(roots.values()))
        for id, source, type, target, attributes, support, stands, old_source, old_target, kbs in read:
            found.projected[id] = (old_source, old_target)
            a, b = roots.get(source), roots.get(target)
            is_seen = stands and not is_loop_by_merge(source, target, roots)
            if is_seen and a in standing and b in standing and type in self.skeleton.relations:
                said = {name: plain(value) for name, value in loaded(attributes).items()}
                properties = {**said, "key": self._key(id), "evidence": support, "kbs": kbs}
                found.edges[id] = RelationEdge(id, self._key(id), type, a, b, properties)
        return found

    def chunks(self, ids: Collection[UUID]) -> dict[UUID, ChunkNode]:
        """Those that can be found and mention somebody who exists."""
        if not ids:
            return {}
        read = rows(CHUNKS, {"ids": list(ids), "graph": self.graph_id})
        roots = roots_of({entity for row in read for entity in row[3]})
        standing = self.standing(set(roots.values()))
        found = {}
        for id, document, kb, entities in read:
            if mentioned := sorted({roots[one] for one in entities if roots.get(one) in standing}):
                keys = tuple(self._key(one) for one in mentioned)
                key, document_key = self._key(id), self._key(document)
                properties, of_document = {"key": key, "kb": kb}, {"key": document_key, "kb": kb}
                found[id] = ChunkNode(key, document_key, properties, of_document, keys)
        return found

    def _node(self, id: UUID, class_name: str, name: str, kbs: list[str], attributes: Properties) -> EntityNode:
        key = self._key(id)
        return EntityNode(key, class_name, {**attributes, "key": key, "name": name, "kbs": kbs})

    def _key(self, id: UUID) -> str:
        return graph_key(self.graph_id, id)


def plain(value: Any) -> str | int | float | bool:
    """A property of the graph database: the value alone where it comes with its unit and wording; anything that is no single value as JSON."""
    if isinstance(value, Mapping) and "value" in value:
        value = value["value"]
    return value if isinstance(value, (str, int, float, bool)) else json.dumps(value, ensure_ascii=False)


def loaded(column: str) -> Any:
    """A JSON column, which Django's cursors give as text."""
    return json.loads(column)


def rows(statement: str, values: Mapping[str, Any]) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        found: list[Any] = cursor.fetchall()
        return found

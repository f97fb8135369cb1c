"""Make the graph database equal to a wanted state of given rows. Everything may be done again: what stands there already stays.

Edges of relations are looked for between ends that the ledger remembers, so the ledger is told of new ends after the old edge is gone and before the new one is
made: wherever this is killed, an edge is nowhere but between the ends that the ledger names.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection, transaction

from ontology.graph import cypher
from ontology.graph.database import GraphDatabaseClient, Statement
from ontology.graph.desired import ChunkNode, Desired, EntityNode, RelationEdge
from ontology.graph.keys import graph_key
from ontology.types import CompiledSkeleton

HOLD = "SELECT id FROM ontology_relation WHERE id = ANY(%(ids)s) ORDER BY id FOR NO KEY UPDATE"
REMEMBER = """
UPDATE ontology_relation AS relation SET projected_source = given.source, projected_target = given.target
FROM unnest(%(ids)s::uuid[], %(sources)s::uuid[], %(targets)s::uuid[]) AS given(id, source, target)
WHERE relation.id = given.id RETURNING relation.id
"""


class Ends(NamedTuple):
    """Between whom an edge is, or may be."""

    source: UUID
    target: UUID


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes one graph."""

    graph_id: UUID
    skeleton: CompiledSkeleton
    database: GraphDatabaseClient

    @property
    def desired(self) -> Desired:
        return Desired(self.graph_id, self.skeleton)

    def labels_of(self, ids: Collection[UUID]) -> dict[UUID, set[str]]:
        """The labels of those that are nodes now."""
        by_key = {self._key(id): id for id in ids}
        found = self.database.rows(cypher.FIND_ENTITIES, keys=list(by_key)) if by_key else []
        return {by_key[row["key"]]: set(row["labels"]) for row in found}

    def write_entities(self, wanted: Mapping[UUID, EntityNode], labels: Mapping[UUID, set[str]]) -> None:
        """`labels` are those of all nodes in question. A node whose class is another now is made anew."""
        stale = [self._key(id) for id, has in labels.items() if has != labels_for(wanted.get(id))]
        there = {self._key(id) for id in labels}.difference(stale)
        statements: list[Statement] = [(cypher.DELETE_ENTITIES, {"keys": stale})] if stale else []
        self.database.write(statements + entity_statements(wanted.values(), there, self.skeleton))

    def write_relations(self, ids: Collection[UUID], remembered: Iterable[tuple[UUID, Ends]] = ()) -> None:
        """`remembered`: further ends between which edges of these relations may be, as the outbox kept them of rows that may be gone."""
        found = self.desired.relations(ids)
        old = {(id, Ends(source, target)) for id, (source, target) in found.projected.items() if source and target}
        old.update(remembered)
        new = {id: Ends(edge.source, edge.target) for id, edge in found.edges.items()}
        self.delete_edges((id, ends) for id, ends in sorted(old) if new.get(id) != ends)
        moved = {id: new.get(id) for id, ends in found.projected.items() if (new.get(id) or (None, None)) != ends}
        lost = moved.keys() - remember(moved)
        edges = [edge for id, edge in found.edges.items() if id not in lost]
        self.database.write(edge_statements(edges, found.edges.keys() - moved, self.graph_id, self.skeleton))

    def write_chunks(self, ids: Collection[UUID]) -> None:
        """Chunks with their documents and mentions; a document without chunks goes."""
        wanted = self.desired.chunks(ids)
        gone = [self._key(id) for id in ids if id not in wanted]
        self.delete_chunks(gone)
        self.database.write(chunk_statements(list(wanted.values())))

    def delete_chunks(self, keys: list[str]) -> None:
        """With documents that have no others."""
        if not keys:
            return
        documents = [row["key"] for row in self.database.rows(cypher.DOCUMENTS_OF_CHUNKS, keys=keys)]
        self.database.write(
            [
                (cypher.DELETE_CHUNKS, {"keys": keys}),
                (cypher.DELETE_EMPTY_DOCUMENTS, {"keys": documents}),
            ]
        )

    def delete_edges(self, edges: Iterable[tuple[UUID, Ends]]) -> None:
        """Every edge of these relations between these ends."""
        rows = places((self._key(id), self._key(ends.source), self._key(ends.target)) for id, ends in edges)
        self.database.write([(cypher.DELETE_RELATIONS, {"rows": rows})] if rows else [])

    def _key(self, id: UUID) -> str:
        return graph_key(self.graph_id, id)


def entity_statements(
    nodes: Iterable[EntityNode], there: Collection[str], skeleton: CompiledSkeleton
) -> list[Statement]:
    """What there is to write of these; `there` are the keys of those that stand in the graph already, under their labels."""
    changed: list[dict[str, Any]] = []
    made: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for node in nodes:
        rows = changed if node.key in there else made[node.class_name]
        rows.append({"key": node.key, "properties": node.properties})
    statements: list[Statement] = [(cypher.CHANGE_ENTITIES, {"rows": changed})] if changed else []
    for name, rows in sorted(made.items()):
        statements.append((cypher.of_class(cypher.MAKE_ENTITIES, name, skeleton), {"rows": rows}))
    return statements


def edge_statements(
    edges: Iterable[RelationEdge], there: Collection[UUID], graph_id: UUID, skeleton: CompiledSkeleton
) -> list[Statement]:
    """What there is to write of these; `there` are those that may stand between their ends already. They are changed, then all that are missing are made."""
    by_type: dict[str, dict[UUID, list[RelationEdge]]] = defaultdict(lambda: defaultdict(list))
    for edge in edges:
        by_type[edge.type][edge.source].append(edge)
    statements: list[Statement] = []
    for type, by_source in sorted(by_type.items()):
        changed, made = [], []
        for source, some in by_source.items():
            row = {"source": graph_key(graph_id, source)}
            ends = [
                {"key": each.key, "target": graph_key(graph_id, each.target), "properties": each.properties}
                for each in some
            ]
            made.append(row | {"edges": ends, "keys": {each.key: True for each in some}})
            if old := {each.key: each.properties for each in some if each.id in there}:
                changed.append(row | {"properties": old})
        if changed:
            statements.append((cypher.of_type(cypher.CHANGE_RELATIONS, type, skeleton), {"rows": changed}))
        statements.append((cypher.of_type(cypher.MAKE_RELATIONS, type, skeleton), {"rows": made}))
    return statements


def places(edges: Iterable[tuple[str, str, str]]) -> list[dict[str, Any]]:
    """Edges by key, source and target, as rows of what is read or deleted."""
    by_source: dict[str, dict[str, bool]] = defaultdict(dict)
    for key, source, target in edges:
        by_source[source][f"{key} {target}"] = True
    return [{"source": source, "edges": some} for source, some in by_source.items()]


def labels_for(node: EntityNode | None) -> set[str] | None:
    """The labels that it has to have; None when there is to be no node."""
    return {"Entity", node.class_name} if node else None


def remember(moved: Mapping[UUID, Ends | None]) -> set[UUID]:
    """Store where edges are about to be; gives the relations that are still there to hold it."""
    if not moved:
        return set()
    ids = sorted(moved)
    pairs = [moved[id] or (None, None) for id in ids]
    values: dict[str, Any] = {
        "ids": ids,
        "sources": [pair[0] for pair in pairs],
        "targets": [pair[1] for pair in pairs],
    }
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(HOLD, values)
        cursor.execute(REMEMBER, values)
        return {row[0] for row in cursor.fetchall()}


def chunk_statements(chunks: Collection[ChunkNode]) -> list[Statement]:
    """All there is to write of these chunks."""
    if not chunks:
        return []
    documents = {chunk.document: chunk.document_properties for chunk in chunks}
    nodes = [{"key": chunk.key, "properties": chunk.properties} for chunk in chunks]
    mentions = [{"key": chunk.key, "entities": list(chunk.entities)} for chunk in chunks]
    return [
        (
            cypher.WRITE_DOCUMENTS,
            {"rows": [{"key": key, "properties": said} for key, said in sorted(documents.items())]},
        ),
        (cypher.WRITE_CHUNKS, {"rows": nodes}),
        (cypher.WRITE_PLACES, {"rows": [{"key": chunk.key, "document": chunk.document} for chunk in chunks]}),
        (cypher.DELETE_MENTIONS, {"rows": mentions}),
        (cypher.WRITE_MENTIONS, {"rows": mentions}),
    ]

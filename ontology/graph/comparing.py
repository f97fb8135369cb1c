"""Where the graph database differs from the ledger, in both directions and in flat memory.

From the ledger to the graph: each row is looked up with its labels, properties and edges. From the graph to the ledger: each node and edge has to be one that the ledger
wants. Given ids or a stream, gives differences; changes nothing.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, NamedTuple, TypeVar
from uuid import UUID

from django.db.models import QuerySet

from knowledge.models import Chunk, Document
from ontology.graph import cypher
from ontology.graph.database import GraphDatabaseClient, Row
from ontology.graph.desired import ChunkNode, Desired, Properties
from ontology.graph.keys import graph_key, row_of
from ontology.graph.writing import labels_for, places
from ontology.models import ChangeKind, Entity, Relation

Item = TypeVar("Item")
BATCH = 1000


class Difference(NamedTuple):
    """A row of the ledger that the graph does not show, or not as it is."""

    kind: ChangeKind
    id: UUID
    what: Literal["missing", "wrong"]


class Stray(NamedTuple):
    """A node or edge that no row of the ledger stands for. `label` is that of the node, or of the node that the edge leaves; `source` that one's key, None for a node."""

    label: str
    id: str
    source: str | None
    words: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Of one graph."""

    desired: Desired
    database: GraphDatabaseClient

    @property
    def graph_id(self) -> UUID:
        return self.desired.graph_id

    def from_ledger(self) -> Iterator[Difference]:
        """What the ledger has and the graph lacks, or has otherwise."""
        for kind, rows in self.rows().items():
            for ids in batches(rows.order_by("pk").values_list("pk", flat=True).iterator(chunk_size=BATCH)):
                yield from self.among(kind, ids)

    def rows(self) -> dict[ChangeKind, QuerySet[Any]]:
        """All that may stand in the graph."""
        chunks = Chunk.objects.filter(is_live=True, kb__graph_source__graph=self.graph_id)
        return {
            ChangeKind.ENTITY: Entity.objects.filter(graph=self.graph_id),
            ChangeKind.RELATION: Relation.objects.filter(graph=self.graph_id),
            ChangeKind.CHUNK: chunks,
        }

    def among(self, kind: ChangeKind, ids: Collection[UUID]) -> Iterator[Difference]:
        """Differences of these rows, which need not be there any more."""
        look = {ChangeKind.ENTITY: self._entities, ChangeKind.RELATION: self._relations, ChangeKind.CHUNK: self._chunks}
        return look[kind](ids)

    def _entities(self, ids: Collection[UUID]) -> Iterator[Difference]:
        wanted = self.desired.entities(ids)
        held = self._by_key(cypher.READ_ENTITIES, ids)
        for id, node in wanted.items():
            row = held.get(node.key)
            if row is None or (set(row["labels"]), row["properties"]) != (labels_for(node), node.properties):
                yield difference(ChangeKind.ENTITY, id, row is not None)

    def _relations(self, ids: Collection[UUID]) -> Iterator[Difference]:
        found = self.desired.relations(ids)
        rows = places((edge.key, self._key(edge.source), self._key(edge.target)) for edge in found.edges.values())
        held: dict[str, list[Row]] = {}
        for row in self.database.rows(cypher.READ_RELATIONS, rows=rows) if rows else []:
            held.setdefault(row["key"], []).append(row)
        for id, edge in found.edges.items():
            there = held.get(edge.key, [])
            if [(row["type"], row["properties"]) for row in there] != [(edge.type, edge.properties)]:
                yield difference(ChangeKind.RELATION, id, bool(there))

    def _chunks(self, ids: Collection[UUID]) -> Iterator[Difference]:
        wanted = self.desired.chunks(ids)
        held = self._by_key(cypher.READ_CHUNKS, ids)
        documents = {node.document: node.document_properties for node in wanted.values()}
        read = self.database.rows(cypher.READ_DOCUMENTS, keys=list(documents)) if documents else []
        right = {row["key"] for row in read if is_as(row, ["Document"], documents[row["key"]])}
        for id, node in wanted.items():
            row = held.get(node.key)
            if row is None or node.document not in right or not is_chunk(row, node):
                yield difference(ChangeKind.CHUNK, id, row is not None)

    def _by_key(self, statement: str, ids: Collection[UUID]) -> dict[str, Row]:
        keys = [self._key(id) for id in ids]
        return {row["key"]: row for row in self.database.rows(statement, keys=keys)} if keys else {}

    def _key(self, id: UUID) -> str:
        return graph_key(self.graph_id, id)

    # from the graph to the ledger

    def strays(self) -> Iterator[Stray]:
        """Nodes and edges of this graph that the ledger does not know of; a wrong edge of a known chunk is found from the ledger's side."""
        for label in cypher.OWN_LABELS:
            for rows in batches(self.database.stream(cypher.ALL_NODES[label])):
                yield from self.stray_nodes(label, [row for row in rows if self._is_ours(row["key"])])
        for row in self.database.stream(cypher.EMPTY_DOCUMENTS):
            if self._is_ours(row["key"]):
                yield Stray("Document", row["id"], None, f"(Document {row['key']}) without chunks")
        for label in cypher.OWN_LABELS:
            for rows in batches(self.database.stream(cypher.ALL_EDGES[label])):
                yield from self.stray_edges(label, [row for row in rows if self._is_ours(row["source"])])

    def _is_ours(self, key: object) -> bool:
        return isinstance(key, str) and key.startswith(f"{self.graph_id}:")

    def stray_nodes(self, label: str, rows: Sequence[Row]) -> Iterator[Stray]:
        ids = {row["id"]: row_of(self.graph_id, row["key"]) for row in rows}
        known = self._known(label, [id for id in ids.values() if id])
        for row in rows:
            if ids[row["id"]] not in known:
                yield Stray(label, row["id"], None, f"({label} {row['key']})")

    def _known(self, label: str, ids: Collection[UUID]) -> set[UUID]:
        if label == "Entity":
            return set(self.desired.entities(ids))
        if label == "Chunk":
            return set(self.desired.chunks(ids))
        here = Document.objects.filter(pk__in=ids, kb__graph_source__graph=self.graph_id)
        return set(here.values_list("pk", flat=True))

    def stray_edges(self, label: str, rows: Sequence[Row]) -> Iterator[Stray]:
        if label == "Entity":
            yield from self._stray_relations(rows)
            return
        # Mentions and places of chunks are compared chunk by chunk; here is what leads elsewhere.
        type, target = {"Chunk": ("MENTIONS", "Entity"), "Document": ("HAS_CHUNK", "Chunk")}[label]
        for row in rows:
            if row["type"] != type or target not in row["labels"]:
                yield stray_edge(label, row)

    def _stray_relations(self, rows: Sequence[Row]) -> Iterator[Stray]:
        ids = {row["id"]: row_of(self.graph_id, row["key"]) for row in rows}
        edges = self.desired.relations({id for id in ids.values() if id}).edges
        for row in rows:
            edge = edges.get(ids[row["id"]])  # type: ignore[arg-type]
            place = (row["type"], row["source"], row["target"])
            if edge is None or place != (edge.type, self._key(edge.source), self._key(edge.target)):
                yield stray_edge("Entity", row)


def nobodys(database: GraphDatabaseClient, graph_ids: Collection[UUID]) -> Iterator[Stray]:
    """Nodes under our labels that belong to none of these graphs."""
    prefixes = tuple(f"{id}:" for id in graph_ids)
    for label in cypher.OWN_LABELS:
        for row in database.stream(cypher.ALL_NODES[label]):
            if not (isinstance(row["key"], str) and row["key"].startswith(prefixes)):
                yield Stray(label, row["id"], None, f"({label} {row['key']})")


def stray_edge(label: str, row: Row) -> Stray:
    return Stray(label, row["id"], row["source"], f"({row['source']})-[{row['type']} {row['key']}]->({row['target']})")


def is_as(row: Row, labels: list[str], properties: Properties) -> bool:
    return bool(row["labels"] == labels and row["properties"] == properties)


def is_chunk(row: Row, node: ChunkNode) -> bool:
    """With exactly the edges that it is to have, each once."""
    mentions = sorted(f"MENTIONS {key}" for key in node.entities)
    edges = (sorted(row["outgoing"]), row["incoming"])
    return is_as(row, ["Chunk"], node.properties) and edges == (mentions, [f"HAS_CHUNK {node.document}"])


def difference(kind: ChangeKind, id: UUID, is_held: bool) -> Difference:
    return Difference(kind, id, "wrong" if is_held else "missing")


def batches(items: Iterable[Item], size: int = BATCH) -> Iterator[list[Item]]:
    """In lists of this length."""
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch

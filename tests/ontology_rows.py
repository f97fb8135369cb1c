"""Rows of the ledger for tests of the graph, written directly; and what the graph database is to hold of them, worked out the plain way."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any
from uuid import UUID, uuid4

from knowledge.models import Chunk, Document, KnowledgeBase, Original, Section, Version
from ontology import outbox
from ontology.graph.database import GraphDatabaseClient
from ontology.graph.projector import Projector
from ontology.models import Alias, AttributeValue, Entity, Evidence, Graph, GraphSource, Relation
from ontology.types import AttributeType, CompiledSkeleton, EntityClass, RelationType, ValueType
from tests.factories import make_kb

NUMBERS = count()
ANY = ("System", "Person", "系统")
SKELETON = CompiledSkeleton(
    classes={
        "System": EntityClass("System", attributes=(AttributeType("port", ValueType.INTEGER),)),
        "Person": EntityClass("Person", attributes=(AttributeType("grade"),)),
        "系统": EntityClass("系统"),
    },
    relations={"calls": RelationType("calls", ANY, ANY), "批准": RelationType("批准", ANY, ANY)},
    fingerprint="test",
)


@dataclass
class World:
    """One graph, the knowledge bases that feed it, and the way to make and change what is in it, as the writers do: each tells the outbox."""

    graph: Graph
    database: GraphDatabaseClient
    skeleton: CompiledSkeleton = SKELETON
    kbs: list[KnowledgeBase] = field(default_factory=list)
    places: dict[UUID, int] = field(default_factory=dict)

    @property
    def projector(self) -> Projector:
        return Projector(self.graph.pk, self.skeleton, self.database)

    def project(self) -> None:
        assert self.projector.project()

    def document(self, *, chunks: int = 2, kb: KnowledgeBase | None = None) -> list[Chunk]:
        """A live document of chunks of a hundred characters that overlap by twenty."""
        number = next(NUMBERS)
        kb = kb or self.kbs[0]
        document = Document.objects.create(kb=kb, path=f"{number}.md")
        original = Original.objects.create(
            document=document, sha256=f"{number:064d}", size_bytes=1, name="x", key=f"{kb.slug}/{number}"
        )
        text = "".join(chr(97 + place % 26) for place in range(80 * chunks + 20))
        version = Version.objects.create(
            document=document, number=1, original=original, text=text, length=len(text), chunk_count=chunks
        )
        section = Section.objects.create(version=version, ordinal=0, level=0, start=0, end=len(text))
        Document.objects.filter(pk=document.pk).update(live_version=version)
        return Chunk.objects.bulk_create(
            Chunk(
                kb=kb,
                document=document,
                version=version,
                section=section,
                ordinal=ordinal,
                kind="text",
                start=80 * ordinal,
                end=80 * ordinal + 100,
                text=text[80 * ordinal : 80 * ordinal + 100],
                tokens=20,
                content_hash=uuid4(),
                is_live=True,
            )
            for ordinal in range(chunks)
        )

    def entity(self, name: str, class_name: str = "System", **fields: Any) -> Entity:
        entity = Entity.objects.create(
            graph=self.graph, class_name=class_name, name=name, normal_name=f"{name} {next(NUMBERS)}", **fields
        )
        outbox.entities_changed([entity.pk])
        return entity

    def says(self, chunk: Chunk, fact: Entity | Relation | AttributeValue | Alias) -> Evidence:
        """The chunk supports it, in a place of its own inside the part that no other chunk holds."""
        place = self.places.get(chunk.pk, 0)
        self.places[chunk.pk] = place + 1
        kind = {Entity: "entity", Relation: "relation", AttributeValue: "attribute", Alias: "alias"}[type(fact)]
        evidence = Evidence.objects.create(
            graph=self.graph,
            document_id=chunk.document_id,
            version_id=chunk.version_id,
            chunk=chunk,
            start=chunk.start + 20 + place % 50,
            end=chunk.start + 21 + place % 50 + place // 50,
            extractor="pattern",
            is_live=chunk.is_live,
            **{kind: fact},
        )
        self.count(fact)
        outbox.chunks_changed([chunk.pk])
        return evidence

    def count(self, fact: Any) -> None:
        """Support as its live evidence gives it."""
        fact.support = fact.evidence.filter(is_live=True).count()
        fact.save(update_fields=["support"])
        self.tell(fact)

    def tell(self, fact: Any) -> None:
        if isinstance(fact, Relation):
            outbox.relations_changed([fact.pk])
        else:
            outbox.entities_changed([fact.pk if isinstance(fact, Entity) else fact.entity_id])

    def mentioned(self, name: str, chunk: Chunk, class_name: str = "System", **fields: Any) -> Entity:
        entity = self.entity(name, class_name, **fields)
        self.says(chunk, entity)
        return entity

    def relation(
        self, source: Entity, type: str, target: Entity, chunk: Chunk | None = None, **fields: Any
    ) -> Relation:
        relation = Relation.objects.create(graph=self.graph, source=source, type=type, target=target, **fields)
        outbox.relations_changed([relation.pk])
        if chunk:
            self.says(chunk, relation)
        return relation

    def value(self, entity: Entity, name: str, value: Any, chunk: Chunk) -> AttributeValue:
        made = AttributeValue.objects.create(
            entity=entity, name=name, value=value, text=str(value), value_key=str(value)[:64]
        )
        self.says(chunk, made)
        return made

    def switch(self, chunks: Iterable[Chunk], *, on: bool) -> None:
        """Chunks that readers find, or don't any more, with all that stands in them."""
        for chunk in chunks:
            chunk.is_live = on
            chunk.save(update_fields=["is_live"])
            for evidence in Evidence.objects.filter(chunk=chunk):
                Evidence.objects.filter(pk=evidence.pk).update(is_live=on)
                self.count(evidence.entity or evidence.relation or evidence.attribute or evidence.alias)
        outbox.chunks_changed([chunk.pk for chunk in chunks])

    def merge(self, one: Entity, into: Entity) -> None:
        one.merged_into = into
        one.save(update_fields=["merged_into"])
        outbox.entities_changed([one.pk, into.pk])

    def unmerge(self, one: Entity) -> None:
        before = one.merged_into
        one.merged_into = None
        one.save(update_fields=["merged_into"])
        outbox.entities_changed([one.pk, before.pk])

    def remove(self, fact: Relation | AttributeValue | Entity) -> None:
        """For good, with its evidence."""
        chunks = list(
            Evidence.objects.filter(
                **{fact._meta.model_name: fact} if not isinstance(fact, AttributeValue) else {"attribute": fact}
            ).values_list("chunk_id", flat=True)
        )
        self.tell(fact)
        outbox.chunks_changed(chunks)
        fact.delete()

    # what is there, and what is to be there

    def key(self, row: Any) -> str:
        return f"{self.graph.pk}:{row.pk}"

    def held(self) -> "Picture":
        """What the graph database has of this graph."""
        prefix = f"{self.graph.pk}:"
        nodes = self.database.rows(
            "MATCH (n) WHERE n.key STARTS WITH $prefix RETURN n.key AS key, labels(n) AS labels, properties(n) AS properties",
            prefix=prefix,
        )
        edges = self.database.rows(
            "MATCH (a)-[r]->(b) WHERE a.key STARTS WITH $prefix RETURN a.key AS source, type(r) AS type, b.key AS target, properties(r) AS properties",
            prefix=prefix,
        )
        return Picture(
            {row["key"]: (frozenset(row["labels"]), row["properties"]) for row in nodes},
            sorted((row["source"], row["type"], row["target"], sorted(row["properties"].items())) for row in edges),
        )

    def wanted(self) -> "Picture":
        """What it is to have, by loops over rows."""
        found = Picture({}, [])
        entities = {entity.pk: entity for entity in Entity.objects.filter(graph=self.graph)}
        groups: dict[UUID, list[Entity]] = {}
        for entity in entities.values():
            groups.setdefault(self.root(entity, entities).pk, []).append(entity)
        there = {
            pk
            for pk, group in groups.items()
            if not entities[pk].is_rejected
            and any((one.support or one.is_confirmed) and not one.is_rejected for one in group)
            and entities[pk].class_name in self.skeleton.classes
        }
        live = list(Evidence.objects.filter(graph=self.graph, is_live=True).select_related("document", "chunk"))
        for pk in there:
            ids = {one.pk for one in groups[pk]}
            declared = self.skeleton.classes[entities[pk].class_name]
            kbs = sorted({str(one.document.kb_id) for one in live if one.entity_id in ids})
            values = {
                value.name: value.value
                for value in AttributeValue.objects.filter(entity__in=ids, is_rejected=False).order_by(
                    "is_confirmed", "support"
                )
                if (value.support or value.is_confirmed) and declared.attribute(value.name)
            }
            root = entities[pk]
            said = {**values, "key": self.key(root), "name": root.name, "kbs": kbs}
            found.nodes[self.key(root)] = (frozenset({"Entity", root.class_name}), said)
        self._wanted_chunks(found, live, entities, there)
        self._wanted_edges(found, live, entities, there)
        found.edges.sort()
        return found

    def _wanted_chunks(
        self, found: "Picture", live: Sequence[Evidence], entities: dict[UUID, Entity], there: set[UUID]
    ) -> None:
        mentions = set()
        for one in live:
            if (
                one.entity_id
                and one.chunk.is_live
                and (root := self.root(entities[one.entity_id], entities)).pk in there
            ):
                mentions.add((one.chunk, root))
        for chunk in {chunk for chunk, _root in mentions}:
            document = f"{self.graph.pk}:{chunk.document_id}"
            kb = str(chunk.kb_id)
            found.nodes[document] = (frozenset({"Document"}), {"key": document, "kb": kb})
            found.nodes[self.key(chunk)] = (frozenset({"Chunk"}), {"key": self.key(chunk), "kb": kb})
            found.edges.append((document, "HAS_CHUNK", self.key(chunk), []))
        found.edges += [(self.key(chunk), "MENTIONS", self.key(root), []) for chunk, root in mentions]

    def _wanted_edges(
        self, found: "Picture", live: Sequence[Evidence], entities: dict[UUID, Entity], there: set[UUID]
    ) -> None:
        for relation in Relation.objects.filter(graph=self.graph, is_rejected=False):
            source = self.root(entities[relation.source_id], entities)
            target = self.root(entities[relation.target_id], entities)
            if (
                not (relation.support or relation.is_confirmed)
                or source == target
                or not {source.pk, target.pk} <= there
            ):
                continue
            said = {name: value["value"] for name, value in relation.attributes.items()}
            kbs = sorted({str(one.document.kb_id) for one in live if one.relation_id == relation.pk})
            said |= {"key": self.key(relation), "evidence": relation.support, "kbs": kbs}
            found.edges.append((self.key(source), relation.type, self.key(target), sorted(said.items())))

    def root(self, entity: Entity, entities: dict[UUID, Entity]) -> Entity:
        while entity.merged_into_id:
            entity = entities[entity.merged_into_id]
        return entity


@dataclass
class Picture:
    """Nodes by key with labels and properties, and edges in order."""

    nodes: dict[str, tuple[frozenset[str], dict[str, Any]]]
    edges: list[tuple[str, str, str, list[tuple[str, Any]]]]


def make_world(database: GraphDatabaseClient, *, kbs: int = 1) -> World:
    graph = Graph.objects.create(name="Test")
    world = World(graph, database)
    for _ in range(kbs):
        kb = make_kb(f"kb-{next(NUMBERS)}")
        GraphSource.objects.create(kb=kb, graph=graph)
        world.kbs.append(kb)
    return world

"""T03: after a random storm of inserts, deletes, merges and re-reads, relations in the graph database = relations in the ledger = fact vectors."""

import random
from hashlib import sha256
from uuid import UUID

import pytest

from accounts.types import Subject
from knowledge.ingest import ingest
from knowledge.models import Chunk, Document, Version
from knowledge.purge import purge
from knowledge.services.bin import document_bin, document_restore
from knowledge.services.chunks import chunk_switch
from knowledge.services.purging import purge_start
from knowledge.services.reading import documents_reread
from ontology.fact_vectors.tend import fact_vectors_tend
from ontology.graph.projector import Projector
from ontology.graphs import skeleton_of
from ontology.models import Entity, FactVector, Graph, Relation
from ontology.selectors.facts import facts
from ontology.services.identity import entities_merge, entity_confirm, entity_reject, entity_rename, entity_unmerge
from ontology.tend_graphs import tend_graphs
from tests.db.ontology import conftest as reading

pytestmark = [pytest.mark.engine, pytest.mark.django_db]

department, kb, editor, send, read = reading.department, reading.kb, reading.editor, reading.send, reading.read
tools, graph = reading.tools, reading.graph

NAMES = [f"{first} {second}" for first in ("Mail", "Post", "Auth") for second in ("Gateway", "Server")]
CHINESE = ["“邮件系统”", "“认证系统”"]
PATHS = ("a.md", "b.md", "c.md", "d.md")
EDGES = "MATCH (a:Entity)-[r]->(b:Entity) WHERE a.key STARTS WITH $prefix RETURN r.key AS key, a.name AS source, type(r) AS type, b.name AS target"


def text(chance):
    """Up to five passages, each a chunk of its own, that say who calls whom."""
    said = [chance.sample([*NAMES, *CHINESE], 2) for _ in range(chance.randrange(6))]
    return "# Note\n\n" + "\n\n".join(
        f"## Part {n}\n\nThe {one} calls {other}. " + f"Nothing else is said at some length, in part {n}. " * 12
        for n, (one, other) in enumerate(said)
    )


class Storm:
    """What people and workers do to one graph, in an order that a number gives."""

    def __init__(self, seed, read, kb, editor, tools, graph, database):
        self.chance = random.Random(seed)
        self.read, self.kb, self.editor, self.tools = read, kb, editor, tools
        self.graph, self.database = graph, database

    def step(self):
        of_documents = [self.write, self.write, self.bin, self.restore, self.delete, self.switch, self.reread]
        of_entities = [self.merge, self.merge, self.unmerge, self.judge, self.rename]
        self.chance.choice(of_documents + of_entities)()

    def documents(self, state):
        return [one for one in Document.objects.filter(state=state).order_by("path") if self.chance.random() < 0.6]

    def write(self):
        path = self.chance.choice(PATHS)
        if not Document.objects.filter(path=path).exclude(state="live").exists():
            self.read(path, text(self.chance))

    def bin(self):
        for document in self.documents("live"):
            document_bin(subject=self.editor, document=document, tools=self.tools)

    def restore(self):
        for document in self.documents("binned"):
            document_restore(subject=self.editor, document=document, tools=self.tools)

    def delete(self):
        for document in self.documents("binned"):
            purge_start(subject=self.editor, kb=self.kb, documents=[document])
            purge(Document.objects.get(pk=document.pk), self.tools)

    def switch(self):
        if chunks := list(Chunk.objects.filter(document__state="live").order_by("document__path", "ordinal", "pk")):
            chunk = self.chance.choice(chunks)
            chunk_switch(subject=self.editor, chunk=chunk, is_disabled=not chunk.is_disabled, tools=self.tools)

    def reread(self):
        documents_reread(subject=self.editor, kb=self.kb, force=True, enqueue=False)
        for version in Version.objects.filter(published_at=None, document__state="live").select_related("document__kb"):
            ingest(version, self.tools)

    def roots(self):
        return list(Entity.objects.filter(class_name="System", merged_into=None, is_rejected=False).order_by("name"))

    def merge(self):
        if len(roots := self.roots()) > 1:
            into, other = self.chance.sample(roots, 2)
            entities_merge(subject=self.editor, into_id=into.pk, others=[other.pk])

    def unmerge(self):
        if merged := list(Entity.objects.exclude(merged_into=None).order_by("name")):
            entity_unmerge(subject=self.editor, entity_id=self.chance.choice(merged).pk)

    def judge(self):
        if roots := self.roots():
            act = entity_reject if self.chance.random() < 0.2 else entity_confirm
            act(subject=self.editor, entity_id=self.chance.choice(roots).pk)

    def rename(self):
        if roots := self.roots():
            one = self.chance.choice(roots)
            if not Entity.objects.filter(name=f"{one.name} II").exists():
                entity_rename(subject=self.editor, entity_id=one.pk, name=f"{one.name} II")

    def project(self, batch=1000):
        graph = Graph.objects.get(pk=self.graph.pk)
        Projector(graph.pk, skeleton_of(graph), self.database, batch=batch).project()

    def rest(self):
        while tend_graphs(self.tools):
            pass
        self.project()


@pytest.mark.parametrize("seed", [0])
def test_after_a_storm_relations_of_the_graph_of_the_ledger_and_fact_vectors_are_the_same(
    seed, read, kb, editor, tools, graph, clean
):
    storm = Storm(seed, read, kb, editor, tools, graph, clean)
    most = 0
    for round in range(4):
        for number in range(12):
            storm.step()
            if number % 5 == 0:
                storm.project(batch=3)
                fact_vectors_tend(Graph.objects.get(pk=graph.pk), tools.embedder)
        storm.rest()

        rows = list(facts(Subject.system(), graph.pk))
        in_ledger = sorted((f"{graph.pk}:{row['id']}", row["source"], row["relation"], row["target"]) for row in rows)
        in_graph = clean.rows(EDGES, prefix=f"{graph.pk}:")
        in_graph = sorted((row["key"], row["source"], row["type"], row["target"]) for row in in_graph)
        assert in_graph == in_ledger, f"round {round}"

        said = {row["id"]: sentence(row) for row in rows}
        kept = Relation.objects.exclude(sentence_hash=None).values_list("pk", "sentence_hash")
        assert {str(pk): hash for pk, hash in kept} == {id: hash_of(text) for id, text in said.items()}
        vectors = sorted(FactVector.objects.values_list("content_hash", flat=True))
        assert vectors == sorted({hash_of(text) for text in said.values()})
        most = max(most, len(vectors))
    assert most > 2


def sentence(row):
    """As a reader would say it."""
    is_chinese = any("一" <= letter <= "龥" for letter in row["source"] + row["target"])
    return f"{row['source']} {'调用' if is_chinese else 'calls'} {row['target']}"


def hash_of(sentence):
    return UUID(bytes=sha256(sentence.encode()).digest()[:16])

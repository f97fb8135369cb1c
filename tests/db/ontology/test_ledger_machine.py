"""The rules of the ledger hold under any sequence of what people and workers do, told by a model that knows texts and passages only.

The model reads the live passages with one regular expression and follows merges in a dictionary; it knows nothing of evidence, support or gazetteers.
"""

import re
from collections import Counter
from hashlib import sha256
from uuid import UUID

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from accounts.models import Department, User
from accounts.subjects import subject_of_user
from common.storage import FolderStorage
from inference.hash_embedder import HashEmbedder
from knowledge.ingest import WAY_IN, ingest
from knowledge.models import Chunk, Document, KnowledgeBase, Membership, Role, Version
from knowledge.purge import purge
from knowledge.services.bin import document_bin, document_restore
from knowledge.services.chunks import chunk_switch
from knowledge.services.purging import purge_start
from knowledge.services.uploads import upload
from knowledge.tools import Tools
from knowledge.uploading import IncomingFile
from ontology import extract, invariants
from ontology.graphs import compiled
from ontology.keeper import LedgerFactKeeper
from ontology.models import Entity, Evidence, FactVector, Graph, GraphSource, Relation, SkeletonVersion
from ontology.selectors.facts import EXISTS, facts
from ontology.services.identity import entities_merge, entity_unmerge
from ontology.services.skeletons import skeleton_apply
from ontology.tend_graphs import tend_graphs
from tests.db.knowledge.conftest import PlainWords
from tests.db.ontology.conftest import SKELETON

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(600)]

WITHOUT_CALLS = re.sub(r"  calls:.*?(?=  keeps:)", "", SKELETON, flags=re.DOTALL)
NAMES = [f"{first} {second}" for first in ("Mail", "Post", "Auth") for second in ("Gateway", "Server")]
SAID = re.compile(rf"The ({'|'.join(NAMES)}) calls ({'|'.join(NAMES)})\.")
PATHS = ("a.md", "b.md", "c.md")

pairs = st.lists(st.sampled_from(NAMES), min_size=2, max_size=2, unique=True)
texts = st.lists(pairs, min_size=0, max_size=4).map(
    lambda said: "\n\n".join(
        f"## Part {n}\n\nThe {one} calls {other}. " + f"Nothing else is said here, at some length, in part {n}. " * 12
        for n, (one, other) in enumerate(said)
    )
)


class Ledger(RuleBasedStateMachine):
    """One knowledge base with one graph, in a savepoint that is rolled back."""

    folder = None

    def __init__(self):
        super().__init__()
        self.before = transaction.savepoint()
        department = Department.objects.create(name="Service")
        self.kb = KnowledgeBase.objects.create(slug="pumps", name="Pumps", department=department)
        user = User.objects.create(username="edith", department=department)
        Membership.objects.create(kb=self.kb, user=user, role=Role.EDITOR)
        self.editor = subject_of_user(user)
        self.graph = Graph.objects.create(name="Pumps")
        fingerprint = compiled(SKELETON).fingerprint
        self.graph.skeleton = SkeletonVersion.objects.create(
            graph=self.graph, number=1, text=SKELETON, fingerprint=fingerprint
        )
        self.graph.save()
        GraphSource.objects.create(kb=self.kb, graph=self.graph)
        self.tools = Tools(
            storage=FolderStorage(self.folder),
            embedder=HashEmbedder(),
            splitter=PlainWords(),
            way_in=(*WAY_IN, extract),
            facts=LedgerFactKeeper(),
        )
        self.has_calls = True
        self.merged = {}

    def teardown(self):
        transaction.savepoint_rollback(self.before)

    @initialize(text=texts)
    def begin(self, text):
        self.write("a.md", text)

    @rule(path=st.sampled_from(PATHS), text=texts)
    def write(self, path, text):
        """A new document, or a new version of one."""
        if Document.objects.filter(kb=self.kb, path=path).exclude(state="live").exists():
            return
        sent = [IncomingFile(path, f"# Note {path}\n\nThis is a note.\n\n{text}".encode())]
        job = upload(subject=self.editor, kb=self.kb, files=sent, tools=self.tools, enqueue=False)
        for item in job.items.filter(version__isnull=False):
            ingest(Version.objects.select_related("document__kb").get(pk=item.version_id), self.tools)

    @rule(path=st.sampled_from(PATHS))
    def put_away(self, path):
        for document in Document.objects.filter(path=path, state="live"):
            document_bin(subject=self.editor, document=document, tools=self.tools)

    @rule(path=st.sampled_from(PATHS))
    def bring_back(self, path):
        for document in Document.objects.filter(path=path, state="binned"):
            document_restore(subject=self.editor, document=document, tools=self.tools)

    @rule(path=st.sampled_from(PATHS))
    def delete(self, path):
        for document in Document.objects.filter(path=path, state="binned"):
            purge_start(subject=self.editor, kb=self.kb, documents=[document])
            purge(Document.objects.get(pk=document.pk), self.tools)

    @rule(place=st.integers(0, 20))
    def switch(self, place):
        chunks = list(Chunk.objects.filter(document__live_version__isnull=False).order_by("document__path", "ordinal"))
        if chunks:
            chunk = chunks[place % len(chunks)]
            chunk_switch(subject=self.editor, chunk=chunk, is_disabled=not chunk.is_disabled, tools=self.tools)

    @rule(pair=pairs)
    def merge(self, pair):
        one, other = pair
        ends = {name: Entity.objects.filter(name=name).first() for name in pair}
        if all(ends.values()) and other not in self.merged and self.root(one) != self.root(other):
            entities_merge(subject=self.editor, into_id=ends[one].pk, others=[ends[other].pk])
            self.merged[other] = self.root(one)

    @precondition(lambda self: self.merged)
    @rule(place=st.integers(0, 5))
    def unmerge(self, place):
        name = sorted(self.merged)[place % len(self.merged)]
        entity_unmerge(subject=self.editor, entity_id=Entity.objects.get(name=name).pk)
        del self.merged[name]

    @rule()
    def change_the_skeleton(self):
        text = WITHOUT_CALLS if self.has_calls else SKELETON
        skeleton_apply(subject=self.editor, graph_id=self.graph.pk, text=text, drop_confirmed=True)
        self.has_calls = not self.has_calls

    def root(self, name):
        while name in self.merged:
            name = self.merged[name]
        return name

    def said(self):
        """What live passages say: (source, target) with the number of places."""
        found: Counter[tuple[str, str]] = Counter()
        if not self.has_calls:
            return found
        for version_id, text in Version.objects.filter(document__live_version_id__isnull=False).values_list(
            "pk", "text"
        ):
            spans = list(Chunk.objects.filter(version=version_id, is_live=True).values_list("start", "end"))
            for match in SAID.finditer(text):
                if any(start <= match.start() and match.end() <= end for start, end in spans):
                    found[match[1], match[2]] += 1
        return found

    @invariant()
    def facts_are_what_live_passages_say(self):
        tend_graphs(self.tools)
        said = self.said()
        rows = Relation.objects.filter(EXISTS, graph=self.graph).values_list("source__name", "target__name", "support")
        assert {(source, target): count for source, target, count in rows} == dict(said)

    @invariant()
    def fact_vectors_are_the_sentences_that_readers_see(self):
        tend_graphs(self.tools)
        sentences = {
            f"{self.root(source)} calls {self.root(target)}"
            for source, target in self.said()
            if self.root(source) != self.root(target)
        }
        hashes = {UUID(bytes=sha256(sentence.encode()).digest()[:16]) for sentence in sentences}
        assert set(FactVector.objects.values_list("content_hash", flat=True)) == hashes

    @invariant()
    def readers_see_roots(self):
        seen: Counter[tuple[str, str]] = Counter()
        for row in facts(self.editor, self.graph.pk):
            seen[row["source"], row["target"]] += len(row["evidence"])
        expected: Counter[tuple[str, str]] = Counter()
        for (source, target), count in self.said().items():
            if self.root(source) != self.root(target):
                expected[self.root(source), self.root(target)] += count
        assert seen == expected

    @invariant()
    def the_ledgers_rules_hold(self):
        rules = (
            invariants.evidence_is_live_with_its_chunks,
            invariants.support_is_counted,
            invariants.nothing_stands_without_reason,
            invariants.relations_have_vectors,
            invariants.vectors_have_relations,
        )
        assert [finding for each in rules if (finding := each(False)).broken] == []
        assert not Evidence.objects.exclude(document__in=Document.objects.all()).exists()


def test_the_ledger_follows_a_simple_model_through_any_sequence(tmp_path):
    Ledger.folder = tmp_path / "storage"
    run_state_machine_as_test(
        Ledger,
        settings=settings(
            max_examples=3,
            stateful_step_count=12,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )

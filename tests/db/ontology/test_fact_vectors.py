"""Each relation that readers see has a vector of its sentence; what is not seen has none, and nothing is embedded twice."""

import numpy as np
import pytest

from accounts.types import Subject
from common.errors import Conflict, EngineUnavailable
from inference.hash_embedder import HashEmbedder
from inference.hash_model import HashModel
from inference.models import EmbeddingSpace, UsageRecord
from inference.selectors import active_space
from knowledge.models import Document
from knowledge.purge import purge
from knowledge.services.bin import document_bin, document_restore
from knowledge.services.purging import purge_start
from knowledge.spaces import activate_space, open_space
from ontology import invariants
from ontology.fact_vectors.keeper import LedgerFactVectors
from ontology.fact_vectors.rows import lost_by
from ontology.fact_vectors.sentences import NAME_CHARACTERS, lacking, say, waiting
from ontology.fact_vectors.tend import fact_vectors_tend
from ontology.graphs import compiled
from ontology.models import Entity, FactVector, Graph, Relation, SkeletonVersion
from ontology.services.facts import relation_add
from ontology.services.identity import entities_merge, entity_reject, entity_rename, entity_unmerge

pytestmark = pytest.mark.django_db


class CountingEmbedder(HashEmbedder):
    """Remembers what it was asked."""

    def __init__(self, model=None):
        super().__init__(model)
        self.asked = []

    def embed(self, texts, *, kind, charge):
        found = super().embed(texts, kind=kind, charge=charge)
        self.asked += texts
        return found


class DeadEmbedder(HashEmbedder):
    """Is away."""

    def info(self):
        raise EngineUnavailable("The embedder is away.")


@pytest.fixture
def embedder():
    return CountingEmbedder()


@pytest.fixture
def made(graph, embedder):
    """Tend the vectors; gives the sentences that were embedded for it."""

    def tended():
        embedder.asked.clear()
        fact_vectors_tend(Graph.objects.get(pk=graph.pk), embedder)
        return sorted(embedder.asked)

    return tended


def held():
    """The sentences that have a vector, as their relations say them."""
    kept = FactVector.objects.filter(space=active_space()).values_list("content_hash", flat=True)
    assert set(kept) == set(Relation.objects.exclude(sentence_hash=None).values_list("sentence_hash", flat=True))
    return len(kept)


def test_a_relation_is_said_in_the_language_of_its_names(read, editor, made):
    read("a.md", "The Mail Gateway calls Auth Server.\n\n“邮件系统”和“认证系统”。")
    ends = [Entity.objects.get(name=name) for name in ("邮件系统", "认证系统")]
    relation_add(subject=editor, source_id=ends[0].pk, type="calls", target_id=ends[1].pk)

    assert made() == ["Mail Gateway calls Auth Server", "邮件系统 调用 认证系统"]
    assert held() == 2
    assert made() == []


def test_a_name_with_chinese_characters_makes_the_sentence_chinese(graph, editor, read, made):
    read("a.md", "The Mail Gateway is here. “认证系统”也在。")
    ends = [Entity.objects.get(name=name) for name in ("Mail Gateway", "认证系统")]
    relation_add(subject=editor, source_id=ends[0].pk, type="calls", target_id=ends[1].pk)

    assert made() == ["Mail Gateway 调用 认证系统"]


def test_equal_sentences_are_embedded_once_and_reading_again_embeds_nothing(read, made, tend):
    read("a.md", "The Mail Gateway calls Auth Server.")
    read("b.md", "The Mail Gateway calls Auth Server again.")
    assert made() == ["Mail Gateway calls Auth Server"]

    read("a.md", "# New\n\nThe Mail Gateway calls Auth Server. The Post Gateway calls Auth Server.")
    assert made() == ["Post Gateway calls Auth Server"]
    assert held() == 2


def test_a_merge_and_taking_it_back_embed_only_what_is_new(read, editor, made):
    read("a.md", "The Mail Gateway calls Auth Server.")
    read("b.md", "The Post Gateway calls Auth Server. The Mail Gateway calls Post Gateway.")
    assert len(made()) == 3
    mail, post = (Entity.objects.get(name=name) for name in ("Mail Gateway", "Post Gateway"))

    entities_merge(subject=editor, into_id=mail.pk, others=[post.pk])
    assert made() == []
    assert held() == 1  # both read alike now, and between the two there is nothing to say

    entity_unmerge(subject=editor, entity_id=post.pk)
    assert made() == ["Mail Gateway calls Post Gateway", "Post Gateway calls Auth Server"]
    assert held() == 3


def test_another_name_is_another_sentence_and_the_former_goes(read, editor, made):
    read("a.md", "The Mail Gateway calls Auth Server.")
    made()
    entity_rename(subject=editor, entity_id=Entity.objects.get(name="Auth Server").pk, name="认证服务器")

    assert made() == ["Mail Gateway 调用 认证服务器"]
    assert held() == FactVector.objects.count() == 1


def test_what_a_person_rejects_has_no_vector(read, editor, made):
    read("a.md", "The Mail Gateway calls Auth Server. The Post Gateway calls Auth Server.")
    made()
    entity_reject(subject=editor, entity_id=Entity.objects.get(name="Post Gateway").pk)
    made()

    assert held() == 1


def test_a_relation_that_the_skeleton_has_no_more_has_no_vector(graph, read, made):
    read("a.md", "The Mail Gateway calls Auth Server.")
    assert made() != []
    text = graph.skeleton.text.replace("calls", "uses")
    graph.skeleton = SkeletonVersion.objects.create(
        graph=graph, number=2, text=text, fingerprint=compiled(text).fingerprint
    )
    graph.save()
    made()

    assert held() == FactVector.objects.count() == 0


def test_a_document_in_the_bin_takes_its_sentences_along_and_brings_them_back(read, editor, tools, made):
    document = Document.objects.get(pk=read("a.md", "The Mail Gateway calls Auth Server.").pk)
    made()
    document_bin(subject=editor, document=document, tools=tools)
    made()
    assert FactVector.objects.count() == 0

    document_restore(subject=editor, document=Document.objects.get(pk=document.pk), tools=tools)
    assert made() == ["Mail Gateway calls Auth Server"]


def test_deleting_for_good_leaves_no_vector_at_the_moment_it_is_done(kb, read, editor, tools, made):
    read("b.md", "The Mail Gateway calls Auth Server.")
    read("a.md", "The Post Gateway calls Auth Server. The Mail Gateway calls Auth Server.")
    made()
    document = Document.objects.get(path="a.md")
    document_bin(subject=editor, document=document, tools=tools)
    purge_start(subject=editor, kb=kb, documents=[document])
    purge(Document.objects.get(pk=document.pk), tools)

    assert FactVector.objects.count() == 1


def test_the_knowledge_base_that_says_it_pays(kb, read, made):
    read("a.md", "The Mail Gateway calls Auth Server.")
    UsageRecord.objects.all().delete()
    made()

    (paid,) = UsageRecord.objects.all()
    assert (paid.purpose, paid.kb_id, paid.department_id) == ("index", kb.pk, kb.department_id)


def test_a_dead_embedder_leaves_facts_waiting_and_editors_working(graph, read, editor, made):
    read("a.md", "The Mail Gateway calls Auth Server.")
    graph = Graph.objects.get(pk=graph.pk)
    assert fact_vectors_tend(graph, DeadEmbedder()) == 0
    assert waiting(graph, active_space().pk).count == 1

    made()
    assert waiting(graph, active_space().pk).count == 0
    assert fact_vectors_tend(graph, DeadEmbedder()) == 0  # nothing to ask it for


def test_a_graph_at_rest_is_not_looked_through_and_any_change_is_seen(graph, read, editor, made, monkeypatch):
    read("a.md", "The Mail Gateway calls Auth Server.")
    assert len(made()) == 1
    made()
    looked = []
    monkeypatch.setattr("ontology.fact_vectors.tend.say", lambda graph: looked.append(graph) or say(graph))
    made()
    assert looked == []

    FactVector.objects.all().delete()
    assert made() == ["Mail Gateway calls Auth Server"]
    # As a change that was begun long ago and is committed now.
    Entity.objects.filter(name="Auth Server").update(name="Post Server", updated_at="2020-01-01T00:00:00Z")
    assert made() == ["Mail Gateway calls Post Server"]


def test_long_names_are_said_as_far_as_a_model_reads(graph, editor, read):
    name = "长" * 400
    source = Entity.objects.create(graph=graph, class_name="System", name=name, normal_name=name, is_confirmed=True)
    target = Entity.objects.create(graph=graph, class_name="System", name="B", normal_name="b", is_confirmed=True)
    Relation.objects.create(graph=graph, source=source, type="calls", target=target, is_confirmed=True)
    graph = Graph.objects.get(pk=graph.pk)

    small = HashEmbedder(HashModel(dims=64, window_tokens=40))
    assert fact_vectors_tend(graph, small) == 1
    assert len(lacking(graph, None, limit=1)[0].text) == NAME_CHARACTERS + len(" 调用 B")


def test_a_refit_has_the_vectors_of_facts_before_it_is_switched_to(graph, read, made, embedder):
    read("a.md", "The Mail Gateway calls Auth Server.")
    made()
    first = active_space()
    embedder.asked.clear()
    other = EmbeddingSpace.objects.create(
        number=7, model=first.model, fingerprint=first.fingerprint, raw_dims=first.raw_dims, dims=first.dims
    )
    assert lost_by(other) == 1

    assert LedgerFactVectors().fill(other) == 1
    assert (lost_by(other), embedder.asked) == (0, [])
    assert np.allclose(*[row.raw for row in FactVector.objects.order_by("space__number")])


def test_another_model_embeds_all_sentences_anew_beside_those_in_use(graph, read, made):
    read("a.md", "The Mail Gateway calls Auth Server.")
    made()
    coming = CountingEmbedder(HashModel(seed="other"))
    info = coming.info()
    other = EmbeddingSpace.objects.create(
        number=7, model=info.model, fingerprint=info.fingerprint, raw_dims=info.dims, dims=info.dims
    )

    assert LedgerFactVectors().embed_missing(other, coming) == 1
    assert coming.asked == ["Mail Gateway calls Auth Server"]
    assert FactVector.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_space_that_lacks_facts_is_not_switched_to(graph, read, made):
    read("a.md", "The Mail Gateway calls Auth Server.")
    made()
    coming = HashEmbedder(HashModel(seed="other"))
    info = coming.info()
    other = EmbeddingSpace.objects.create(
        number=7, model=info.model, fingerprint=info.fingerprint, raw_dims=info.dims, dims=info.dims
    )
    from knowledge.embed_space import embed_missing

    embed_missing(other, coming)
    with pytest.raises(Conflict, match="1 facts"):
        activate_space(subject=Subject.system(), space=other)

    LedgerFactVectors().embed_missing(other, coming)
    activate_space(subject=Subject.system(), space=other)
    assert invariants.relations_have_vectors(False).broken == 0


def test_there_may_be_facts_before_anything_was_embedded(graph, embedder):
    ends = [
        Entity.objects.create(graph=graph, class_name="System", name=name, normal_name=name, is_confirmed=True)
        for name in ("a", "b")
    ]
    Relation.objects.create(graph=graph, source=ends[0], type="calls", target=ends[1], is_confirmed=True)
    assert invariants.relations_have_vectors(False).broken == 1

    assert fact_vectors_tend(Graph.objects.get(pk=graph.pk), embedder) == 1
    assert open_space(embedder.info()) == active_space()
    assert invariants.relations_have_vectors(False).broken == 0

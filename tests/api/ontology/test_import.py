"""Triples of others: a result for each line, nothing stored in a dry run, nothing that the check does not let through."""

import json

import pytest

from ontology.models import Alias, Entity, Evidence, Quarantined, Relation
from ontology.services.facts import entity_add
from ontology.services.identity import entities_merge
from tests.cases import cases

pytestmark = pytest.mark.django_db

TEXT = "# Stores\n\nThe archive box asks the key box.\nIts memory is 128K.\n"
GOOD = {
    "document": "stores.md",
    "quote": "The archive box asks\nthe key box.",
    "source": "archive box",
    "source_class": "System",
    "relation": "calls",
    "target": "key box",
    "target_class": "System",
}


@pytest.fixture
def document(read, graph):
    return read("stores.md", TEXT)


@pytest.fixture
def bring(edith, kb, document):
    def bring(*lines, dry_run=False, client=edith, status=200):
        body = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
        path = f"/api/v1/graph/import?kb={kb.slug}&dry_run={dry_run}"
        answer = client.post(path, body, content_type="application/x-ndjson")
        assert answer.status_code == status, answer.content
        return answer.json()

    return bring


def test_a_relation_is_stored_with_its_sentence(bring, document):
    told = bring(GOOD)

    assert told["counts"] == {"stored": 1}
    relation = Relation.objects.get()
    assert (relation.source.name, relation.type, relation.target.name, relation.support) == (
        "archive box",
        "calls",
        "key box",
        1,
    )
    evidence = Evidence.objects.get(relation=relation)
    text = document.live_version.text
    assert text[evidence.start : evidence.end] == "The archive box asks the key box."
    assert evidence.extractor == "import"


def test_a_dry_run_says_the_same_and_stores_nothing(bring):
    before = Entity.objects.count(), Quarantined.objects.count()
    told = bring(GOOD, GOOD | {"relation": "eats"}, dry_run=True)

    assert [line["status"] for line in told["lines"]] == ["accepted", "rejected"]
    assert (Entity.objects.count(), Quarantined.objects.count()) == before


def test_the_same_again_changes_nothing(bring):
    bring(GOOD)
    bring(GOOD)

    assert Relation.objects.get().support == 1


def test_values_and_names_are_taken_too(bring, document):
    text = document.live_version.text
    start = text.index("The archive box")
    value = {
        "document": str(document.pk),
        "start": start,
        "end": len(text),
        "source": "archive box",
        "source_class": "System",
    }
    told = bring(value | {"attribute": "memory_limit", "value": "131072"}, value | {"aliases": ["key box"]})

    assert told["counts"] == {"stored": 2}
    box = Entity.objects.get(name="archive box")
    assert box.attributes.get().value == 131072
    assert box.aliases.get().text == "key box"


@cases(
    ("change", "reason"),
    [
        ({"relation": "eats"}, "unknown_relation"),
        ({"source_class": "Document"}, "unknown_class"),
        ({"source_class": "`) DETACH DELETE (n"}, "unknown_class"),
        ({"source_class": "Person"}, "wrong_ends"),
        ({"source": "somebody else"}, "not_in_text"),
        ({"source": "<script>alert(1)</script>"}, "bad_name"),
        ({"attributes": {"colour": "red"}}, "unknown_attribute"),
    ],
)
def test_what_the_check_refuses_is_told_with_its_reason_and_lies_in_quarantine(bring, change, reason):
    told = bring(GOOD | change)

    assert [(line["status"], line["reason"]) for line in told["lines"]] == [("rejected", reason)]
    assert told["lines"][0]["message"]
    assert Quarantined.objects.filter(extractor="import", reason=reason).count() == 1
    assert not Relation.objects.exists()


@cases(
    "line",
    [
        "{",
        "[]",
        '"text"',
        "NaN",
        GOOD | {"document": "nowhere.md"},
        GOOD | {"document": 5},
        GOOD | {"quote": "never said"},
        GOOD | {"start": 5, "end": 2},
        GOOD | {"start": -1, "end": 2},
        GOOD | {"start": 0, "end": 10**9},
        GOOD | {"start": 0, "end": 3, "quote": "The archive"},
        GOOD | {"source": "x" * 1000},
        GOOD | {"source": {"name": "x"}},
        GOOD | {"attributes": [1]},
        GOOD | {"confidence": 2},
        GOOD | {"target": None},
        '{"document": "stores.md", "quote": "\\ud800"}',
    ],
)
def test_a_broken_line_is_told_and_the_others_go_on(bring, line):
    told = bring(line, GOOD)

    assert [each["status"] for each in told["lines"]] == ["invalid", "stored"]
    assert told["lines"][0]["message"]


def test_only_editors_bring_something_in(bring, vera, stan):
    bring(GOOD, client=vera, status=403)
    bring(GOOD, client=stan, status=404)
    assert not Relation.objects.exists()


def test_what_was_imported_outlives_reading_again_and_goes_with_the_document(bring, document, tools, editor):
    from knowledge.models import Version
    from knowledge.services.bin import document_bin
    from knowledge.stage import stage
    from ontology import extract
    from ontology.models import ExtractedVersion

    bring(GOOD)
    version = Version.objects.select_related("document__kb").get(document=document)
    ExtractedVersion.objects.update(finished_at=None)
    with stage(version, extract.name) as lease:
        extract.run(version, lease, tools)
    assert Relation.objects.get().support == 1

    document_bin(subject=editor, document=document, tools=tools)
    assert Relation.objects.get().support == 0


SAME = "# Same\n\nFalcon uses FALCON, ＦＡＬＣＯＮ and the Bird. 猎鹰使用猎鹰。\n"
SELF = {"quote": "Falcon uses FALCON, ＦＡＬＣＯＮ and the Bird.", "document": "same.md", "source": "Falcon"}


@cases("target", ["FALCON", "Falcon", "falcon", "ＦＡＬＣＯＮ"])
@cases("dry_run", [True, False])
def test_a_relation_of_an_entity_with_itself_is_refused_however_it_is_written(bring, read, target, dry_run):
    read("same.md", SAME)
    before = Entity.objects.count()
    told = bring(GOOD | SELF | {"target": target}, dry_run=dry_run)

    assert [(line["status"], line["reason"]) for line in told["lines"]] == [("rejected", "same_ends")]
    assert told["lines"][0]["message"] == "Both ends are one entity; a relation joins two."
    assert (Relation.objects.count(), Entity.objects.count()) == (0, before)


def test_so_it_is_in_chinese(bring, read):
    read("same.md", SAME)
    chinese = {"document": "same.md", "quote": "猎鹰使用猎鹰。", "source": "猎鹰", "target": "猎鹰"}

    assert bring(GOOD | chinese)["lines"][0]["reason"] == "same_ends"


@pytest.mark.parametrize("way", ["alias", "merge"])
def test_so_it_is_where_two_names_are_one_by_another_name_or_by_a_merge(bring, read, editor, graph, way):
    read("same.md", SAME)
    falcon = entity_add(subject=editor, graph_id=graph.pk, class_name="System", name="Falcon")
    if way == "alias":
        Alias.objects.create(graph=graph, entity=falcon, text="Bird", normal="bird", is_confirmed=True)
    else:
        bird = entity_add(subject=editor, graph_id=graph.pk, class_name="System", name="Bird")
        entities_merge(subject=editor, into_id=falcon.pk, others=[bird.pk])
    told = bring(GOOD | SELF | {"target": "Bird"})

    assert told["lines"][0]["reason"] == "same_ends"
    assert not Relation.objects.exists()
    assert Quarantined.objects.filter(reason="same_ends", about="calls").exists()

"""What a model says of drafts: what is in the form and true of the examples is taken, everything else counts as not said."""

import json

import pytest
from jsonschema import Draft202012Validator

from ontology.proposing.naming import named, read_answer
from ontology.proposing.propose import accepted, propose
from ontology.proposing.question import answer_schema, messages_about
from ontology.skeleton.read import compiled_skeleton
from tests.unit.ontology.proposing.test_propose import SKELETON, prose, table

TABLES = (
    "| Machine | Weight (kg) | Phone |\n| --- | --- | --- |\n| Crane | 1200 | 110 |\n| Winch | 300 | 112 |",
    "| 设备 | 功率 |\n| --- | --- |\n| 起重机 | 30 |\n| 绞车 | 12 |",
)
WORDS = {"label_en": "", "label_zh": "", "description_en": "", "description_zh": ""}


@pytest.fixture(scope="module")
def drafts():
    samples = [*map(table, TABLES), prose("Reviewed: 2024-03-01\n\nReviewed: 2024-04-02\n\nSee QP-12 and QP-220.")]
    return propose(samples, compiled_skeleton(SKELETON), lambda name: False)


def a_class(*keys, name="Equipment", **words):
    return {"drafts": list(keys), "name": name, **WORDS, **words}


def an_attribute(key, kind="text", **words):
    return {"draft": key, "type": kind, **WORDS, **words}


def after(drafts, classes=(), attributes=(), text=SKELETON):
    said = json.dumps({"classes": list(classes), "attributes": list(attributes)}, ensure_ascii=False)
    return {draft.key: draft for draft in named(drafts, read_answer(said, drafts), text)}


def test_two_drafts_of_one_kind_become_one_with_words_in_both_languages(drafts):
    joined = a_class(
        "Machine",
        "设备",
        label_en="Equipment",
        label_zh="设备",
        description_en="What lifts.",
        description_zh="起重的东西。",
    )

    found = after(drafts, [joined])
    text = accepted(SKELETON, found.values(), {"Equipment"})
    equipment = compiled_skeleton(text).classes["Equipment"]

    assert "Machine" not in found
    assert "设备" not in found
    assert found["Equipment"].joins == ("Machine", "设备")
    assert equipment.labels == {"en": "Equipment", "zh": "设备"}
    assert equipment.description == {"en": "What lifts.", "zh": "起重的东西。"}
    assert set(equipment.columns) >= {"machine", "设备"}
    assert {each.name for each in equipment.attributes} == {"weight", "phone", "功率"}


def test_an_attribute_is_named_and_what_documents_call_it_still_finds_it(drafts):
    found = after(drafts, attributes=[an_attribute("Machine.weight", "integer", label_en="Mass", label_zh="质量")])
    weight = compiled_skeleton(accepted(SKELETON, found.values(), {"Machine"})).classes["Machine"].attribute("weight")

    assert weight.labels == {"en": "Mass", "zh": "质量"}
    assert set(weight.keys) >= {"weight", "mass", "质量"}
    assert weight.type == "integer"


@pytest.mark.parametrize(
    ("key", "kind", "becomes"),
    [
        ("Machine.phone", "text", "text"),
        ("Machine.weight", "number", "number"),
        ("Machine.weight", "date", "integer"),
        ("Paper.reviewed", "boolean", "date"),
    ],
)
def test_a_type_is_believed_only_when_the_examples_have_it(drafts, key, kind, becomes):
    found = after(drafts, attributes=[an_attribute(key, kind)])
    owner, name = key.split(".")
    entry = found[key].declared if key in found else found[owner].declared["attributes"][name]

    assert entry.get("type", "text") == becomes


@pytest.mark.parametrize(
    "item",
    [
        a_class("Nothing of the kind"),
        a_class(),
        {"drafts": ["Machine"], "name": "Equipment"},
        a_class("Machine", name=""),
        a_class("Machine", name="x" * 61),
        a_class("Machine", label_en=["Equipment"]),
        a_class("Machine", more="words"),
        "Machine",
        5,
        None,
    ],
)
def test_what_is_not_in_the_form_counts_as_not_said(drafts, item):
    found = after(drafts, [item])

    assert list(found.values()) == drafts
    assert not Draft202012Validator(answer_schema(drafts)).is_valid({"classes": [item], "attributes": []})


@pytest.mark.parametrize("name", ["Person", "Chunk", "two words", "PERSON", "drop: table"])
def test_a_name_that_is_taken_or_none_is_not_taken(drafts, name):
    found = after(drafts, [a_class("Machine", name=name, label_en="Equipment")])

    assert "Machine" in found
    compiled_skeleton(accepted(SKELETON, found.values(), {"Machine"}))


def test_what_the_checker_refuses_is_shown_as_it_was_counted(drafts):
    found = after(drafts, [a_class("Machine", "设备", label_en="Person")])

    assert list(found.values()) == drafts


def test_labels_in_the_wrong_language_are_left_out(drafts):
    found = after(drafts, [a_class("Machine", name="Machine", label_en="机器", label_zh="machine")])

    assert found["Machine"].declared["labels"] == {"en": "Machine"}


def test_a_draft_stands_in_one_group_only_and_two_groups_have_two_names(drafts):
    found = after(drafts, [a_class("Machine"), a_class("Machine", "设备"), a_class("QP")])

    assert found["Equipment"].joins == ()
    assert {"QP", "设备"} <= set(found)


@pytest.mark.parametrize(
    ("said", "count"),
    [
        ("", 0),
        ("I would rather not.", 0),
        ("[1, 2]", 0),
        ('{"classes": 5, "attributes": "x"}', 0),
        ('<think>{"classes": []}', 0),
        ("```json\n" + json.dumps({"classes": [a_class("Machine")], "attributes": []}) + "\n```", 1),
        ("<think>hm</think>" + json.dumps({"classes": [a_class("Machine")]}), 1),
        (json.dumps({"classes": [a_class("Machine"), a_class("设备", name="Other")]})[:-30], 1),
    ],
)
def test_talk_around_the_answer_and_what_was_cut_off_are_left_out(drafts, said, count):
    assert len(read_answer(said, drafts)["classes"]) == count


def test_the_question_shows_keys_and_examples_and_names_what_is_taken(drafts):
    system, user = messages_about(drafts, ["Person"])

    assert "Person" in system.content
    assert "- Machine (class): Crane | Winch" in user.content
    assert "Machine.weight (attribute, integer): 1200 | 300" in user.content
    assert "Paper.reviewed (attribute, date)" in user.content


@pytest.mark.parametrize("count", [0, 1, None])
def test_the_form_of_the_answer_is_a_schema_even_where_nothing_was_found(drafts, count):
    schema = answer_schema(drafts[:count])

    Draft202012Validator.check_schema(schema)
    assert Draft202012Validator(schema).is_valid({"classes": [], "attributes": []})

"""What follows from a skeleton: the model's schema and prompt, the graph's names, differences, and whether old facts still fit."""

import jsonschema
import pytest

from ontology.skeleton.changes_in_words import sentences_of
from ontology.skeleton.compare import compare
from ontology.skeleton.graph_constraints import UNIQUE, graph_names, quoted
from ontology.skeleton.model_schema import model_schema
from ontology.skeleton.prompt import extraction_prompt
from ontology.skeleton.read import compiled_skeleton

TEXT = """\
classes:
  Model:
    labels: {en: Model, zh: 模型}
    attributes:
      context_length: {type: integer, unit: tokens}
      method: {type: enum, options: [SFT, DPO]}
  Dataset:
    rules: {patterns: ['D-\\d+']}
  Licence:
relations:
  beats:
    from: Model
    to: Model
    attributes: {delta: {type: number}}
  trained_on: {from: Model, to: Dataset}
"""
SKELETON = compiled_skeleton(TEXT)
SCHEMA = model_schema(SKELETON)
RELATION = {
    "type": "trained_on",
    "source": "A",
    "source_class": "Model",
    "target": "D",
    "target_class": "Dataset",
    "quote": "q",
}
ATTRIBUTE = {"class": "Model", "entity": "A", "attribute": "context_length", "value": "128K", "quote": "q"}
ENTITY = {"class": "Model", "name": "A", "aliases": []}


def output(**lists):
    return {"entities": [], "attributes": [], "relations": []} | lists


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(
    "said", [output(), output(entities=[ENTITY]), output(attributes=[ATTRIBUTE]), output(relations=[RELATION])]
)
def test_output_inside_the_skeleton_is_valid(said):
    jsonschema.validate(said, SCHEMA)


@pytest.mark.parametrize(
    "said",
    [
        {},
        output(entities=[ENTITY | {"class": "Document"}]),
        output(entities=[ENTITY | {"name": "x" * 201}]),
        output(entities=[ENTITY] * 41),
        output(attributes=[ATTRIBUTE | {"attribute": "colour"}]),
        output(attributes=[ATTRIBUTE | {"class": "Dataset"}]),
        output(relations=[RELATION | {"type": "likes"}]),
        output(relations=[RELATION | {"target_class": "Licence"}]),
        output(relations=[RELATION | {"attributes": {"delta": "1"}}]),
    ],
)
def test_output_outside_of_the_skeleton_or_its_bounds_is_not_valid(said):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(said, SCHEMA)


@pytest.mark.parametrize(("language", "words"), [("en", "integer in tokens"), ("zh", "单位 tokens")])
def test_the_prompt_names_all_there_is_in_the_language_of_the_text(language, words):
    prompt = extraction_prompt(SKELETON, language)

    assert words in prompt
    assert all(
        name in prompt for name in ("Model", "Dataset", "Licence", "context_length", "SFT | DPO", "beats", "delta")
    )


def test_the_graph_gets_the_skeletons_names_and_single_property_constraints():
    names = graph_names(SKELETON)

    assert names.labels == ("Model", "Dataset", "Licence")
    assert names.relation_types == ("beats", "trained_on")
    assert {(each.label, each.property) for each in UNIQUE} == {
        ("Entity", "key"),
        ("Chunk", "key"),
        ("Document", "key"),
    }


@pytest.mark.parametrize("name", ["a`b", "a b", "", "1a", "x" * 61, "a)--(b"])
def test_a_name_that_no_skeleton_holds_never_becomes_cypher(name):
    with pytest.raises(ValueError):
        quoted(name)


def difference(old, new):
    return compare(SKELETON, compiled_skeleton(TEXT.replace(old, new)))


def test_equal_skeletons_do_not_differ():
    assert difference("", "").is_empty
    assert sentences_of(difference("", "")) == ["The two mean the same."]


def test_a_label_touches_nothing():
    changed = difference("{en: Model, zh: 模型}", "{en: Model, zh: 模型}\n    description: {en: A model}")

    assert [each.path for each in changed.changes] == ["Model"]
    assert not changed.touched
    assert not changed.gone


def test_an_attribute_touches_itself_alone():
    changed = difference("unit: tokens", "unit: B")

    assert changed.touched.attributes == {("Model", "context_length")}
    assert not changed.touched.classes | changed.touched.relations
    assert sentences_of(changed) == ["The attribute Model.context_length has changed: unit was tokens and is B."]


def test_a_class_with_other_rules_touches_the_relations_that_join_it():
    changed = difference("D-", "E-")

    assert changed.touched.classes == {"Dataset"}
    assert changed.touched.relations == {"trained_on"}


def test_what_is_removed_is_gone_and_not_read_again():
    changed = difference("  Licence:\n", "")

    assert changed.gone.classes == {"Licence"}
    assert not changed.touched
    assert sentences_of(changed) == ["The class Licence is gone."]


def test_what_is_added_is_read_for():
    changed = difference("relations:\n", "relations:\n  under: {from: Model, to: Licence}\n")

    assert changed.touched.relations == {"under"}
    assert not changed.gone

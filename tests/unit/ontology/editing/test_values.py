"""A value is written at its place, and everything else stays as a person wrote it: comments, quotes, lines."""

import pytest

from common.errors import InvalidInput
from ontology.editing.changes import added, removed
from ontology.editing.parts import parts_in, referring_to
from ontology.editing.values import value_at, written
from ontology.skeleton.read import compiled_skeleton
from tests.unit.ontology.editing.test_changes import TEXT, comments

LISTS = """classes:
  Seal:
    labels:  # what people say
      en: Seal   # the short word
    rules:
      patterns:
        - 'S-\\d+'      # ours
        # theirs
        - 'T-\\d+'
      suffixes: [Ring, 'Dichtung', 密封]
      stop_names: [
        Ring Main,  # a pipe
        Ring Road
      ]
  Ship:            # floats
  Boat: {}
  on_call:
    description:
      en: |
        A person who
        is called.
relations: {}
"""


@pytest.mark.parametrize(
    ("items", "shown"),
    [
        (
            ["S-\\d+", "T-\\d+", "U"],
            "        - 'S-\\d+'      # ours\n        # theirs\n        - 'T-\\d+'\n        - U\n",
        ),
        (["T-\\d+"], "      patterns:\n        # theirs\n        - 'T-\\d+'\n"),
        (["S-\\d+"], "        - 'S-\\d+'      # ours\n        # theirs\n      suffixes"),
        (["S-\\d+", "V: 1"], "        - 'S-\\d+'      # ours\n        # theirs\n        - 'V: 1'\n"),
        (["A", "S-\\d+", "T-\\d+"], "      patterns:\n        - A\n        - 'S-\\d+'      # ours\n"),
    ],
)
def test_a_list_with_a_line_for_each_keeps_the_lines_that_stay(items, shown):
    text = written(LISTS, ("classes", "Seal", "rules", "patterns"), items)

    assert shown in text
    assert value_at(text, ("classes", "Seal", "rules", "patterns")) == items


@pytest.mark.parametrize(
    ("items", "shown"),
    [
        (["Ring", "Dichtung", "密封", "a, b"], "[Ring, 'Dichtung', 密封, 'a, b']"),
        (["Dichtung"], "['Dichtung']"),
        (["Ring"], "[Ring]"),
        (["封", "Ring", "密封"], "[封, Ring, 密封]"),
        (["x"], "[x]"),
    ],
)
def test_a_list_between_brackets_keeps_its_quotes(items, shown):
    assert f"suffixes: {shown}\n" in written(LISTS, ("classes", "Seal", "rules", "suffixes"), items)


def test_a_list_over_several_lines_keeps_its_comments():
    text = written(LISTS, ("classes", "Seal", "rules", "stop_names"), ["Ring Main", "Ring Road", "Key Ring"])

    assert "Ring Main,  # a pipe\n        Ring Road, Key Ring\n      ]" in text


def test_one_language_is_changed_and_the_other_added_where_they_stand():
    text = written(LISTS, ("classes", "Seal", "labels"), {"en": "Gasket", "zh": "垫片"})

    assert "labels:  # what people say\n      en: Gasket   # the short word\n      zh: 垫片\n" in text


@pytest.mark.parametrize("name", ["Ship", "Boat"])
def test_a_class_of_which_nothing_is_said_takes_words_rules_and_attributes(name):
    path = ("classes", name)
    text = written(LISTS, (*path, "rules", "patterns"), ["X"])
    text = written(text, (*path, "description", "en"), "It floats: on water")
    text = written(text, (*path, "subject"), True)
    text = added(text, (*path, "attributes"), "weight", {"type": "number"})
    found = compiled_skeleton(text).classes[name]

    assert (found.description, found.is_subject, [each.name for each in found.attributes]) == (
        {"en": "It floats: on water"},
        True,
        ["weight"],
    )
    assert comments(text) == comments(LISTS) or name == "Ship"
    assert "# floats" in text


def test_words_over_several_lines_are_replaced_as_a_whole():
    text = written(LISTS, ("classes", "on_call", "description"), {"en": "Somebody", "zh": "某人"})

    assert "  on_call:\n    description:\n      en: Somebody\n      zh: 某人\nrelations: {}\n" in text


def test_an_entry_comes_after_words_over_several_lines():
    text = written(LISTS, ("classes", "on_call", "subject"), True)

    assert "        is called.\n    subject: true\nrelations" in text


def test_the_last_word_takes_its_block_along_and_nothing_else():
    text = written(LISTS, ("classes", "Seal", "labels", "en"), None)

    assert "labels" not in text
    assert "  Seal:\n    rules:\n" in text


def test_a_text_becomes_a_list_and_a_comment_between_the_two_stays():
    text = "classes: {A: {}, B: {}}\nrelations:\n  r:\n    from:  # one\n      A\n    to: B  # other\n"
    text = written(written(text, ("relations", "r", "from"), ["A", "B"]), ("relations", "r", "to"), ["A"])

    assert "    from: [A, B]  # one\n    to: [A]  # other\n" in text


def test_a_key_without_a_value_between_braces_gets_one():
    text = written("classes: {A: {attributes: {size}}}", ("classes", "A", "attributes", "size", "type"), "integer")

    assert compiled_skeleton(text).classes["A"].attributes[0].type == "integer"


@pytest.mark.parametrize("path", [("classes", "Seal", "labels", "en"), ("classes", "Pump", "attributes", "maker")])
def test_what_is_there_already_changes_nothing(path):
    for text in (LISTS, TEXT):
        assert written(text, path, value_at(text, path)) == text


def test_nothing_is_written_below_what_is_not_there():
    with pytest.raises(InvalidInput, match="Gone"):
        written(TEXT, ("classes", "Gone", "rules", "patterns"), ["X"])


@pytest.mark.parametrize("name", ["yes", "null", "on"])
def test_a_name_that_yaml_would_read_otherwise_is_quoted(name):
    assert name in compiled_skeleton(added(TEXT, ("classes",), name, {})).classes


def test_parts_are_listed_as_they_stand_even_where_the_text_can_t_be_used():
    parts = parts_in(removed(TEXT, ("classes", "Company")))

    assert [each.key for each in parts["classes"]] == ["classes/Pump"]
    assert [each.name for each in parts["classes"][0].attributes] == ["weight", "maker"]
    assert [each.name for each in parts["relations"]] == ["better_than", "made_by"]


def test_what_names_a_class_is_told():
    assert referring_to(TEXT, "Company") == ["Pump", "made_by"]
    assert referring_to(TEXT, "Nobody") == []

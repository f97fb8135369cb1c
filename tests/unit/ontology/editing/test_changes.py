"""Forms change one part of the text of a skeleton and leave all else as a person wrote it."""

from pathlib import Path

import pytest

from common.errors import InvalidInput
from ontology.editing.changes import added, removed, renamed
from ontology.editing.values import written
from ontology.skeleton.read import compiled_skeleton

TEXT = """# Pumps of ours
title: Pumps

classes:
  Pump:            # what we make
    labels: {en: Pump, zh: 水泵}
    attributes:
      weight: {type: number, unit: kg}   # empty

      maker: {type: reference, to: Company}
  # who makes them
  Company:
    labels:
      en: Company
    rules: {suffixes: [Ltd., GmbH]}

relations:
  better_than:
    from: Pump
    to: [Pump]
    attributes: {benchmark: {}}
    phrases:
      - "{source} is better than {target} on {benchmark}"
  made_by: {from: [Pump, Company], to: Company}
"""
DEFAULTS = [
    Path(__file__).parents[4] / name
    for name in ("ontology/skeleton/default.yaml", "demo/ontology.yaml", "demo/models/ontology.yaml")
]


def comments(text):
    return [line[line.index("#") :] for line in text.splitlines() if "#" in line]


def test_a_class_is_added_and_comments_stay():
    text = added(TEXT, ("classes",), "Seal", {"labels": {"en": "Seal"}})

    assert "Seal" in compiled_skeleton(text).classes
    assert comments(text) == comments(TEXT)


def test_an_attribute_is_added_to_a_class_that_has_some_and_to_one_that_has_none():
    text = added(TEXT, ("classes", "Pump", "attributes"), "height", {"type": "number", "unit": "m"})
    text = added(text, ("classes", "Company", "attributes"), "founded", {"type": "date"})
    classes = compiled_skeleton(text).classes

    assert [each.name for each in classes["Pump"].attributes] == ["weight", "maker", "height"]
    assert classes["Company"].attribute("founded")


@pytest.mark.parametrize("name", ["Pump", "1st", "", "two words"])
def test_a_name_that_is_taken_or_none_is_refused(name):
    with pytest.raises(InvalidInput):
        added(TEXT, ("classes",), name, {})


def test_a_renamed_class_is_renamed_wherever_it_is_referred_to():
    skeleton = compiled_skeleton(renamed(TEXT, ("classes", "Company"), "Maker"))

    assert set(skeleton.classes) == {"Pump", "Maker"}
    assert skeleton.classes["Pump"].attribute("maker").to_class == "Maker"
    assert skeleton.relations["made_by"].sources == ("Pump", "Maker")
    assert skeleton.relations["made_by"].targets == ("Maker",)


def test_a_renamed_attribute_of_a_relation_is_renamed_in_its_phrases():
    skeleton = compiled_skeleton(renamed(TEXT, ("relations", "better_than", "attributes", "benchmark"), "test"))

    assert skeleton.relations["better_than"].attribute("test")
    assert "(?P<test>" in skeleton.relations["better_than"].phrases[0]


def test_a_part_is_removed_with_its_lines_alone():
    text = removed(TEXT, ("classes", "Pump", "attributes", "weight"))

    assert [each.name for each in compiled_skeleton(text).classes["Pump"].attributes] == ["maker"]
    assert text == TEXT.replace("      weight: {type: number, unit: kg}   # empty\n", "")


def test_the_last_attribute_takes_its_block_along():
    text = removed(TEXT, ("relations", "better_than", "attributes", "benchmark"))

    assert "attributes: {benchmark" not in text
    assert "weight" in text


def test_a_part_between_commas_is_removed():
    text = removed(TEXT, ("relations", "made_by", "from"))

    assert "made_by: {to: Company}" in text


@pytest.mark.parametrize("path", [("classes", "Pump"), ("classes", "Company")])
def test_labels_are_written_where_there_were_some_in_either_manner(path):
    text = written(TEXT, (*path, "labels"), {"en": "Thing: one", "zh": "东西"})

    assert compiled_skeleton(text).classes[path[1]].labels == {"en": "Thing: one", "zh": "东西"}
    assert comments(text) == comments(TEXT)


def test_labels_are_written_where_there_were_none():
    text = written(TEXT, ("relations", "better_than", "labels"), {"en": "is better than"})

    assert compiled_skeleton(text).relations["better_than"].labels == {"en": "is better than"}


def test_nothing_of_that_name_is_said():
    with pytest.raises(InvalidInput, match="vendor"):
        renamed(TEXT, ("classes", "Pump", "attributes", "vendor"), "maker")


@pytest.mark.parametrize("file", DEFAULTS, ids=lambda file: file.as_posix()[-24:])
def test_every_part_of_our_own_skeletons_can_be_renamed_and_named_back(file):
    text = file.read_text(encoding="utf-8")
    skeleton = compiled_skeleton(text)
    paths = [("classes", name) for name in skeleton.classes] + [("relations", name) for name in skeleton.relations]
    paths += [
        (block, name, "attributes", one.name)
        for block, declared in (("classes", skeleton.classes), ("relations", skeleton.relations))
        for name, each in declared.items()
        for one in each.attributes
    ]

    for path in paths[::3]:
        there = renamed(text, path, "Xyz9")
        compiled_skeleton(there)
        assert renamed(there, (*path[:-1], "Xyz9"), path[-1]) == text

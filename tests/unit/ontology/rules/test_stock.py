"""What is lent to relations without phrases: found by the same rules in a server and in an evaluation, and nowhere where people wrote their own."""

import re
from dataclasses import replace

import pytest

from ontology.rules.stock import lent_to
from ontology.types import CompiledSkeleton, EntityClass, RelationFound, RelationType
from tests.unit.ontology.rules.skeletons import found

PERSON = EntityClass("Person", labels={"en": "Person", "zh": "人物"})
PLACE = EntityClass("Place", labels={"en": "Place", "zh": "地点"})
BORN = RelationType("born_in", ("Person",), ("Place",), labels={"zh": "出生地"})


def skeleton(*relations, classes=(PERSON, PLACE)):
    return CompiledSkeleton(
        {each.name: each for each in classes}, {each.name: each for each in relations}, fingerprint="lent"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Ada Northwood was born in Harwick.", ("Ada Northwood", "born_in", "Harwick")),
        ("林晓岚出生于云浮。", ("林晓岚", "born_in", "云浮")),
    ],
)
def test_a_relation_that_is_known_by_its_name_and_has_no_phrases_is_found(text, said):
    findings = found(text, of=skeleton(BORN))

    assert findings.relations == [said]
    assert {each.confidence for each in findings.all if isinstance(each, RelationFound)} == {0.6}


def test_phrases_that_people_wrote_hold_alone():
    own = replace(BORN, phrases=(r"(?P<source>.{1,40}) comes from (?P<target>.{1,40})",))

    assert lent_to(skeleton(own)).relations == ()
    assert found("Ada Northwood was born in Harwick.", of=skeleton(own)).relations == []


def test_what_a_phrase_of_ones_own_shows_to_be_a_name_is_not_lent():
    own = RelationType("likes", ("Person",), ("Place",), phrases=(r"(?P<source>.{1,40}) likes (?P<target>.{1,40})",))

    findings = found("Ada Northwood likes Harwick. Ada Northwood was born in Harwick.", of=skeleton(BORN, own))

    assert [type for _source, type, _target in findings.relations] == ["born_in"]


def test_a_class_whose_names_people_described_is_not_given_another_form():
    described = replace(PERSON, patterns=(re.compile(r"P-\d+"),))
    of = skeleton(BORN, classes=(described, PLACE))

    assert set(lent_to(of).shapes) == {"Place"}
    assert found("Ada Northwood was born in Harwick.", of=of).relations == []
    assert found("P-12 was born in Harwick.", of=of).relations == [("P-12", "born_in", "Harwick")]


def test_a_relation_that_nobody_knows_gets_nothing():
    assert lent_to(skeleton(RelationType("frobs", ("Person",), ("Place",)))).shapes == {}

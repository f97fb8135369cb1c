"""What waits in quarantine becomes a draft in the person's own text, which stays as it was written."""

import pytest

from common.errors import InvalidInput
from ontology.graphs import DEFAULT
from ontology.models import Quarantined
from ontology.proposals import proposed_text, type_of
from ontology.skeleton.read import read_skeleton

TEXT = """# Our skeleton, 我们的本体
title: Pumps   # as we call it
classes:
  System:   # 系统
    labels: {en: System, zh: 系统}
    attributes:
      memory: {type: integer}   # in GiB
      vendor:
        type: text
        description:
          en: Who made it.
  Person: {labels: {en: Person}, attributes: {phone: {type: text}}}
  Place:
    labels: {en: Place}

# who does what
relations:
  calls:
    from: [System]
    to: [System]
    # the last line
"""


def case(reason: str, about: str, **found) -> Quarantined:
    return Quarantined(reason=reason, about=about, found=found)


def drafted(text: str, given: Quarantined):
    out = proposed_text(text, given)
    reading = read_skeleton(out)
    assert reading.skeleton is not None, (out, reading.faults)
    return out, reading.skeleton


def kept(text: str, out: str) -> bool:
    """Every line that was there is still there, in order, at least as a beginning."""
    lines = iter(out.splitlines())
    return all(any(line == before or before.rstrip(" }") in line for line in lines) for before in text.splitlines())


def test_an_unknown_class_is_drafted_after_the_last():
    out, skeleton = drafted(TEXT, case("unknown_class", "Robot arm"))

    assert skeleton.classes["Robot_arm"].labels == {"en": "Robot arm"}
    assert kept(TEXT, out)


def test_an_unknown_relation_is_drafted_with_its_ends():
    ends = {"source": {"class_name": "Person"}, "target": {"class_name": "System"}}
    out, skeleton = drafted(TEXT, case("unknown_relation", "keeps", **ends))

    assert skeleton.relations["keeps"].joins("Person", "System")
    assert kept(TEXT, out)


@pytest.mark.parametrize("owner", ["System", "Person", "Place", "calls"])
def test_an_unknown_attribute_is_drafted_where_it_belongs(owner):
    out, skeleton = drafted(TEXT, case("unknown_attribute", f"{owner}.cores", raw="16"))

    declared = skeleton.classes.get(owner) or skeleton.relations[owner]
    assert declared.attribute("cores").type == "integer"
    assert kept(TEXT, out)


def test_a_name_in_chinese_stays_one():
    _out, skeleton = drafted(TEXT, case("unknown_class", "机器人"))

    assert "机器人" in skeleton.classes


def test_a_name_that_no_skeleton_allows_is_kept_as_a_key():
    _out, skeleton = drafted(TEXT, case("unknown_attribute", "System.serial no.", raw="A-17"))

    assert skeleton.classes["System"].attribute("serial_no").keys


def test_a_text_without_relations_gets_some():
    text = "classes:\n  System:\n    labels: {en: System}\n"
    ends = {"source": {"class_name": "System"}, "target": {"class_name": "System"}}

    _out, skeleton = drafted(text, case("unknown_relation", "calls", **ends))

    assert "calls" in skeleton.relations


def test_what_is_declared_already_changes_nothing():
    assert proposed_text(TEXT, case("unknown_class", "System")) == TEXT


def test_the_default_skeleton_takes_a_draft():
    text = DEFAULT.read_text(encoding="utf-8")

    out, skeleton = drafted(text, case("unknown_attribute", "Person.birthday", raw="2001-02-03"))

    assert skeleton.classes["Person"].attribute("birthday").type == "date"
    assert len(out.splitlines()) == len(text.splitlines()) + 1


def test_other_reasons_are_no_matter_of_the_skeleton():
    with pytest.raises(InvalidInput):
        proposed_text(TEXT, case("bad_name", "System"))


@pytest.mark.parametrize(
    ("raw", "kind"), [("128K", "integer"), ("2.5", "number"), ("2024-03-01", "date"), ("yes", "boolean"), ("", "text")]
)
def test_the_type_is_the_strictest_that_reads_the_value(raw, kind):
    assert type_of(raw) == kind

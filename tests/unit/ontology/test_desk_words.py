"""What the desk says of pairs and cases."""

import pytest

from ontology.pages.pairs import pieces
from ontology.pages.quarantine import choices_for, in_short
from ontology.quarantine import payload
from ontology.types import (
    AttributeFound,
    AttributeType,
    CompiledSkeleton,
    EntityClass,
    EntityFound,
    Extractor,
    Named,
    RelationFound,
    RelationType,
    Where,
)

MAIL, AUTH = Named("Mail", "System"), Named("Auth", "System")
HERE = Where(0, 4)
SYSTEM = EntityClass("System", labels={"en": "IT system"}, attributes=(AttributeType("memory"),))
SKELETON = CompiledSkeleton({"System": SYSTEM}, {"calls": RelationType("calls", ("System",), ("System",))}, "f")


def test_what_differs_between_two_names_is_marked():
    assert [piece.text for piece in pieces("Mail Gateways", "Mail Gateway") if piece.differs] == ["s"]
    assert not any(piece.differs for piece in pieces("Mail Gateway", "Mail Gateway"))


def test_names_that_have_little_in_common_are_not_marked_all_over():
    assert [piece.differs for piece in pieces("人社局", "Human Resources")] == [False]


def test_no_letter_of_a_name_is_lost():
    for one, other in (("Mail-Gateway", "Mail Gateway"), ("订单平台", "订单系统"), ("a", "")):
        assert "".join(piece.text for piece in pieces(one, other)) == one


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (EntityFound(MAIL, HERE, Extractor.MODEL), "Mail (IT system)"),
        (EntityFound(Named("R2", "Robot"), HERE, Extractor.MODEL), "R2 (Robot)"),
        (AttributeFound(MAIL, "cores", "16", HERE, Extractor.MODEL), "Mail: cores = 16"),
        (RelationFound(MAIL, "calls", AUTH, HERE, Extractor.MODEL), "Mail → calls → Auth"),
    ],
)
def test_what_was_found_is_said_in_short(found, words):
    assert in_short(payload(found), SKELETON) == words


def test_what_is_broken_is_said_without_failing():
    assert in_short({}, SKELETON) == ""
    assert in_short({"source": None}, SKELETON) == " →  → "


@pytest.mark.parametrize(
    ("reason", "about", "names"),
    [
        ("unknown_class", "Robot", ["System"]),
        ("unknown_relation", "keeps", ["calls"]),
        ("unknown_attribute", "System.cores", ["memory"]),
        ("unknown_attribute", "Robot.cores", []),
        ("bad_name", "System", []),
    ],
)
def test_a_kind_may_be_taken_for_what_is_declared(reason, about, names):
    assert [name for name, _label in choices_for(SKELETON, reason, about)] == names

"""Nothing that the skeleton does not allow passes the check."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.check import RESERVED, check, conforms
from ontology.types import (
    AttributeFound,
    CompiledSkeleton,
    Decisions,
    EntityClass,
    EntityFound,
    Extractor,
    Named,
    Reason,
    RelationFound,
    RelationType,
    Where,
)
from tests.unit.ontology.rules.skeletons import skeleton

TEXT = "**CRM-100** calls ERP-200; the 财務部 owns Billing."
ALL = Where(0, len(TEXT))
CRM, ERP, FINANCE = Named("CRM-100", "System"), Named("ERP-200", "System"), Named("财务部", "Department")


def judged(*found, of=None, text=TEXT, **more):
    return check(found, text, of or skeleton(), **more)


def reasons(*found, **more):
    return [(each.reason, each.about) for each in judged(*found, **more).rejected]


def entity(name, class_name="System", extractor=Extractor.MODEL, **more):
    return EntityFound(Named(name, class_name), ALL, extractor, **more)


def relation(source=CRM, type="calls", target=ERP, extractor=Extractor.MODEL, **more):
    return RelationFound(source, type, target, ALL, extractor, **more)


@pytest.mark.parametrize(
    "found",
    [
        entity("CRM-100"),
        entity("crm‑100"),
        entity("财务部", "Department"),
        relation(),
        relation(ERP, "owned_by", FINANCE),
        AttributeFound(CRM, "context_length", "128K", ALL, Extractor.KEY_VALUE),
    ],
)
def test_what_is_declared_and_stands_there_passes(found):
    assert len(judged(found).accepted) == 1


@pytest.mark.parametrize(
    ("found", "reason", "about"),
    [
        (entity("CRM-100", "Robot"), Reason.UNKNOWN_CLASS, "Robot"),
        (entity("XYZ-1"), Reason.NOT_IN_TEXT, "System"),
        (entity("RM-100"), Reason.NOT_IN_TEXT, "System"),
        (entity("**CRM-100**"), Reason.BAD_NAME, "System"),
        (entity("200"), Reason.BAD_NAME, "System"),
        (entity(""), Reason.BAD_NAME, "System"),
        (relation(type="eats"), Reason.UNKNOWN_RELATION, "eats"),
        (relation(target=FINANCE), Reason.WRONG_ENDS, "System calls Department"),
        (relation(target=Named("ERP-200", "Robot")), Reason.UNKNOWN_CLASS, "Robot"),
        (relation(target=Named("XYZ-1", "System")), Reason.NOT_IN_TEXT, "System"),
        (relation(attributes={"colour": "red"}), Reason.UNKNOWN_ATTRIBUTE, "calls.colour"),
        (AttributeFound(CRM, "colour", "red", ALL, Extractor.TABLE), Reason.UNKNOWN_ATTRIBUTE, "System.colour"),
        (
            AttributeFound(CRM, "context_length", "long", ALL, Extractor.TABLE),
            Reason.UNREADABLE_VALUE,
            "System.context_length",
        ),
        (
            AttributeFound(CRM, "context_length", "4096", ALL, Extractor.MODEL),
            Reason.NOT_IN_TEXT,
            "System.context_length",
        ),
        (replace(entity("CRM-100"), where=Where(0, 10_000)), Reason.NOT_IN_TEXT, ""),
        (replace(entity("CRM-100"), where=Where(5, 5)), Reason.NOT_IN_TEXT, ""),
        (
            entity("Billing", candidates=(Named("Billing", "System"), Named("Billing", "Person"))),
            Reason.HOMONYM,
            "billing",
        ),
    ],
)
def test_what_does_not_fit_says_why(found, reason, about):
    assert reasons(found) == [(reason, about)]


@pytest.mark.parametrize("name", sorted(RESERVED))
def test_names_of_our_own_labels_are_refused_even_when_declared(name):
    declared = CompiledSkeleton({name: EntityClass(name)}, {name: RelationType(name, (name,), (name,))}, "")
    found = (entity("CRM-100", name), relation(Named("CRM-100", name), name, Named("ERP-200", name)))
    assert judged(*found, of=declared).accepted == ()


def test_a_subject_may_be_named_by_the_title_alone():
    found = EntityFound(
        Named("Air taxi", "Publication"), Where(0, 9), Extractor.SUBJECT, aliases=("Taxi", "taxi stand")
    )
    assert reasons(found) == [(Reason.NOT_IN_TEXT, "Publication")]
    (accepted,) = judged(found, title="Air taxi").accepted
    assert accepted.found.aliases == ("Taxi",)


def test_rules_may_name_what_stands_elsewhere_in_the_text_and_a_model_may_not():
    found = RelationFound(CRM, "calls", ERP, Where(12, 26), Extractor.TABLE)
    assert len(judged(found).accepted) == 1
    assert reasons(replace(found, extractor=Extractor.MODEL)) == [(Reason.NOT_IN_TEXT, "System")]


def test_people_s_decisions_are_applied():
    unknown = entity("CRM-100", "Robot")
    taken = Decisions(becomes={(Reason.UNKNOWN_CLASS, "Robot"): "System"})
    (accepted,) = judged(unknown, decisions=taken).accepted
    assert accepted.found.who.class_name == "System"
    ignored = judged(unknown, decisions=Decisions(ignored=frozenset({(Reason.UNKNOWN_CLASS, "Robot")})))
    assert (ignored.accepted, ignored.rejected) == ((), ())
    wrong = Decisions(becomes={(Reason.UNKNOWN_CLASS, "Robot"): "Nothing"})
    assert reasons(unknown, decisions=wrong) == [(Reason.UNKNOWN_CLASS, "Robot")]


NAMES = st.sampled_from(["CRM-100", "ERP-200", "财务部", "Billing", "XYZ", "", "1", "**CRM-100**", "Document"])
CLASSES = st.sampled_from(["System", "Department", "Person", "Robot", "Document", "Chunk", "Entity", "", "system"])
WHO = st.builds(Named, NAMES, CLASSES)
PLACES = st.builds(Where, st.integers(-2, 60), st.integers(-2, 60))
BY = st.sampled_from(list(Extractor))
KEYS = st.sampled_from(["context_length", "temperature", "protocol", "colour", "Entity", ""])
FOUND = st.one_of(
    st.builds(EntityFound, WHO, PLACES, BY, aliases=st.lists(NAMES, max_size=2).map(tuple)),
    st.builds(AttributeFound, WHO, KEYS, st.sampled_from(["128K", "", "x", "80 ℃"]), PLACES, BY),
    st.builds(
        RelationFound, WHO, st.sampled_from(["calls", "owned_by", "eats", "Document", ""]), WHO, PLACES, BY,
        attributes=st.dictionaries(KEYS, st.text(max_size=5), max_size=1),
    ),
)  # fmt: skip
DECISIONS = st.builds(
    Decisions,
    becomes=st.dictionaries(st.tuples(st.sampled_from(list(Reason)), st.sampled_from(["Robot", "eats"])), CLASSES),
)


@given(st.lists(FOUND, max_size=8), DECISIONS)
def test_nothing_out_of_schema_ever_passes(found, decisions):
    checked = judged(*found, decisions=decisions)
    assert all(conforms(each, skeleton()) for each in checked.accepted)
    assert len(checked.accepted) + len(checked.rejected) == len(found)

"""T13: from what a model wrote to findings with places; whatever it wrote ends on one side or the other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.model_reading.findings import findings
from ontology.model_reading.ground import Ground
from ontology.model_reading.output import Output
from ontology.types import AttributeFound, EntityFound, Named, Reason, RelationFound, Where

TEXT = "Elsewhere. The Mail Gateway (MG) calls Auth Server every night. It has 128K memory."
CHUNK = Where(11, len(TEXT))
CONTEXT = "Handbook › Billing"
RELATION = {
    "type": "calls",
    "source": "Mail Gateway",
    "source_class": "System",
    "target": "Auth Server",
    "target_class": "System",
    "quote": "calls Auth Server every night",
}


def found(**lists):
    output = Output({"entities": [], "attributes": [], "relations": [], **lists})
    return findings(output, Ground.of(TEXT, CHUNK), CHUNK, CONTEXT)


def said(finding):
    return TEXT[finding.where.start : finding.where.end]


def reasons(**lists):
    result = found(**lists)
    assert result.found == ()
    return [each.reason for each in result.rejected]


def test_a_relation_stands_where_its_quotation_and_its_names_are():
    (relation,) = found(relations=[RELATION]).found

    assert isinstance(relation, RelationFound)
    assert said(relation) == "Mail Gateway (MG) calls Auth Server every night"
    assert (relation.source, relation.target) == (Named("Mail Gateway", "System"), Named("Auth Server", "System"))


def test_without_a_quotation_the_names_say_where():
    (relation,) = found(relations=[{**RELATION, "quote": ""}]).found

    assert said(relation) == "Mail Gateway (MG) calls Auth Server"


def test_a_name_that_stands_in_a_heading_above_needs_no_place_of_its_own():
    (relation,) = found(relations=[{**RELATION, "source": "Billing"}]).found

    assert said(relation) == "calls Auth Server every night"


def test_a_value_stands_with_its_quotation_also_inside_of_a_sentence_without_the_name():
    item = {
        "class": "System",
        "entity": "Mail Gateway",
        "attribute": "memory",
        "value": "128K",
        "quote": "It has 128K memory.",
    }
    (attribute,) = found(attributes=[item]).found

    assert isinstance(attribute, AttributeFound)
    assert attribute.raw == "128K"
    assert said(attribute).startswith("Mail Gateway")
    assert said(attribute).endswith("128K memory.")


def test_each_mention_is_evidence_and_another_name_stands_beside_it():
    result = found(entities=[{"class": "System", "name": "Mail Gateway", "aliases": ["MG", "Mail Gateway"]}])

    assert [(said(each), each.aliases) for each in result.found] == [
        ("Mail Gateway", ()),
        ("Mail Gateway (MG", ("MG",)),
    ]


def test_the_list_of_entities_says_what_a_name_is():
    listed = {"class": "Person", "name": "Mail Gateway"}

    (_entity, relation) = found(entities=[listed], relations=[RELATION]).found

    assert relation.source.class_name == "Person"


@pytest.mark.parametrize(
    "change",
    [
        {"quote": "Mail Gateway never calls anybody"},
        {"source": "Print Server"},
        {"target": "Elsewhere"},
        {"attributes": {"since": "1999"}},
    ],
)
def test_what_is_not_in_the_chunk_is_put_aside(change):
    assert reasons(relations=[{**RELATION, **change}]) == [Reason.NOT_IN_TEXT]


def test_another_name_that_belongs_to_somebody_else_here_is_put_aside():
    listed = [
        {"class": "System", "name": "Mail Gateway", "aliases": ["Auth Server"]},
        {"class": "System", "name": "Auth Server"},
    ]

    result = found(entities=listed)

    assert [each.reason for each in result.rejected] == [Reason.HOMONYM]
    assert all(each.aliases == () for each in result.found if isinstance(each, EntityFound))


@pytest.mark.parametrize(
    "item",
    [
        None,
        7,
        "Mail Gateway",
        [],
        {},
        {"name": "Mail Gateway"},
        {"class": "System"},
        {"name": ["x"], "class": "System"},
        {"name": {}, "class": {}},
    ],
)
def test_what_has_no_form_is_put_aside_as_broken(item):
    assert reasons(entities=[item]) == [Reason.BROKEN_OUTPUT]


@pytest.mark.parametrize("missing", ["type", "source", "target", "source_class"])
def test_a_relation_that_lacks_a_part_is_broken(missing):
    assert reasons(relations=[{key: value for key, value in RELATION.items() if key != missing}]) == [
        Reason.BROKEN_OUTPUT
    ]


def test_more_than_anybody_could_mean_is_cut_with_a_note():
    result = found(entities=[{"class": "System", "name": "Mail Gateway"}] * 5000)

    assert len(result.found) == 200
    assert [(each.reason, each.about) for each in result.rejected] == [(Reason.BROKEN_OUTPUT, "too_many")]


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([*RELATION, "name", "class", "aliases", "entity", "attribute", "value"]), inner, max_size=5
        )
    ),
    max_leaves=10,
)


@given(st.lists(anything, max_size=4), st.lists(anything, max_size=4), st.lists(anything, max_size=4))
def test_whatever_a_model_writes_every_finding_lies_in_the_chunk(entities, attributes, relations):
    result = found(entities=entities, attributes=attributes, relations=relations)

    places = [each.where for each in result.found] + [each.found.where for each in result.rejected]
    assert all(CHUNK.start <= place.start < place.end <= CHUNK.end for place in places)

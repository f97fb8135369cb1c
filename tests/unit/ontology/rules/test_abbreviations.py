"""A full stop that belongs to a name or an abbreviation ends neither the name nor what is said of it; one that ends a sentence does."""

import pytest

from ontology.skeleton.read import compiled_skeleton
from tests.unit.ontology.rules.skeletons import found, gazetteer

SKELETON = compiled_skeleton("""
classes:
  Pump: {rules: {patterns: ['MX-\\d{2}']}}
  Company: {rules: {suffixes: [有限公司, Ltd., GmbH, Inc., Co., Corp., B.V., S.A., "Co., Ltd."]}}
  Person: {}
relations:
  supplied_by:
    from: [Pump]
    to: [Company, Person]
    attributes: {since: {}}
    phrases:
      - "{source} (is|are) supplied by [the ]{target}"
      - "{source} comes from {target}[ since {since}]"
      - "{target} supplies {source}"
      - "{source}由{target}供应"
""")


def suppliers(text):
    known = gazetteer(Person="Alice Brown")
    return {(source, target) for source, _type, target in found(text, of=SKELETON, known=known).relations}


@pytest.mark.parametrize("name", ["Südwind Ltd.", "Ökowind Inc.", "A. B. Corp.", "North Co.", "Boei B.V.", "Sol S.A."])
@pytest.mark.parametrize(
    "sentence",
    [
        "MX-31 is supplied by {name} as of today.",
        "MX-31 is supplied by {name}",
        "MX-31 is supplied by {name} in Hamburg.",
        "MX-31 is supplied by {name}, which is in Hamburg.",
        "MX-31 is supplied by the **{name}** The MX-32 is not.",
        "MX-31 comes from {name}",
        "MX-31 comes from {name} since 1990.",
        "{name} supplies MX-31.",
        "We like Hamburg. {name} supplies MX-31.",
        "MX-31由 {name} 供应。",
        "MX-31由{name}供应。",
    ],
)
def test_the_stop_of_a_company_s_name_hides_no_relation(sentence, name):
    assert suppliers(sentence.format(name=name)) == {("MX-31", name)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MX-31 is supplied by Dr. Alice Brown.", {("MX-31", "Alice Brown")}),
        ("MX-31 is supplied by No. 5 Works GmbH.", {("MX-31", "No. 5 Works GmbH")}),
        ("MX-31 is supplied by Star Co., Ltd. of Hamburg.", {("MX-31", "Star Co., Ltd.")}),
        (
            "MX-31 is supplied by Alpha Ltd., Beta Inc. and Gamma GmbH.",
            {("MX-31", "Alpha Ltd."), ("MX-31", "Beta Inc."), ("MX-31", "Gamma GmbH")},
        ),
    ],
)
def test_abbreviations_before_and_between_names_hide_none(text, expected):
    assert suppliers(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "MX-31 is supplied by Alpha Ltd. MX-32 is supplied by Beta Ltd.",
            {("MX-31", "Alpha Ltd."), ("MX-32", "Beta Ltd.")},
        ),
        (
            "MX-31 is supplied by Alpha Ltd. Beta GmbH supplies MX-32.",
            {("MX-31", "Alpha Ltd."), ("MX-32", "Beta GmbH")},
        ),
        ("We have MX-31. Alice Brown supplies it.", set()),
        ("MX-31 is supplied by hand. Alpha Ltd. is in Hamburg.", set()),
        ("MX-31由人工供应。Alpha Ltd. 在汉堡。", set()),
    ],
)
def test_a_stop_that_ends_the_sentence_ends_what_is_said(text, expected):
    assert suppliers(text) == expected

"""What the rules find in small documents, and where."""

import re
from dataclasses import replace

import pytest

from ontology.check import check
from ontology.types import AttributeFound, AttributeType, EntityFound, Extractor, Reason, RelationFound
from tests.unit.ontology.rules.skeletons import (
    DEPARTMENT,
    PERSON,
    PUBLICATION,
    SYSTEM,
    found,
    gazetteer,
    parsed,
    skeleton,
)


def subject(findings):
    return next((each for each in findings.all if each.extractor is Extractor.SUBJECT), None)


def test_the_title_names_the_subject_where_the_heading_holds_it():
    text = "# Travel rules\n\nTravel is paid by the company."
    findings = found(text, parsed(text), title="Travel rules")
    who = subject(findings)
    assert (who.who.name, who.who.class_name) == ("Travel rules", "Publication")
    assert text[who.where.start : who.where.end] == "Travel rules"


def test_a_title_that_the_text_does_not_hold_stands_by_the_first_sentence():
    text = "It carries four people. It flies."
    who = subject(found(text, title="Air taxi"))
    assert text[who.where.start : who.where.end] == "It carries four people."


@pytest.mark.parametrize(
    ("title", "name", "class_name", "aliases"),
    [
        ("CRM-100", "CRM-100", "System", ()),
        ("CRM-100 (Customer Portal)", "CRM-100", "System", ("CRM-100 (Customer Portal)",)),
        ("Large Language Model (LLM)", "Large Language Model (LLM)", "Publication", ("Large Language Model", "LLM")),
        ("Handbook – Night shift", "Handbook – Night shift", "Publication", ("Night shift",)),
        ("报销系统", "报销系统", "System", ()),
        ("report.pdf", "report", "Publication", ()),
    ],
)
def test_class_and_aliases_of_the_subject(title, name, class_name, aliases):
    who = subject(found("Some text.", title=title))
    assert (who.who.name, who.who.class_name, who.aliases) == (name, class_name, aliases)


@pytest.mark.parametrize(("text", "title"), [("", "Title"), ("   ", "Title"), ("Text.", ""), ("Text.", "123")])
def test_no_subject_without_words_or_name(text, title):
    assert subject(found(text, title=title)) is None


def test_a_known_title_is_the_known_entity():
    who = subject(found("x", title="Ledger", known=gazetteer(System="Ledger")))
    assert who.who.class_name == "System"


def test_names_inside_of_markdown_have_spans_that_hold_just_the_name():
    text = "**CRM-100** reads [ERP-200](http://x.org/ERP-999) and `HR-10`."
    assert found(text).words() == ["CRM-100", "ERP-200", "HR-10"]


def test_stop_names_are_no_names():
    assert found("ISO-9001 and 本系统 apply.").entities == []


def test_a_longer_name_by_form_wins_over_a_known_one_inside_of_it():
    findings = found("北京财务部 replies", known=gazetteer(System="北京"))
    assert ("Department", "北京财务部") in findings.entities
    assert ("System", "北京") not in findings.entities


def test_a_homonym_is_left_open_with_all_its_candidates():
    (mention,) = found("Atlas runs.", known=gazetteer(System="Atlas", Person="Atlas")).all
    assert {each.class_name for each in mention.candidates} == {"System", "Person"}


@pytest.mark.parametrize(
    ("text", "relations"),
    [
        ("CRM-100 calls ERP-200.", [("CRM-100", "calls", "ERP-200")]),
        ("The **CRM-100** invokes [ERP-200](x).", [("CRM-100", "calls", "ERP-200")]),
        ("CRM-100 stops. It calls ERP-200.", []),
        ("CRM-100 calls.\n\nERP-200 rests.", []),
        ("CRM-100 calls ERP-200 and HR-10.", [("CRM-100", "calls", "ERP-200"), ("CRM-100", "calls", "HR-10")]),
        (
            "CRM-100 calls ERP-200 and HR-10 calls AB-12.",
            [("CRM-100", "calls", "ERP-200"), ("HR-10", "calls", "AB-12")],
        ),
        ("CRM-100 calls someone; nobody knows ERP-200.", []),
        ("订单系统调用库存系统。", [("订单系统", "calls", "库存系统")]),
        ("订单系统由销售部和财务部负责。", [("订单系统", "owned_by", "销售部"), ("订单系统", "owned_by", "财务部")]),
        ("CRM-100 calls CRM-100.", []),
        ("财务部 calls CRM-100.", []),
    ],
)
def test_relations_that_a_sentence_says(text, relations):
    assert found(text).relations == relations


def test_the_evidence_of_a_relation_is_its_sentence_and_attributes_are_kept_as_written():
    text = "Look. CRM-100 calls ERP-200 over HTTP today. End."
    (relation,) = [each for each in found(text).all if isinstance(each, RelationFound)]
    assert text[relation.where.start : relation.where.end] == "CRM-100 calls ERP-200 over HTTP today."
    assert relation.attributes == {"protocol": "HTTP"}


def test_the_longest_known_name_at_the_place_is_the_end():
    known = gazetteer(System="Ledger|Ledger Archive|Shop")
    assert found("Shop calls Ledger Archive.", known=known).relations == [("Shop", "calls", "Ledger Archive")]


def test_rows_of_a_table_say_things_of_the_row_s_entity():
    text = "| System | Called by | Owner | Context length (tokens) |\n|---|---|---|---|\n| **ERP-200** | CRM-100, ABC-33 | 财务部 | 128K |\n| HR-10 | - | n/a | |"
    findings = found(text, parsed(text))
    assert findings.relations == [
        ("CRM-100", "calls", "ERP-200"),
        ("ABC-33", "calls", "ERP-200"),
        ("ERP-200", "owned_by", "财务部"),
    ]
    assert findings.attributes == [("ERP-200", "context_length", "128K")]
    (attribute,) = [each for each in findings.all if isinstance(each, AttributeFound)]
    assert text[attribute.where.start : attribute.where.end].startswith("| **ERP-200**")


@pytest.mark.parametrize(
    ("cell", "is_refused"),
    [
        ("{x}", True),
        ("A\\|B", True),
        ("long " * 1000, True),
        ("200", False),
        ("🎈", False),
        ("n/a", False),
        ("", False),
    ],
    ids=["braces", "bar", "long", "number", "picture", "nothing", "empty"],
)
def test_words_of_a_row_that_cannot_be_a_name_are_refused_and_not_dropped(cell, is_refused):
    text = f"| System | Owner |\n|---|---|\n| {cell} | 财务部 |"
    findings = found(text, parsed(text))
    checked = check(findings.all, text, skeleton())

    assert findings.relations == []
    assert [each.reason for each in checked.rejected] == [Reason.BAD_NAME] * is_refused


@pytest.mark.parametrize("header", ["| Key | Value |\n|---|---|\n", ""])
def test_a_table_of_keys_and_values_is_about_the_heading_above(header):
    text = f"# CRM-100\n\n{header}| 上下文长度 | 4096 |\n| max temperature (℃) | 80 |\n| Colour | blue |"
    assert found(text, parsed(text)).attributes == [
        ("CRM-100", "context_length", "4096"),
        ("CRM-100", "temperature", "80 ℃"),
    ]


def test_lines_of_keys_and_values_are_about_the_record_above_or_else_the_subject():
    text = (
        "# 系统：Atlas\n\n上下文长度：128K\n\n## Notes\n\n- **Owner**: Finance Department\n- Note: nothing\n\n"
        "# HR-10\n\nContext length: 4,096\n\n# General remarks\n\nContext length: 1"
    )
    findings = found(text, parsed(text), title="Our systems")
    assert findings.attributes == [("Atlas", "context_length", "128K"), ("HR-10", "context_length", "4,096")]
    assert findings.relations == [("Atlas", "owned_by", "Finance Department")]


def test_all_places_lie_in_the_text_and_hold_the_names_that_patterns_and_known_names_found():
    text = "# CRM-100\n\n**ERP-200** calls HR-10…\n\n- Owner: Finance Department"
    for each in found(text, parsed(text), title="CRM-100").all:
        assert 0 <= each.where.start < each.where.end <= len(text)
        if isinstance(each, EntityFound) and each.extractor in (Extractor.PATTERN, Extractor.GAZETTEER):
            assert re.sub(r"\W", "", text[each.where.start : each.where.end]) == re.sub(r"\W", "", each.who.name)


def test_without_a_class_for_subjects_there_is_none():
    other = skeleton(*(each for each in skeleton().classes.values() if each is not PUBLICATION))
    assert subject(found("Some text.", title="A title", of=other)) is None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The system is CRM-100. Kraan Mail Server is off.", ["CRM-100", "Kraan Mail Server"]),
        ("It came in 2026. Mail Server is new.", ["Mail Server"]),
        ("Ask Dr. Smith. J. Smith Mail Server is new.", ["J. Smith Mail Server"]),
        ("The Finance Department pays.", ["Finance Department"]),
        ("We know Our Finance Department and That Sales Department.", ["Finance Department", "Sales Department"]),
        ("From Finance Department to Sales Department.", ["Finance Department", "Sales Department"]),
        ("The Department pays.", []),
    ],
)
def test_names_by_form_begin_in_their_sentence_and_after_articles(text, names):
    assert found(text).words() == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("订单管理系统上线。", ["订单管理系统"]),
        ("财务部使用订单管理系统", ["财务部", "订单管理系统"]),
        ("仓库现在采用订单管理系统", ["订单管理系统"]),
        ("在那一年的春天以后大家都调用订单管理系统", ["订单管理系统"]),
        ("小明和大家一起开心地在上海总公司里面使用订单管理系统", ["订单管理系统"]),
        ("采购部负责管理订单系统", ["采购部", "订单系统"]),
        ("我们的应用系统", []),
        ("会议系统与交易系统", ["会议系统", "交易系统"]),
        ("使用智能客服系统", ["智能客服系统"]),
    ],
)
def test_a_chinese_name_by_form_begins_at_the_edge_of_a_word(text, names):
    assert found(text).words() == names


def test_a_name_in_a_cell_or_a_heading_has_no_article_but_for_a_known_one():
    text = "# The Finance Department\n\n| System | Owner |\n| --- | --- |\n| Ledger | The Finance Department |\n"
    plain = found(text, parsed(text), title="The Finance Department")
    known = found(text, parsed(text), known=gazetteer(Department="The Finance Department"))

    assert {each.who.name for each in plain.all if isinstance(each, EntityFound)} == {"Finance Department", "Ledger"}
    assert ("Ledger", "owned_by", "The Finance Department") in known.relations


@pytest.mark.parametrize(
    ("text", "values", "entities"),
    [
        ("System: Orchid\nTemperature: 20\nWebsite: x.org", [("Orchid", "temperature", "20")], ["Orchid"]),
        ("- System: Orchid\n- Temperature: 20", [("Orchid", "temperature", "20")], ["Orchid"]),
        ("系统：订单中台\n上下文长度：12", [("订单中台", "context_length", "12")], ["订单中台"]),
        ("# System: Orchid\n\n## Limits\n\nTemperature: 20", [("Orchid", "temperature", "20")], ["Orchid"]),
        ("# 系统：订单中台\n\n| 上下文长度 | 12 |", [("订单中台", "context_length", "12")], ["订单中台"]),
        ("System: Orchid\n\nTemperature: 20", [("Orchid", "temperature", "20")], ["Orchid"]),
        ("System: Orchid\nDepartment: Finance\nTemperature: 20", [("Orchid", "temperature", "20")], ["Orchid"]),
        ("System: Orchid\nTemperature: hot", [("Orchid", "temperature", "hot")], ["Orchid"]),
        ("System: Orchid\n\n# Weather\n\nTemperature: 20", [], []),
        ("Note: Orchid\nTemperature: 20", [], []),
        ("System: orchids grow here\nTemperature: 20", [], []),
        ("System: Orchid", [], []),
        ("System:\nTemperature: 20", [], []),
    ],
)
def test_a_line_or_heading_that_names_a_class_says_what_the_lines_below_are_about(text, values, entities):
    system = replace(SYSTEM, record_headings=())
    findings = found(text, parsed(text), of=skeleton(system, DEPARTMENT, PERSON))

    assert findings.attributes == values
    assert [
        name for name in ("Orchid", "订单中台", "Finance") if name in {each for _class, each in findings.entities}
    ] == entities


def test_a_key_of_the_document_stays_the_document_s_below_a_name():
    text = "# Rules\n\nPerson: Anna Berg\nOwner: Finance Department"
    findings = found(text, parsed(text), title="Rules")

    assert ("Rules", "owned_by", "Finance Department") in findings.relations


def test_a_title_that_names_a_class_is_a_subject_of_that_class():
    text = "System: Orchid\n\nTemperature: 20"
    who = subject(found(text, title="System: Orchid"))

    assert (who.who.name, who.who.class_name, who.aliases) == ("Orchid", "System", ())


@pytest.mark.parametrize(
    "text",
    [
        "System: Ledger\nwebsite: https://ledger.example/a?b=1\nTemperature: 20",
        "- 系统：Ledger\n- website：<https://ledger.example/a?b=1>\n- Temperature：20",
        "| System | website | Temperature |\n| --- | --- | --- |\n| Ledger | https://ledger.example/a?b=1 | 20 |",
    ],
)
def test_an_address_is_a_value(text):
    system = replace(SYSTEM, attributes=(*SYSTEM.attributes, AttributeType("website")))
    findings = found(text, parsed(text), of=skeleton(system))

    assert findings.attributes == [
        ("Ledger", "website", "https://ledger.example/a?b=1"),
        ("Ledger", "temperature", "20"),
    ]

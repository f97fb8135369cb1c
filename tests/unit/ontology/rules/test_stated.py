"""A relation is found where a sentence states it, not where it denies, asks or only supposes it."""

import pytest

from ontology.types import RelationFound
from tests.unit.ontology.rules.skeletons import found, parsed


def relations(text):
    return [
        (each.source.name, each.type, each.target.name)
        for each in found(text, parsed(text)).all
        if isinstance(each, RelationFound)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "The CRM-100 never calls ERP-200.",
        "The CRM-100 no longer calls ERP-200.",
        "If the CRM-100 calls ERP-200, ring the desk.",
        "Nobody knows whether the CRM-100 calls ERP-200.",
        "Is it true that CRM-100 calls ERP-200?",
        "The CRM-100 is not owned by IT Department.",
        "报销系统不调用门户系统。",
        "报销系统没有调用门户系统。",
        "报销系统已不再由财务部负责。",
        "如果报销系统调用门户系统，请联系值班人员。",
        "报销系统是否调用门户系统，尚不清楚。",
        "报销系统调用门户系统吗？",
    ],
)
def test_what_is_denied_asked_or_supposed_is_no_relation(text):
    assert relations(text) == []


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("The CRM-100 calls ERP-200.", ("CRM-100", "calls", "ERP-200")),
        ("It is not new, but CRM-100 calls ERP-200.", ("CRM-100", "calls", "ERP-200")),
        ("The CRM-100 not only calls ERP-200.", ("CRM-100", "calls", "ERP-200")),
        ("If it rains, CRM-100 calls ERP-200.", ("CRM-100", "calls", "ERP-200")),
        ("报销系统不仅调用门户系统。", ("报销系统", "calls", "门户系统")),
        ("报销系统不同于旧版，报销系统调用门户系统。", ("报销系统", "calls", "门户系统")),
        ("未来系统调用门户系统。", ("未来系统", "calls", "门户系统")),
    ],
)
def test_what_is_stated_is_one(text, relation):
    assert relation in relations(text)


def test_a_name_does_not_begin_with_the_end_of_an_if():
    text = "如果报销系统调用门户系统，请联系值班人员。"

    assert {name for _class, name in found(text, parsed(text)).entities} == {"报销系统", "门户系统"}


@pytest.mark.parametrize("text", ["云桥部署在杭州。", "请看第二部分。"])
def test_a_suffix_that_begins_another_word_is_none(text):
    assert not found(text, parsed(text)).entities


@pytest.mark.parametrize("text", ["财务部位于杭州。", "财务部分析订单。", "财务部落实计划。"])
def test_a_suffix_before_another_word_stays_one(text):
    assert ("Department", "财务部") in found(text, parsed(text)).entities

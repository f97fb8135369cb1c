"""Names that are the same name, and what is no name."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.text import fold
from ontology.names import is_clean_name, normal

# Written for this test: each line is one thing under several names that must join, and no name may join across lines.
ALIASES = (
    ("Acme Pumps Inc.", "ACME PUMPS", "acme pumps, inc", "Ａｃｍｅ Ｐｕｍｐｓ", "Acme  Pumps Incorporated"),
    ("Acme Valves Ltd", "Acme Valves Limited", "Acme Valves Co., Ltd."),
    ("Northwind GmbH", "NorthWind", "Northwind GmbH & Co. KG"),
    ("Northwind Traders", "northwind traders"),
    ("华星科技有限公司", "华星科技", "華星科技股份有限公司", "华星科技集团", "华星 科技（有限公司）"),
    ("华星科技上海分公司",),
    ("华星材料有限责任公司", "华星材料公司"),
    ("《采购管理制度》", "采购管理制度", "採購管理制度", "「采购管理制度」"),
    ("《采购管理制度》实施细则", "采购管理制度实施细则"),
    ("Dr. Jane Miller", "Jane Miller", "JANE MILLER", "Prof. Jane Miller"),
    ("John Miller", "Mr. John Miller"),
    ("李明华", "李明华先生", "李明華教授"),
    ("李明",),
    ("王先生",),
    ("GPT-4", "gpt-4", "GPT‑4", "ＧＰＴ－４"),
    ("GPT-4o",),
    ("X-100 控制器", "X-100控制器"),
    ("X-1000 控制器",),
    ("财务部", "財務部", "财 务 部"),
    ("财务共享中心",),
)
NAMES = st.text(
    st.sampled_from("aA bBé.,,-《》“\"' Inc.CoLtd公司有限集团华星科技Mr.Dr先生教授\u3000Ａ１ﬁ…"), max_size=14
)


def test_the_labelled_aliases_join_exactly_with_few_left_out_and_none_joined_wrongly():
    labelled = [(name, number) for number, names in enumerate(ALIASES) for name in names]
    pairs = list(combinations(labelled, 2))
    same = {(a, b) for (a, i), (b, j) in pairs if i == j}
    joined = {(a, b) for (a, _), (b, _) in pairs if normal(a) == normal(b)}
    right = len(same & joined)
    precision, recall = right / len(joined), right / len(same)
    print(f"exact joins: precision {precision:.3f}, recall {recall:.3f} over {len(pairs)} pairs")
    assert joined - same == set()
    assert recall >= 0.9, same - joined


@given(st.one_of(NAMES, st.text(max_size=30)))
def test_normal_twice_is_normal_once(name):
    assert normal(normal(name)) == normal(name)


@given(NAMES)
def test_folding_a_name_first_changes_nothing(name):
    assert normal(fold(name)) == normal(name)


@given(st.text(max_size=30))
def test_a_name_stays_itself_between_spaces_and_quotes(name):
    assert normal(f"  “{name}” ") == normal(name)


@pytest.mark.parametrize("name", ["公司", "有限公司", "集团", "Inc.", "Mr.", "先生", "教授", "Co."])
def test_a_suffix_alone_is_not_taken_away(name):
    assert normal(name)


@pytest.mark.parametrize(
    "name",
    [
        "", " ", "123", "3.14", "——", "《》", "a" * 201, "two\nlines", "**bold**", "[x](http://x)", "<b>x</b>", "`code`",
        "# Heading", "- item", "a | b", "a &amp; b", "https://example.org/x", " padded", "x\tcolumn",
    ],
)  # fmt: skip
def test_what_is_no_name(name):
    assert not is_clean_name(name)


@pytest.mark.parametrize(
    "name",
    ["A", "李", "GPT-4", "C++", "AT&T", "O'Brien", "《红楼梦》", "3M", "北京（总部）", "a" * 200, "Node.js", "C#"],
)
def test_what_may_be_a_name(name):
    assert is_clean_name(name)

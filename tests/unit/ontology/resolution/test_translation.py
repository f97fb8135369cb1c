"""When near vectors of two names in two scripts make a suggestion."""

from uuid import UUID

import pytest

from ontology.resolution.profile import Neighbour, Profile
from ontology.resolution.reasons import said
from ontology.resolution.translation import TRANSLATION, Near, may_translate, meaning, translated
from ontology.resolution.weigh import weigh
from ontology.values.agreement import Exact

CLEAR, UNCLEAR = Near(0.6, 0.1), Near(0.6, 0.01)


def profile(number, name, class_name="Process", **more):
    return Profile(UUID(int=number), class_name, (name,), **more)


def weighed(near, left="Vacation policy", right="休假制度", **more):
    return weigh(profile(1, left, **more), profile(2, right, **more), near)


def test_names_that_are_clearly_each_others_nearest_are_suggested_with_the_reason():
    found = weighed(CLEAR)

    assert found is not None
    assert found.score > 0.6
    assert found.reasons == ({"kind": TRANSLATION, "left": "Vacation policy", "right": "休假制度"},)
    assert "休假制度" in said(found.reasons[0])


@pytest.mark.parametrize("near", [None, Near(0.3, 0.1), Near(0.6, -0.01), UNCLEAR])
def test_a_low_similarity_or_a_rival_as_near_is_not_enough(near):
    assert weighed(near) is None


def test_without_a_clear_margin_it_takes_values_that_both_have():
    values = {"days": frozenset({Exact("15")}), "since": frozenset({Exact("2024")})}

    assert weighed(UNCLEAR, values=values) is not None
    assert weighed(UNCLEAR, values={"days": frozenset({Exact("15")})}) is None


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Import Service", "Export Service"),
        ("入职流程", "离职流程"),
        ("Gearbox GB-10", "齿轮箱GB-12"),
        ("Budget 2024", "预算"),
    ],
)
def test_neither_within_one_script_nor_with_other_numbers(left, right):
    assert translated(profile(1, left), profile(2, right), Near(0.95, 0.3)) is None


def test_between_classes_it_does_not_count():
    assert weigh(profile(1, "Vacation policy", "Process"), profile(2, "休假制度", "Document"), CLEAR) is None


def test_a_relation_between_the_two_speaks_for_two():
    left = profile(1, "Sales Department", neighbours=frozenset({Neighbour("part_of", True, UUID(int=2))}))

    assert weigh(left, profile(2, "销售部"), CLEAR) is None


@pytest.mark.parametrize(
    ("han", "latin", "may"),
    [
        ("第二车间", "Workshop 2", True),
        ("第三车间", "Workshop 2", False),
        ("统一登录", "Unified login", True),
        ("轴承６２０４", "Bearing 6204", True),
        ("轴承", "Bearing 6204", False),
        ("Redis缓存", "Redis Cache", True),
        ("Redis缓存", "Memory Cache", False),
        ("Customer Questions 客户常见问题", "IT Help: Questions and Answers", False),
        ("缓存", "", True),
    ],
)
def test_figures_are_the_same_and_latin_words_stand_in_the_other(han, latin, may):
    assert may_translate(han, latin) is may
    assert may_translate(latin, han) is may


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("HX-220 清洗规程", "清洗规程"),
        ("HX-220 Data Sheet", "data sheet"),
        ("2024 年度报告（初稿）", "年度报告 初稿"),
        ("OA系统", "系统"),
        ("Travel Policy 2026", "travel policy"),
        ("Zürich", "zürich"),
        ("GPT-4", ""),
        ("", ""),
        ("- 2 -", ""),
    ],
)
def test_a_vector_is_taken_of_words_alone(name, words):
    assert meaning(name) == words

"""Which names may be of one."""

from pathlib import Path
from uuid import UUID

import pytest

from ontology.resolution.blocks import CROWD, hashed, keys, pairs
from ontology.resolution.forms import forms_of
from ontology.resolution.measured import labelled, measured
from ontology.resolution.profile import Neighbour, Profile
from ontology.resolution.weigh import Likely, weigh
from ontology.values.agreement import Exact

ALIASES = Path(__file__).parents[4] / "benchmarks" / "aliases.tsv"
PRECISION, RECALL = 0.95, 0.85


def profile(name: str, *others: str, number: int = 1, class_name: str = "System", **more) -> Profile:
    return Profile(UUID(int=number), class_name, (name, *others), **more)


def told(left: str, right: str, class_name: str = "System") -> Likely | None:
    return weigh(profile(left, number=1, class_name=class_name), profile(right, number=2, class_name=class_name))


def kinds(found: Likely | None) -> list[str]:
    return [reason["kind"] for reason in found.reasons] if found else []


@pytest.mark.parametrize(
    ("left", "right", "kind"),
    [
        ("Mail Gateway", "Mail-Gateway", "spelling"),
        ("Müller Werk", "Mueller Werk", "spelling"),
        ("Nestlé Kaffee", "Nestle Kaffee", "spelling"),
        ("Wei Zhang", "Zhang Wei", "order"),
        ("J. Smith", "John Smith", "person_initials"),
        ("World Health Organization", "WHO", "initials"),
        ("订单中心（OMS）", "OMS", "brackets"),
        ("清华大学", "清华", "without_kind"),
        ("人力资源和社会保障局", "人社局", "short_form"),
        ("质量与安全部", "质量安全部", "spelling"),
        ("Recommendation Engine", "Recomendation Engine", "slip"),
    ],
)
def test_a_pair_is_suggested_with_its_reason(left, right, kind):
    assert kind in kinds(told(left, right))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("GPT-3", "GPT-4"),
        ("GPT-4", "GPT-4o"),
        ("Pump P-100", "Pump P-101"),
        ("Series II", "Series III"),
        ("Vitamin A", "Vitamin B"),
        ("第一车间", "第二车间"),
        ("Import Service", "Export Service"),
        ("Internal Audit", "External Audit"),
        ("北京大学", "北京大学医学院"),
        ("北京大学", "北京工业大学"),
        ("财务部", "业务部"),
        ("Mail Server", "Mail Gateway"),
        ("Austria", "Australia"),
    ],
)
def test_names_that_differ_in_what_counts_are_left_apart(left, right):
    assert told(left, right) is None


def test_another_name_of_the_one_that_is_the_others_name_is_a_reason():
    left, right = profile("Order System", "订单系统", number=1), profile("订单系统", number=2)

    assert kinds(weigh(left, right)) == ["same_name"]


def test_between_classes_only_one_and_the_same_name_counts_and_less():
    same = weigh(profile("Falcon", class_name="Model"), profile("Falcon", number=2, class_name="Product"))
    near = weigh(profile("J. Smith", class_name="Person"), profile("John Smith", number=2, class_name="Product"))

    assert same is not None
    assert same.score < 0.9
    assert "other_class" in kinds(same)
    assert near is None


def test_values_that_can_not_both_be_true_make_it_a_question():
    born = [{"born": frozenset({Exact(day)})} for day in ("1970-01-02", "1981-05-06")]
    left, right = (
        profile(name, number=at, class_name="Person", values=values, single=frozenset({"born"}))
        for at, (name, values) in enumerate(zip(("Wei Zhang", "Zhang Wei"), born, strict=True), start=1)
    )

    found, plain = weigh(left, right), told("Wei Zhang", "Zhang Wei", "Person")

    assert plain is not None
    assert found is None or found.score < plain.score - 0.2


def test_a_year_does_not_contradict_a_day_in_it():
    left = profile("Mail Gateway", values={"released": frozenset({Exact("2024")})}, single=frozenset({"released"}))
    right = profile(
        "Mail-Gateway", number=2, values={"released": frozenset({Exact("2024-03-01")})}, single=frozenset({"released"})
    )

    assert "contradiction" not in kinds(weigh(left, right))


def test_two_that_have_a_relation_to_each_other_are_hardly_one():
    left = profile("Mail Gateway", neighbours=frozenset({Neighbour("calls", True, UUID(int=2))}))

    found = weigh(left, profile("Mail-Gateway", number=2))

    assert "related" in kinds(found)
    assert found is not None
    assert found.score < 0.7


def test_names_in_two_languages_are_one_when_all_else_is_the_same():
    around = {
        "values": {"port": frozenset({Exact("8443")}), "memory": frozenset({Exact("64")})},
        "neighbours": frozenset({Neighbour("calls", True, UUID(int=9)), Neighbour("keeps", False, UUID(int=8))}),
    }

    found = weigh(profile("Order System", **around), profile("订单系统", number=2, **around))

    assert kinds(found) == ["shared_value", "shared_value", "shared_neighbours"]


def test_the_order_of_the_two_does_not_matter():
    one, other = profile("J. Smith", number=2), profile("John Smith", number=1)

    assert weigh(one, other) == weigh(other, one)


@pytest.mark.parametrize("name", ["", "   ", "()", "（）", "—", "9", "a", "((a) b)", "\u0301", "🙂", "x" * 500])
def test_no_name_breaks_the_comparison(name):
    found = Profile(UUID(int=1), "System", (name,))

    assert isinstance(forms_of(name), tuple)
    assert isinstance(keys(found), set)
    weigh(found, profile("Mail Gateway", number=2))


def test_a_key_that_a_crowd_shares_says_nothing():
    crowd = [profile(f"Zug {number}", number=number + 1) for number in range(CROWD + 10)]

    assert len(list(pairs(crowd))) < len(crowd) * (len(crowd) - 1) / 2 / 5


def test_keys_fit_into_eight_bytes():
    assert all(-(2**63) <= hashed(key) < 2**63 for key in keys(profile("Mail Gateway 系统")))


def test_the_labelled_names_are_told_apart_well_enough():
    given = list(labelled(ALIASES.read_text(encoding="utf-8").splitlines()))

    found = measured(given)

    assert len(given) >= 150
    assert found.precision >= PRECISION, found.wrong
    assert found.recall >= RECALL, found.missed

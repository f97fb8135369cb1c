"""Which values can both be true."""

import pytest

from ontology.types import AttributeType, ValueType
from ontology.values.agreement import Exact, agree, contradict, exact, number_shown
from ontology.values.parse import parse


def written(words: str, unit: str) -> Exact:
    value = parse(words, AttributeType("amount", ValueType.NUMBER, unit=unit))
    return exact(value.key, value.value, value.unit, value.text)


@pytest.mark.parametrize(
    ("one", "other", "unit"),
    [
        ("145 psi", "10 bar", "bar"),
        ("26.5 lb", "12 kg", "kg"),
        ("26.5磅", "12公斤", "kg"),
        ("77 °F", "25 ℃", "℃"),
        ("3.28 ft", "1.00 m", "m"),
        ("12 h", "0.5 天", "h"),
        ("12.4 kg", "12 kg", "kg"),
        ("32.5 kg", "33 kg", "kg"),
        ("-40 ℉", "-40 ℃", "℃"),
    ],
)
def test_one_amount_is_written_in_many_ways(one, other, unit):
    assert agree(written(one, unit), written(other, unit))
    assert agree(written(other, unit), written(one, unit))


@pytest.mark.parametrize(
    ("one", "other", "unit"),
    [
        ("160 psi", "10 bar", "bar"),
        ("12.4 kg", "12.0 kg", "kg"),
        ("12 kg", "13 kg", "kg"),
        ("12公斤", "20磅", "kg"),
        ("1 year", "15 months", "month"),
        ("2 h", "-2 h", "h"),
        ("1000 EUR", "1040 EUR", "EUR"),
    ],
)
def test_amounts_that_rounding_does_not_explain_contradict(one, other, unit):
    assert contradict([written(one, unit), written(other, unit)])


@pytest.mark.parametrize(("one", "other", "agrees"), [("2024", "2024-05", True), ("2024-05", "2024-05-01", True), ("2024", "2025-05", False), ("1", "10", False), ("open", "open-air", False)])  # fmt: skip
def test_only_a_date_may_be_part_of_another_value(one, other, agrees):
    assert agree(Exact(one), Exact(other)) is agrees


@pytest.mark.parametrize("text", ["", "many", "约十", "10 elephants", "￥"])
def test_words_that_give_no_precision_leave_values_as_they_are(text):
    assert not agree(exact("9.9 bar", 9.9, "bar", text), exact("10.0 bar", 10.0, "bar", text))


def test_no_values_and_one_do_not_contradict():
    assert not contradict([])
    assert not contradict([Exact("1")])


@pytest.mark.parametrize(
    ("value", "shown"),
    [(9.99739807509, "9.9974"), (10.0, "10"), (131072.0, "131072"), (0.0000123, "1.23e-05"), (12345.678, "12345.7"), (0.5, "0.5"), (9999.96, "10000")],
)  # fmt: skip
def test_numbers_are_shown_with_the_digits_that_mean_something(value, shown):
    assert number_shown(value) == shown

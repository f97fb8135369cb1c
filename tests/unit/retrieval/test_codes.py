"""Codes of products and parts."""

import pytest

from retrieval.answerers.codes import codes_in, holds_all, is_about_others


@pytest.mark.parametrize("text", ["P-100", "P100", "The P-100 stops", "泵P-100停机"])
def test_a_code_is_itself_whatever_stands_around_it(text):
    assert codes_in(text) == {("p", "100")}


@pytest.mark.parametrize("text", ["", "the pump", "2026", "80 °C", "p-value", "A"])
def test_other_words_and_figures_are_no_codes(text):
    assert codes_in(text) == frozenset()


def test_a_code_is_held_with_and_without_its_hyphen():
    assert holds_all(codes_in("P-100"), "der P100")
    assert not holds_all(codes_in("P-100"), "P-160")
    assert holds_all(frozenset(), "anything")


def test_what_names_only_neighbours_is_about_others():
    asked = codes_in("When does P-100 stop?")

    assert is_about_others(asked, "P-160 stops at 90 °C.")
    assert not is_about_others(asked, "P-100 and P-160 stop at 80 °C.")
    assert not is_about_others(asked, "E-07 is shown.")
    assert not is_about_others(frozenset(), "P-160 stops.")

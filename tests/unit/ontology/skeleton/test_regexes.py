"""Patterns that people write can't run away."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontology.skeleton.regexes import UnsafePattern, safe_pattern, with_ends


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (r"[A-Z]{1,3}-\d+[A-Z]?", "HX-220"),
        (r"[A-Z]+(?:-[A-Z0-9]+)*", "RTX-4090-TI"),
        (r"(?:[A-Z][a-z]+)+", "PumpStation"),
        (r"(?i)rev(?:ision)?\s+[a-z]", "Revision C"),
        (r"[\u4e00-\u9fff]{2,8}(?:系统|平台)", "采购管理系统"),
        (r"\w+\s\w+", "Lin Yuhan"),
        (r"[]*+]+x", "*+]x"),
        (r"\+\d{2,}", "+31"),
        (r"a+?b", "aab"),
    ],
)
def test_an_ordinary_pattern_is_taken(written, text):
    assert safe_pattern(written).fullmatch(text)


@pytest.mark.parametrize(
    "written",
    [
        r"(a+)+b",
        r"(a*)*b",
        r"(a|a)*b",
        r"(a|a.)*c",
        r"(?:a?){40}a{40}",
        r"(\w+\s?)+!",
        r"\w*\w*\w*x",
        r"(?i)([A-Z]+[a-z])+!",
        r"(a+b?)+c",
        r"(?:(?:a+)+)?b",
        r"(.*)(.*)(.*)x",
        r"(?=(a+)+$)a",
        r"(a)\1+",
    ],
)
def test_a_pattern_that_could_run_away_is_refused_with_advice(written):
    with pytest.raises(UnsafePattern) as refused:
        safe_pattern(written)

    assert refused.value.instead


@pytest.mark.parametrize(
    "written", ["", "a*", "(", "[a", "a**", r"(?x)a b", r"a(?#+)", "a" * 301, "a{30000}", "(a{99}){199}", "x(?P<a>b"]
)
def test_a_pattern_that_is_empty_broken_or_too_large_is_refused(written):
    with pytest.raises(UnsafePattern):
        safe_pattern(written)


def test_an_open_repetition_gets_an_end():
    assert with_ends(r"a*b+?c{2,}[*+]\*(?P<n>d)++e{90,}") == r"a{0,80}b{1,80}?c{2,80}[*+]\*(?P<n>d){1,80}+e{90,90}"


PIECES = st.sampled_from([r"\w", "a", "[ab]", ".", r"\d", "ab", "(?:a|b)", "(?:ab|a)", "(a+)", r"\b", "(?:b?c)", "-"])
QUANTIFIERS = st.sampled_from(["", "", "*", "+", "?", "{2,5}", "{3}", "*?"])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(PIECES, QUANTIFIERS), min_size=1, max_size=6), st.text("ab1-c ", min_size=20, max_size=120))
def test_what_is_taken_ends_soon_on_any_text(parts, text):
    try:
        pattern = safe_pattern("".join(piece + quantifier for piece, quantifier in parts))
    except UnsafePattern:
        return
    started = time.thread_time()
    for text_tried in (text, "a" * 200 + "!", "ab" * 100 + "!"):
        assert pattern.search(text_tried) is None or True
        re.sub(pattern, "", text_tried)

    assert time.thread_time() - started < 5

"""Passages of two readings: what stayed, and at which places they differ."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.comparing.align import align, longest_rising

WORDS = st.lists(st.sampled_from("abcdef"), max_size=12)


@pytest.mark.parametrize(
    ("before", "after", "unchanged", "places"),
    [
        ("", "", 0, []),
        ("", "ab", 0, [((), (0, 1))]),
        ("ab", "", 0, [((0, 1), ())]),
        ("abc", "abc", 3, []),
        ("abc", "aXc", 2, [((1,), (1,))]),
        ("abc", "abXc", 3, [((), (2,))]),
        ("abc", "ac", 2, [((1,), ())]),
        ("abcd", "XbcY", 2, [((0,), (0,)), ((3,), (3,))]),
        ("abc", "cab", 3, []),  # what moved stays
        ("aab", "ab", 2, [((1,), ())]),
        ("axbyc", "aXbYc", 3, [((1,), (1,)), ((3,), (3,))]),
    ],
)
def test_places_stand_between_what_both_have(before, after, unchanged, places):
    found = align(before, after)

    assert found.unchanged == unchanged
    assert [(place.before, place.after) for place in found.places] == places


@given(WORDS, WORDS)
def test_every_passage_is_counted_once(before, after):
    found = align(before, after)

    gone = [ordinal for place in found.places for ordinal in place.before]
    come = [ordinal for place in found.places for ordinal in place.after]
    assert found.unchanged + found.changed + found.removed == len(before)
    assert found.unchanged + found.changed + found.added == len(after)
    assert gone == sorted(set(gone))
    assert come == sorted(set(come))
    left = sorted(word for ordinal, word in enumerate(before) if ordinal not in gone)
    assert left == sorted(word for ordinal, word in enumerate(after) if ordinal not in come)


@given(st.lists(st.integers(0, 40), unique=True))
def test_a_longest_rising_row_rises_and_is_as_long_as_there_is(values):
    row = [values[index] for index in longest_rising(values)]
    longest = [1] * len(values)
    for index, value in enumerate(values):
        longest[index] = 1 + max((longest[each] for each in range(index) if values[each] < value), default=0)

    assert row == sorted(row)
    assert len(row) == max(longest, default=0)


@pytest.mark.parametrize(
    "after",
    [[*range(9_999, -1, -1)], [0] * 10_000, [-n for n in range(10_000)]],
    ids=["turned", "one content for ever", "nothing shared"],
)
def test_ten_thousand_passages_take_a_moment_whatever_they_are(after):
    begun = time.thread_time()
    found = align([0] * 5_000 + list(range(5_000)), after)

    assert found.unchanged + found.changed + found.added == 10_000
    assert time.thread_time() - begun < 2

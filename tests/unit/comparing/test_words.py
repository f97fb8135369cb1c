"""Two texts word by word: what the other has not is marked, and nothing of either is lost."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.comparing.pairs import pairs
from knowledge.comparing.words import compared, likeness

TEXTS = st.text(st.sampled_from("ab 水泵.|\n<>&"), max_size=30)


def marked(pieces):
    return "".join(f"[{piece.text}]" if piece.differs else piece.text for piece in pieces)


@pytest.mark.parametrize(
    ("before", "after", "left", "right"),
    [
        ("It stops at 80 °C.", "It stops at 90 °C.", "It stops at [80] °C.", "It stops at [90] °C."),
        ("它在八十度停机。", "它在九十度停机。", "它在[八]十度停机。", "它在[九]十度停机。"),
        ("same", "same", "same", "same"),
        ("", "new", "", "[new]"),
        ("old", "", "[old]", ""),
        ("a b c", "a c", "a [b] c", "a c"),
        ("a  b\n", " a b", "a  b\n", " a b"),
        ("one two three", "uno dos three", "[one two] three", "[uno dos] three"),
        ("from 80 to 90", "from 85 to 95", "from [80] to [90]", "from [85] to [95]"),
        ("a b c is d e f.", "g h i is j k l.", "[a b c is d e f].", "[g h i is j k l]."),
        ("| a | b |", "| a | c d |", "| a | [b] |", "| a | [c d] |"),
        ("<script>", "<b>", "<[script]>", "<[b]>"),
    ],
)
def test_what_differs_is_marked_on_both_sides(before, after, left, right):
    old, new = compared(before, after)

    assert (marked(old), marked(new)) == (left, right)


@given(TEXTS, TEXTS)
def test_the_pieces_are_the_texts_again_and_what_is_unmarked_is_the_same(before, after):
    old, new = compared(before, after)

    assert ("".join(each.text for each in old), "".join(each.text for each in new)) == (before, after)
    same = [re.sub(r"[\s|]", "", "".join(each.text for each in side if not each.differs)) for side in (old, new)]
    assert same[0] == same[1]


@pytest.mark.parametrize("word", ["a ", "的", "| ", "a b "])
def test_a_text_of_one_word_for_ever_is_compared_in_a_moment(word):
    text = word * 1500
    begun = time.thread_time()
    old, new = compared(f"x {text}y", f"z {text}{word}q")

    assert time.thread_time() - begun < 2
    assert marked(old).startswith("[x")
    assert "".join(each.text for each in new) == f"z {text}{word}q"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ([], [], []),
        (["a"], [], [(0, None)]),
        (["a b"], ["c d"], [(0, 0)]),
        (["the pump stops"], ["a new line", "the pump stopped late"], [(None, 0), (0, 1)]),
        (["水泵停机", "阀门打开", "电机过热"], ["水泵停机了", "电机过热了"], [(0, 0), (1, None), (2, 1)]),
        (["x y", "x z"], ["p", "x y w", "q", "x z w"], [(None, 0), (0, 1), (None, 2), (1, 3)]),
    ],
)
def test_each_passage_finds_the_one_that_it_became(before, after, expected):
    assert pairs(before, after) == expected


def test_likeness_is_of_words_not_of_case_or_stops():
    assert likeness("The pump stops.", "the PUMP stops") == 1
    assert likeness("水泵", "阀门") == 0


def test_a_cell_of_a_long_table_is_marked_alone():
    rows = [f"| P-{number} | {number} kW | in stock | yes |" for number in range(80)]
    other = [*rows[:5], "| P-5 | 6 kW | in stock | yes |", *rows[6:30], "| P-30 | 30 kW | sold | no |", *rows[31:]]

    old, new = compared("\n".join(rows), "\n".join(other))
    assert [each.text for each in old if each.differs] == ["5", "in stock | yes"]
    assert [each.text for each in new if each.differs] == ["6", "sold | no"]
    assert "".join(each.text for each in new) == "\n".join(other)

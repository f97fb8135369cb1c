"""The parts of reading a PDF that are pure: order of characters, layout of segments, joints of lines."""

import pytest

from knowledge.parsing.pdf.aligned import aligned_rows
from knowledge.parsing.pdf.direction import Glyph, in_reading_order
from knowledge.parsing.pdf.layout import Aligned, Column, regions
from knowledge.parsing.pdf.paragraphs import lines_of
from knowledge.parsing.pdf.pieces import joint
from knowledge.parsing.pdf.places import Box, Segment, Word


def seen(text: str) -> list[Glyph]:
    """Characters as they stand on a page from left to right, ten points wide, twelve high; a space is a gap of five."""
    glyphs, left = [], 0.0
    for character in text:
        if character == " ":
            left += 5
            continue
        glyphs.append(Glyph(character, Box(left, 0, left + 10, 12)))
        left += 10
    return glyphs


@pytest.mark.parametrize(
    ("shown", "read"),
    [
        ("plain words", "plain words"),
        ("םלוע םולש", "שלום עולם"),
        ("ملاعلاب ابحرم", "مرحبا بالعالم"),
        ("The word םולש means peace", "The word שלום means peace"),
        ("when a<b & 5 םולש", "when a<b & 5 שלום"),
        ("2026 תנש", "שנת 2026"),
        ("(P-100) הבאשמ", "משאבה (P-100)"),
        ("end .םלוע םולש a<b", "end .שלום עולם a<b"),
    ],
)
def test_characters_are_put_into_the_order_of_reading(shown: str, read: str) -> None:
    (words,) = in_reading_order(seen(shown))
    assert " ".join(word.text for word in words) == read


def test_the_order_in_which_characters_come_does_not_matter() -> None:
    glyphs = seen("The word םולש means peace")
    assert in_reading_order(glyphs[::-1]) == in_reading_order(glyphs)


def test_halves_of_a_character_are_put_together_in_either_order() -> None:
    high, low = "\ud83d", "\ude00"
    for halves in ((high, low), (low, high)):
        (words,) = in_reading_order([*(Glyph(half, Box(0, 0, 10, 12)) for half in halves), *seen("  םולש")])
        assert "😀" in "".join(word.text for word in words)


def segment(text: str, left: float, top: float, size: float = 10) -> Segment:
    box = Box(left, top, left + 5 * len(text), top + size)
    words = []
    at = left
    for word in text.split(" "):
        words.append(Word(word, Box(at, top, at + 5 * len(word), top + size)))
        at += 5 * (len(word) + 1)
    return Segment(tuple(words), box)


def texts(*segments: Segment) -> list[list[str] | list[list[str]]]:
    """Columns as lists of their texts, tables as lists of rows."""
    found: list[list[str] | list[list[str]]] = []
    for region in regions(segments):
        if isinstance(region, Column):
            found.append([line.text for line in lines_of(region.segments)])
        elif isinstance(region, Aligned):
            found.append(region.rows)
    return found


LEFT = [segment(f"left line number {number} is filled to its end", 50, 100 + 14 * number) for number in range(6)]
RIGHT = [segment(f"right line number {number} is filled to its end", 300, 100 + 14 * number) for number in range(6)]


@pytest.mark.parametrize("shift", [0, 3, 7])
def test_columns_are_read_one_after_the_other_whether_level_or_not(shift: float) -> None:
    right = [segment(one.text, one.box.left, one.box.top + shift) for one in RIGHT]
    assert texts(*LEFT, *right) == [[one.text for one in LEFT], [one.text for one in right]]


def test_a_column_that_begins_higher_than_the_first_stays_whole() -> None:
    top = segment("right line before all others, filled to its end", 300, 86)
    heading = segment("A heading over the left column, and longer", 50, 60, 16)
    assert texts(heading, top, *LEFT, *RIGHT)[-1][0] == top.text


def test_level_cells_are_a_table_and_prose_is_none() -> None:
    cells = [
        [segment(word, 50 + 100 * column, 100 + 14 * row) for column, word in enumerate(["pump", str(row), "ok"])]
        for row in range(4)
    ]
    assert texts(*(cell for row in cells for cell in row)) == [[["pump", str(row), "ok"] for row in range(4)]]


def test_marks_of_a_list_are_no_column() -> None:
    items = [
        one
        for row in range(4)
        for one in (segment("•", 50, 100 + 14 * row), segment(f"item {row}", 70, 100 + 14 * row))
    ]
    assert texts(*items) == [[f"• item {row}" for row in range(4)]]


@pytest.mark.parametrize("is_centred", [False, True])
def test_cells_of_several_lines_stay_in_their_row(is_centred: bool) -> None:
    segments: list[Segment] = []
    top = 100.0
    for row in range(3):
        wrapped = [segment(f"row {row} line {line}", 250, top + 12 * line) for line in range(2)]
        anchor = top + 6 if is_centred else top
        segments += [*wrapped, segment(f"key{row}", 50, anchor), segment(str(row), 150, anchor)]
        top += 40
    columns = [[one for one in segments if one.box.left == left] for left in (50, 150, 250)]
    assert aligned_rows(segments, columns) == [
        [f"key{row}", str(row), f"row {row} line 0 row {row} line 1"] for row in range(3)
    ]


@pytest.mark.parametrize(
    ("before", "after", "joined"),
    [
        ("a tempera-", "ture", "a temperature"),
        ("a tempera\u00ad", "ture", "a temperature"),
        ("the well-", "known", "the wellknown"),
        ("model P-", "100", "model P-100"),
        ("Anglo-", "Saxon", "Anglo-Saxon"),
        ("one", "two", "one two"),
        ("离心", "泵", "离心泵"),
        ("泵", "P-100", "泵 P-100"),
    ],
)
def test_lines_join_as_people_would_read_them(before: str, after: str, joined: str) -> None:
    first, between = joint(before, after)
    assert f"{first}{between}{after}" == joined

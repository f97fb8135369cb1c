"""Cutting what is too long."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.chunking.cut import cut_to_fit
from tests.unit.chunking.documents import SENTENCES, count_by_parts


def cut(text: str, limit: int) -> list[str]:
    return [text[start:end] for start, end in cut_to_fit(text, 0, len(text), limit=limit, count_tokens=count_by_parts)]


@given(st.lists(SENTENCES, max_size=4).map("".join), st.integers(8, 100))
def test_pieces_fit_and_cover(text: str, limit: int) -> None:
    pieces = cut(text, limit)
    assert "".join(pieces) == text
    assert all(tokens <= limit for tokens in count_by_parts(pieces))


@pytest.mark.parametrize(
    ("text", "limit", "ends"),
    [
        ("one two\nthree four\nfive six\n" * 5, 20, ("\n",)),
        ("短句，" * 40, 20, ("，",)),
        ("word " * 60, 20, (" ",)),
        ("句子很长。后面还有，" * 20, 20, ("。",)),
        ("https://example.com/" + "path/" * 60, 30, ("/",)),
    ],
)
def test_pieces_end_where_reading_pauses(text: str, limit: int, ends: tuple[str, ...]) -> None:
    pieces = cut(text, limit)
    assert len(pieces) > 2
    assert all(piece.endswith(ends) for piece in pieces[:-1])


@pytest.mark.parametrize("character", ["👩\u200d🔧", "👍🏽", "🇨🇳", "e\u0301", "क\u094d"])
def test_a_character_with_its_marks_is_not_cut(character: str) -> None:
    assert all(piece == character * (len(piece) // len(character)) for piece in cut(character * 50, 20))


def test_a_character_of_endless_marks_is_cut_at_last() -> None:
    assert max(count_by_parts(cut("a" + "\u0301" * 500, 20))) <= 20

"""Sections from headings."""

import pytest

from knowledge.chunking.sections import heading_title, sections
from knowledge.types import Block, BlockKind
from tests.unit.chunking.documents import Written


def test_a_section_reaches_to_the_next_heading_of_its_level_or_above() -> None:
    document = (
        Written()
        .paragraph("Before.")
        .heading(1, "A")
        .heading(3, "A1")
        .paragraph("x")
        .heading(2, "A2")
        .heading(1, "B")
        .paragraph("y")
    )
    found = sections(document.text, document.blocks, title="T")
    at = {draft.title: document.text[draft.start : draft.end].strip() for draft in found}
    assert [(draft.ordinal, draft.parent, draft.level, draft.title) for draft in found] == [
        (0, None, 0, "T"),
        (1, 0, 1, "A"),
        (2, 1, 3, "A1"),
        (3, 1, 2, "A2"),
        (4, 0, 1, "B"),
    ]
    assert at["T"] == document.text
    assert at["A"] == "# A\n\n### A1\n\nx\n\n## A2"
    assert at["A1"] == "### A1\n\nx"
    assert at["B"] == "# B\n\ny"


def test_a_text_without_headings_is_one_section() -> None:
    assert [(draft.start, draft.end) for draft in sections("abc", [], title="")] == [(0, 3)]


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("## 概述 ##", "概述"),
        ("# The **bold** `P_100` one", "The bold P_100 one"),
        ("Title\n=====", "Title"),
        ("### a_b_c {#anchor}", "a_b_c"),
        ("# C#", "C#"),
        ("#", "#"),
    ],
)
def test_a_title_is_the_words_of_its_heading(line: str, title: str) -> None:
    assert heading_title(line, Block(BlockKind.HEADING, 0, len(line), level=1)) == title


def test_a_monstrous_title_is_shortened() -> None:
    assert len(heading_title("# " + "x" * 999, Block(BlockKind.HEADING, 0, 1001, level=1))) == 200

"""Plain text: paragraphs by empty lines, headings and lists where they are plain to see."""

import pytest

from knowledge.types import BlockKind
from tests.unit.parsing.conftest import ReadBytes
from tests.unit.parsing.rules import parts, texts


def test_paragraphs_are_parted_by_empty_lines(read_bytes: ReadBytes) -> None:
    document = read_bytes("a.txt", "One a<b & c.\nStill one.\n \n\nTwo.\n")
    assert texts(document, BlockKind.PARAGRAPH) == ["One a<b & c.\nStill one.", "Two."]


def test_the_words_stay_as_they_are(read_bytes: ReadBytes) -> None:
    words = "# no heading here *or* _there_ <5000 & مرحبا بالعالم 👩‍🔧 |x|"
    assert read_bytes("a.txt", words).text == words


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ("第三章 安全须知", 1),
        ("一、报警与工单", 2),
        ("（三）付款", 2),
        ("第二节 检查", 2),
        ("2.1 Scope of use", 2),
        ("1.2.3 细则", 3),
        ("Safety\n======", 1),
        ("Notes\n-----", 2),
    ],
)
def test_lines_that_look_like_headings_are(read_bytes: ReadBytes, line: str, level: int) -> None:
    document = read_bytes("a.txt", f"Words.\n\n{line}\n\nMore words.")
    assert [block.level for block in document.blocks] == [0, level, 0]


@pytest.mark.parametrize(
    "line", ["2.1 volts were measured.", "1998 was a good year", "第三章的内容我们已经讲过了，请再看一遍。" * 3]
)
def test_other_lines_are_not(read_bytes: ReadBytes, line: str) -> None:
    document = read_bytes("a.txt", f"Words.\n\n{line}\n\nMore words.")
    assert texts(document, BlockKind.HEADING) == []


def test_the_line_under_a_heading_is_no_part_of_it(read_bytes: ReadBytes) -> None:
    for name in ("a.txt", "a.md"):
        document = read_bytes(name, "Service Levels\n==============\n\nWords.\n\nPriorities\n----------\n\nMore.")
        assert texts(document, BlockKind.HEADING) == ["Service Levels", "Priorities"]
        assert document.title == "Service Levels"


@pytest.mark.parametrize(
    ("words", "title"),
    [("系统接口说明\n\n本文说明接口。", "系统接口说明"), ("One.\n\nTwo.", ""), ("Only words", ""), ("a\nb\n\nc", "")],
)
def test_a_first_line_by_itself_is_the_title(read_bytes: ReadBytes, words: str, title: str) -> None:
    assert read_bytes("a.txt", words).title == title


def test_marked_lines_are_a_list_with_what_goes_on_under_them(read_bytes: ReadBytes) -> None:
    document = read_bytes("a.txt", "You need:\n- oil\n  of grade 5\n- a filter")
    assert texts(document, BlockKind.PARAGRAPH) == ["You need:"]
    (found,) = [block for block in document.blocks if block.kind is BlockKind.LIST]
    assert parts(document, found) == ["- oil\n  of grade 5", "- a filter"]


def test_negative_numbers_are_no_list(read_bytes: ReadBytes) -> None:
    assert texts(read_bytes("a.txt", "-5 degrees\n-7 degrees"), BlockKind.LIST) == []


def test_labelled_questions_become_pairs(read_bytes: ReadBytes) -> None:
    document = read_bytes("a.txt", "Q: Why?\nA: Because a<b.\nAnd so.\nQ2. How?\nA2. Slowly.\n\nOther words.")
    pairs = [parts(document, block) for block in document.blocks if block.kind is BlockKind.FAQ]
    assert pairs == [["Why?", "Because a<b.\nAnd so."], ["How?", "Slowly."]]
    assert texts(document, BlockKind.PARAGRAPH) == ["Other words."]

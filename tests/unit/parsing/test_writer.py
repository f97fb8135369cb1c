"""The writer's offsets are true whatever is written, and its words are verbatim."""

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from common.errors import UnreadableFile
from common.text import canonical
from knowledge.parsing.grids import Grid
from knowledge.parsing.limits import ReadLimits
from knowledge.parsing.markup import Item, one_line
from knowledge.parsing.media import MediaType
from knowledge.parsing.writer import Writer
from knowledge.types import BlockKind, ParsedDocument
from tests.unit.parsing.conftest import MemorySink
from tests.unit.parsing.rules import check_rules, parts, texts


def writing(limits: ReadLimits | None = None) -> Writer:
    return Writer("x", MemorySink(), limits or ReadLimits())


def result(writer: Writer) -> ParsedDocument:
    document = writer.document(parser="test/1", media_type=MediaType.PLAIN)
    check_rules(document)
    return document


@pytest.mark.parametrize("words", ["a<b", "& &amp;", "<5000", "*a* _b_ `c`", "# no", "مرحبا", "👩‍🔧", "\\ a", "<br>"])
def test_words_are_verbatim_in_every_kind_of_block(words: str) -> None:
    writer = writing()
    writer.heading(words, 2)
    writer.paragraph(words)
    writer.list([Item(words, children=[Item(words)])])
    writer.table([[words, "x"], [words, "y"]], 1)
    writer.faq(words, words)
    writer.code(words)
    assert result(writer).text.count(words) == 9


def test_a_table_row_is_a_part_and_the_rule_is_none() -> None:
    writer = writing()
    writer.paragraph("before")
    writer.table([["a", "b"], ["1|2", "one\ntwo"]], 1)
    document = result(writer)
    assert document.text == "before\n\n| a | b |\n| --- | --- |\n| 1\\|2 | one / two |"
    assert parts(document, document.blocks[1]) == ["| a | b |", "| 1\\|2 | one / two |"]


def test_a_table_without_header_has_no_rule() -> None:
    writer = writing()
    writer.table([["1", "2"], ["3", "4"]], 0)
    document = result(writer)
    assert document.text == "| 1 | 2 |\n| 3 | 4 |"
    assert document.blocks[0].header_parts == 0


def test_an_empty_table_leaves_no_trace() -> None:
    writer = writing()
    writer.paragraph("a")
    writer.table([["", " "]], 0)
    writer.paragraph("b")
    assert result(writer).text == "a\n\nb"


def test_nested_items_are_indented_by_their_marker() -> None:
    writer = writing()
    writer.list([Item("one", "10.", [Item("in\nside", "(a)")]), Item("two", "11.")])
    document = result(writer)
    assert document.text == "10. one\n    (a) in\n        side\n11. two"
    assert len(document.blocks[0].parts) == 2


def test_an_faq_has_its_parts_without_labels() -> None:
    writer = writing()
    writer.faq("水泵多重？", "五十公斤", [("area", "pumps"), ("empty", "")])
    document = result(writer)
    assert document.text == "问：水泵多重？\n答：五十公斤\narea: pumps"
    assert parts(document, document.blocks[0]) == ["水泵多重？", "五十公斤"]


def test_pages_begin_where_their_text_does() -> None:
    writer = writing()
    writer.begin_page()
    writer.paragraph("one")
    writer.begin_page()
    writer.paragraph("two goes on", page_breaks=[4])
    writer.begin_page()
    writer.heading("end", 1)
    document = result(writer)
    assert [document.text[start:][:4] for start in document.page_starts] == ["one\n", "two ", "goes", "# en"]
    assert [block.page for block in document.blocks] == [1, 2, 4]


def test_a_picture_without_words_goes_with_the_block_before_it() -> None:
    writer = writing()
    writer.image(b"\x89PNG\r\n\x1a\n1")
    writer.paragraph("one")
    writer.image(b"\x89PNG\r\n\x1a\n2")
    writer.image(b"\x89PNG\r\n\x1a\n3", "Figure 1: a<b", "a pump")
    document = result(writer)
    assert document.text == "one\n\nFigure 1: a<b\na pump"
    assert [document.text[picture.start :][:3] for picture in document.pictures] == ["one", "one", "Fig"]
    assert document.pictures[2].caption == "Figure 1: a<b\na pump"


def test_pictures_that_browsers_do_not_show_are_told() -> None:
    writer = writing()
    writer.paragraph("one")
    writer.image(b"<svg onload=alert(1)>")
    document = result(writer)
    assert not document.pictures
    assert document.notices


def test_too_much_text_is_refused_while_it_is_written() -> None:
    writer = writing(ReadLimits(text_chars=100))
    with pytest.raises(UnreadableFile) as caught:
        writer.table(([str(number), "x"] for number in range(10**9)), 0)
    assert caught.value.reason == "too_large"


def test_nothing_written_is_refused() -> None:
    writer = writing()
    writer.paragraph(" \n\0 ")
    writer.heading("", 1)
    with pytest.raises(UnreadableFile):
        writer.document(parser="test/1", media_type=MediaType.PLAIN)


def test_labelled_paragraphs_become_one_pair() -> None:
    writer = writing()
    for words in ["Q: Why?", "A: Because.", "And so on.", "Q: How?", "A: Slowly."]:
        writer.paragraph(words)
    document = result(writer)
    assert [parts(document, block) for block in document.blocks] == [
        ["Why?", "Because.\n\nAnd so on."],
        ["How?", "Slowly."],
    ]


def test_neighbouring_question_headings_with_short_answers_become_pairs() -> None:
    writer = writing()
    writer.heading("FAQ", 1)
    for question, answer in [("Why?", "Because."), ("水泵多重？", "五十公斤。")]:
        writer.heading(question, 2)
        writer.paragraph(answer)
    document = result(writer)
    assert [block.kind for block in document.blocks] == [BlockKind.HEADING, BlockKind.FAQ, BlockKind.FAQ]
    assert parts(document, document.blocks[2]) == ["水泵多重？", "五十公斤。"]


@pytest.mark.parametrize("rest", [["# Other"], ["## Really?", "x" * 2_000], []])
def test_a_question_heading_by_itself_stays_a_heading(rest: list[str]) -> None:
    writer = writing()
    writer.heading("Why?", 2)
    writer.paragraph("Because.")
    for words in rest:
        writer.heading(words.lstrip("# "), 2) if words.startswith("#") else writer.paragraph(words)
    assert texts(result(writer), BlockKind.FAQ) == []


def test_spans_fill_the_grid() -> None:
    grid = Grid()
    grid.add("a", across=2)
    grid.add("b", down=2)
    grid.end_row()
    grid.add("c")
    grid.add("d")
    grid.end_row()
    assert grid.rows == [["a", "a", "b"], ["c", "d", "b"]]


WORDS = st.text(max_size=30)
ITEMS = st.recursive(
    st.builds(Item, WORDS, st.sampled_from(["-", "1.", "(a)", "", "第一"])),
    lambda inner: st.builds(Item, WORDS, st.just("-"), st.lists(inner, max_size=3)),
    max_leaves=6,
)
ACTIONS = st.one_of(
    st.tuples(st.just("heading"), WORDS, st.integers(-1, 9)),
    st.tuples(st.just("paragraph"), WORDS),
    st.tuples(st.just("code"), WORDS, WORDS),
    st.tuples(st.just("list"), st.lists(ITEMS, max_size=4)),
    st.tuples(st.just("faq"), WORDS, WORDS, st.lists(st.tuples(WORDS, WORDS), max_size=2)),
    st.tuples(st.just("table"), st.lists(st.lists(WORDS, max_size=4), max_size=5), st.integers(0, 3)),
    st.tuples(st.just("image"), st.sampled_from([None, b"GIF89a", b"x"]), WORDS, WORDS),
    st.tuples(st.just("begin_page")),
)


@example([("table", [["0"], ["\x1b"]], 2)])
@settings(max_examples=2 * settings.default.max_examples, deadline=None)
@given(st.lists(ACTIONS, max_size=12))
def test_whatever_is_written_the_offsets_are_true(actions: list[tuple[Any, ...]]) -> None:
    writer = writing()
    for name, *arguments in actions:
        getattr(writer, name)(*arguments)
    if not writer.is_empty:
        result(writer)


@settings(deadline=None)
@given(WORDS)
def test_a_paragraph_keeps_its_words_in_order(words: str) -> None:
    writer = writing()
    writer.paragraph(words)
    if not writer.is_empty:
        assert result(writer).text.split() == canonical(words).split()
        assert one_line(words).split() == canonical(words).split()

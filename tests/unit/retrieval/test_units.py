"""What may be quoted, kind by kind."""

from uuid import UUID

from retrieval.answerers.units import units_of
from retrieval.types import BlockPart, Found, FusedHit, Passage, Source

ID = UUID(int=1)


def passage(text, *blocks, start=0):
    source = Source(
        ID,
        ID,
        ID,
        1,
        ID,
        "T",
        "t.md",
        "en",
        0,
        "paragraph",
        start,
        start + len(text),
        None,
        "",
        text,
        (),
        start,
        start + len(text),
    )
    return Passage(text, start, blocks, (Found(FusedHit(ID, 1.0, {}), source),))


def quoted(found):
    return [(unit.kind, found.cut(unit.start, unit.end)) for unit in units_of(found)]


def paragraph(text, start=0):
    return BlockPart("paragraph", start, start + len(text), 0, (), 0)


def test_each_sentence_stands_alone():
    text = "Pumps are red. Valves are blue."

    assert quoted(passage(text, paragraph(text))) == [("sentence", "Pumps are red."), ("sentence", "Valves are blue.")]


def test_a_pronoun_brings_the_sentence_it_needs():
    text = "The pump stops at 80 °C. It starts again when cool."

    assert quoted(passage(text, paragraph(text)))[1] == ("sentence", text)


def test_a_chinese_pronoun_too():
    text = "离心泵在八十度停机。它冷却后自动启动。"

    assert quoted(passage(text, paragraph(text)))[1] == ("sentence", text)


def test_offsets_are_those_of_the_version():
    text = "Pumps are red. Valves are blue."
    unit = units_of(passage(text, paragraph(text, 100), start=100))[1]

    assert (unit.start, unit.end) == (115, 131)


def test_steps_are_one_unit_with_the_line_that_announces_them():
    text = "To clean:\n\n1. Open.\n2. Rinse."
    steps = BlockPart("list", 11, len(text), 0, ((11, 19), (20, 29)), 0)

    assert quoted(passage(text, paragraph("To clean:"), steps)) == [("steps", text)]


def test_items_of_other_lists_are_units_by_themselves():
    text = "- red pump\n- blue valve"
    items = BlockPart("list", 0, len(text), 0, ((0, 10), (11, 23)), 0)

    assert quoted(passage(text, items)) == [("item", "- red pump"), ("item", "- blue valve")]


def test_a_row_comes_with_its_header():
    text = "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |"
    table = BlockPart("table", 0, len(text), 0, ((0, 9), (24, 33), (34, 43)), 1)
    found = passage(text, table)
    units = units_of(found)

    assert [found.cut(unit.start, unit.end) for unit in units] == ["| 1 | 2 |", "| 3 | 4 |"]
    assert {found.cut(unit.lead.start, unit.lead.end) for unit in units if unit.lead} == {"| a | b |"}


def test_an_faq_answer_is_marked_and_its_question_shown():
    text = "May I?\nYes, you may."
    pair = BlockPart("faq", 0, len(text), 0, ((0, 6), (7, 20)), 0)
    found = passage(text, pair)
    (unit,) = units_of(found)

    assert found.cut(unit.start, unit.end) == text
    assert found.cut(unit.core.start, unit.core.end) == "Yes, you may."


def test_headings_and_blanks_are_never_quoted():
    text = "# Title\n\n   \n"

    assert quoted(passage(text, BlockPart("heading", 0, 7, 1, (), 0))) == []


def test_a_row_that_is_cut_off_by_the_passage_is_left_out():
    text = "| 1 | 2 |\n| 3 | 4 |"
    table = BlockPart("table", 100, 200, 0, ((100, 109), (124, 133), (134, 153)), 1)

    assert quoted(passage(text, table, start=124)) == [("row", "| 1 | 2 |")]

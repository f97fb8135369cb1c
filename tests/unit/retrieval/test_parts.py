"""Parts of an answer: how they are kept and read, and what is left of them when a source goes."""

from dataclasses import replace
from uuid import UUID

import pytest

from retrieval.answer import Citation, Fixed, Gone, Part, Quoted, Said
from retrieval.parts import markdown_of, parts_kept, parts_read
from retrieval.types import Span

ID = UUID(int=1)
ONE = Citation(1, ID, 1, ID, ID, 0, 9, "It stops.", document_title="Pump *book*", kind="sentence", mark=Span(0, 9))
ROW = Citation(
    2,
    ID,
    1,
    ID,
    ID,
    0,
    9,
    "| a | b |",
    document_title="Pump *book*",
    kind="row",
    lead=Span(0, 9),
    lead_text="| x | y |",
)
PARTS: list[Part] = [Said("One. ", (1,)), Quoted(1), Quoted(2), Fixed("not_found"), Gone(3)]


def test_what_is_kept_is_read_back():
    assert parts_read(parts_kept(PARTS)) == PARTS


def test_nothing_that_is_kept_holds_a_quotation():
    assert "It stops" not in str(parts_kept(PARTS))


def test_a_sentence_carries_its_numbers():
    assert (
        markdown_of([Said("It stops. ", (1,)), Said("It starts.", (1, 2))], {1: ONE, 2: ROW}, "en")
        == "It stops. [1] It starts. [1][2]"
    )
    assert markdown_of([Said("它会停机。", (1,))], {1: ONE}, "zh") == "它会停机。[1]"


def test_quotations_stand_under_their_document_and_rows_under_one_header():
    second = replace(ROW, n=3, text="| c | d |")

    assert markdown_of([Quoted(1), Quoted(2), Quoted(3)], {1: ONE, 2: ROW, 3: second}, "en") == (
        "**Pump \\*book\\***\n\n> It stops. [1]\n\n> | x | y |\n> | --- | --- |\n> | a | b [2] |\n> | c | d [3] |"
    )


@pytest.mark.parametrize("part", [Said("Only this says so.", (1,)), Quoted(1)])
def test_of_a_deleted_source_nothing_is_shown(part):
    text = markdown_of([part], {1: Citation(1, ID, is_deleted=True)}, "en")

    assert "says so" not in text
    assert "deleted" in text


def test_a_statement_with_another_living_source_stays():
    citations = {1: Citation(1, ID, is_deleted=True), 2: ROW}

    assert markdown_of([Said("Both say so.", (1, 2))], citations, "en").startswith("Both say so.")

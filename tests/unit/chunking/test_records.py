"""Records are kept in one piece where they fit, taken apart by their sections where they don't, and never mixed."""

import re

import pytest

from knowledge.chunking.records import RecordHeadings
from knowledge.chunking.split import split
from knowledge.chunking.types import ChunkSize
from knowledge.types import BlockKind, ChunkDraft
from tests.unit.chunking.documents import Written, count_by_parts

FAULTS = RecordHeadings((re.compile(r"^Fault E-\d+"), re.compile(r"^故障")))
SMALL = ChunkSize(target_tokens=40, max_tokens=80, overlap=0.25)


def cut(document: Written, *, size: ChunkSize = SMALL, headings: RecordHeadings = FAULTS) -> list[ChunkDraft]:
    titles = [
        document.text[block.start : block.end].lstrip("# ")
        for block in document.blocks
        if block.kind is BlockKind.HEADING
    ]
    records = {number for number, title in enumerate(titles, 1) if headings.begins(title)}
    return list(
        split(document.text, document.blocks, title="FC-12", count_tokens=count_by_parts, size=size, records=records)
    )


def texts(document: Written, **more: ChunkSize | RecordHeadings) -> list[str]:
    return [document.text[each.start : each.end] for each in cut(document, **more)]  # type: ignore[arg-type]


def fault(document: Written, title: str, *, cause: str = "Motor current too low.") -> Written:
    return (
        document.heading(2, title)
        .heading(3, "Cause")
        .paragraph(cause)
        .heading(3, "Remedy")
        .items(["Open the valve.", "Vent it."])
    )


def test_a_record_with_its_sections_is_one_chunk_in_its_own_section() -> None:
    document = fault(fault(Written().heading(1, "Codes").paragraph("All of them."), "Fault E-03"), "故障 E-07")
    drafts = cut(document)

    found = [document.text[each.start : each.end] for each in drafts]
    assert found[0] == "# Codes\n\nAll of them."
    assert found[1].startswith("## Fault E-03\n\n### Cause")
    assert found[1].endswith("Vent it.")
    assert found[2].startswith("## 故障 E-07\n\n### Cause")
    assert found[2].endswith("Vent it.")
    assert [each.section for each in drafts] == [1, 2, 5]
    assert len(texts(document, headings=RecordHeadings())) == 5


def test_a_table_in_a_record_stays_with_it() -> None:
    document = Written().heading(1, "Fault E-03").paragraph("Dry.").table(["Part", "No"], [["Seal", "7"]])

    (draft,) = cut(document)
    assert draft.kind is BlockKind.PARAGRAPH
    assert document.text[draft.start : draft.end].endswith("| Seal | 7 |")


def test_a_record_that_is_too_long_is_cut_by_its_sections_and_each_chunk_knows_whose_it_is() -> None:
    document = fault(Written().heading(1, "Codes"), "Fault E-03", cause="The motor draws little current. " * 12)
    drafts = cut(document)

    assert len(drafts) > 2
    for draft in drafts:
        assert "Fault E-03" in draft.context + document.text[draft.start : draft.end]
        assert draft.tokens <= SMALL.max_tokens


def test_a_record_as_long_as_a_book_is_not_held() -> None:
    document = Written().heading(1, "Fault E-03")
    for _ in range(300):
        document.heading(2, "Part").paragraph("The motor draws little current.")

    assert len(cut(document)) == 300


def test_a_record_ends_with_the_next_heading_of_its_level_or_a_higher_one() -> None:
    document = (
        Written()
        .heading(2, "Fault E-03")
        .paragraph("One.")
        .heading(3, "More")
        .paragraph("Two.")
        .heading(2, "Resetting")
        .paragraph("Three.")
        .heading(1, "Else")
        .paragraph("Four.")
    )

    assert texts(document) == [
        "## Fault E-03\n\nOne.\n\n### More\n\nTwo.",
        "## Resetting\n\nThree.",
        "# Else\n\nFour.",
    ]


def test_a_record_inside_of_another_is_a_piece_of_its_own() -> None:
    document = (
        Written()
        .heading(1, "Fault E-1 group")
        .paragraph("Outer.")
        .heading(2, "Fault E-11")
        .paragraph("Inner.")
        .heading(2, "Fault E-12")
        .paragraph("Inner too.")
    )

    assert texts(document) == [
        "# Fault E-1 group\n\nOuter.",
        "## Fault E-11\n\nInner.",
        "## Fault E-12\n\nInner too.",
    ]
    assert [each.context for each in cut(document)][1:] == ["FC-12 › Fault E-1 group"] * 2


def test_a_record_of_a_heading_alone_is_a_chunk() -> None:
    assert texts(Written().heading(1, "Fault E-03").heading(1, "Fault E-07")) == ["# Fault E-03", "# Fault E-07"]


@pytest.mark.parametrize("title", ["fault E-03", "About Fault E-03", ""])
def test_a_heading_of_another_form_begins_none(title: str) -> None:
    assert not FAULTS.begins(title)


def test_the_fingerprint_is_of_the_forms_in_any_order() -> None:
    one, two = re.compile("a"), re.compile("b")

    assert RecordHeadings((one, two)).fingerprint == RecordHeadings((two, one, one)).fingerprint
    assert RecordHeadings((one,)).fingerprint not in (RecordHeadings((two,)).fingerprint, "")
    assert RecordHeadings((one,)).fingerprint != RecordHeadings((re.compile("a", re.IGNORECASE),)).fingerprint
    assert RecordHeadings().fingerprint == ""

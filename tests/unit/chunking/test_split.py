"""Where chunks begin and end in documents of known structure."""

from collections.abc import Sequence
from itertools import pairwise

import pytest

from common.errors import Misconfigured
from knowledge.chunking.split import split
from knowledge.chunking.types import ChunkSize
from knowledge.types import Block, BlockKind, ChunkDraft
from tests.unit.chunking.documents import Written, count_by_parts

SMALL = ChunkSize(target_tokens=40, max_tokens=80, overlap=0.25)


def chunks(document: Written, *, title: str = "", size: ChunkSize = SMALL) -> list[ChunkDraft]:
    return list(split(document.text, document.blocks, title=title, count_tokens=count_by_parts, size=size))


def texts(document: Written, *, size: ChunkSize = SMALL) -> list[str]:
    return [document.text[draft.start : draft.end] for draft in chunks(document, size=size)]


@pytest.mark.parametrize("document", [Written(), Written(text="  \n ", blocks=[Block(BlockKind.PARAGRAPH, 0, 4)])])
def test_nothing_gives_no_chunk(document: Written) -> None:
    assert chunks(document) == []


def test_a_heading_begins_a_chunk_and_is_context_of_what_is_not_beside_it() -> None:
    document = (
        Written()
        .heading(1, "Pump")
        .heading(2, "Care")
        .paragraph("Oil it. " * 10)
        .heading(2, "Use")
        .paragraph("Start it.")
    )
    first, second, third = chunks(document, title="Manual")
    assert document.text[first.start : first.end].startswith("# Pump\n\n## Care\n\nOil it.")
    assert document.text[third.start : third.end] == "## Use\n\nStart it."
    assert [draft.context for draft in (first, second, third)] == ["Manual", "Manual › Pump › Care", "Manual › Pump"]
    assert [draft.section for draft in (first, second, third)] == [2, 2, 3]


def test_a_heading_with_nothing_below_it_stands_alone() -> None:
    document = Written().heading(1, "One").heading(1, "Two").paragraph("Text.").heading(1, "End")
    assert texts(document) == ["# One", "# Two\n\nText.", "# End"]
    assert [draft.kind for draft in chunks(document)] == [BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.HEADING]


def test_short_paragraphs_of_a_section_share_a_chunk() -> None:
    assert texts(Written().paragraph("One.").paragraph("Two.").image("Three")) == ["One.\n\nTwo.\n\n![Three](p.png)"]


def test_running_text_repeats_whole_sentences_and_breaks_at_paragraphs() -> None:
    document = (
        Written()
        .paragraph("水泵在八十度时停机。阀门要先关闭。")
        .paragraph("密封圈每年更换一次。旧的要回收。")
        .paragraph("电源由值班员切断。钥匙放在柜里。")
    )
    assert texts(document) == [
        "水泵在八十度时停机。阀门要先关闭。",
        "阀门要先关闭。\n\n密封圈每年更换一次。旧的要回收。",
        "旧的要回收。\n\n电源由值班员切断。钥匙放在柜里。",
    ]


def test_a_table_is_cut_by_rows_and_its_header_is_context_only() -> None:
    rows = [[f"P-{number}", f"{number} kW"] for number in range(20)]
    document = Written().heading(1, "Pumps").table(["Model", "Power"], rows)
    drafts = chunks(document, title="List")
    assert len(drafts) > 2
    assert document.text[drafts[0].start : drafts[0].end].startswith(
        "# Pumps\n\n| Model | Power |\n| --- | --- |\n| P-0 | 0 kW |"
    )
    assert drafts[0].context == "List"
    for draft in drafts[1:]:
        text = document.text[draft.start : draft.end]
        assert draft.context == "List › Pumps\n| Model | Power |"
        assert draft.kind is BlockKind.TABLE
        assert text.startswith("| P-")
        assert text.endswith(" |")
    assert sum(document.text[draft.start : draft.end].count("kW") for draft in drafts) == len(rows)


def test_an_faq_pair_is_one_chunk_and_a_long_answer_keeps_its_question_as_context() -> None:
    document = Written().faq("Why?", "Because.").faq("How?", "Like this. " * 40)
    first, *others = chunks(document)
    assert document.text[first.start : first.end] == "Q: Why?\nA: Because."
    assert document.text[others[0].start : others[0].end].startswith("Q: How?\nA: Like this.")
    assert all(draft.context == "Q: How?" and draft.kind is BlockKind.FAQ for draft in others[1:])
    assert all(one.end <= other.start for one, other in pairwise(others))


def test_items_are_kept_whole_and_the_line_that_announces_them_stays_with_the_first() -> None:
    document = (
        Written()
        .paragraph("Ready. " * 14 + "Do this:")
        .items(["Close the valve. Then wait a little. " * 2, "Cut the power. Then wait again. " * 2, "Go."])
    )
    pieces = texts(document)
    assert any("Do this:\n\n- Close" in piece for piece in pieces)
    assert all(
        sum(piece.count(item) for piece in pieces) == 1
        for item in ("Close the valve. Then wait a little. Close", "Cut the power. Then wait again. Cut")
    )


def test_a_listing_that_fits_is_kept_whole() -> None:
    document = Written().paragraph("Run it. " * 10).code("x = 1\n\nprint(x)\n" * 4)
    assert any(document.text[document.blocks[1].start :] in piece for piece in texts(document))


def test_a_long_listing_is_cut_at_lines() -> None:
    pieces = texts(Written().code("\n".join(f"value_{number} = {number}" for number in range(60))))
    assert len(pieces) > 2
    assert all(line in {"```"} or " = " in line for piece in pieces for line in piece.split("\n"))


def test_pages_come_from_their_starts_or_from_the_blocks() -> None:
    document = Written().paragraph("One.").heading(1, "H").paragraph("Two.")
    with_starts = split(document.text, document.blocks, title="", count_tokens=count_by_parts, page_starts=(0, 5))
    assert [draft.page for draft in with_starts] == [1, 2]
    assert [draft.page for draft in chunks(document)] == [None, None]


def test_a_long_context_is_shortened_in_its_middle() -> None:
    document = Written().heading(1, "H" * 3000).paragraph("Text. " * 60)
    assert all(len(draft.context) < 200 for draft in chunks(document, title="T" * 3000))


@pytest.mark.parametrize(
    "wrong", [{"target_tokens": 500, "max_tokens": 480}, {"target_tokens": 4}, {"max_tokens": 20}, {"overlap": 0.9}]
)
def test_a_size_that_cannot_be_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(Misconfigured):
        ChunkSize(**wrong)


def test_ten_thousand_paragraphs_are_a_stream() -> None:
    document = Written()
    lines = [f"Paragraph {number} says that the pump stops. " * 8 for number in range(10_000)]
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    document.text = "".join(lines)
    document.blocks = [Block(BlockKind.PARAGRAPH, start, end) for start, end in pairwise(starts)]
    asked: list[int] = []

    def counting(batch: list[str]) -> list[int]:
        asked.append(len(batch))
        return [5 + len(text) // 4 for text in batch]

    stream = split(document.text, document.blocks, title="", count_tokens=counting)  # type: ignore[arg-type]
    assert sum(1 for _ in stream) > 3000
    assert len(asked) < 200
    assert max(asked) <= 1024


def test_a_word_as_long_as_a_book_is_never_counted_at_once() -> None:
    longest = 0

    def count_tokens(texts: Sequence[str]) -> list[int]:
        nonlocal longest
        longest = max([longest, *map(len, texts)])
        return [len(text) // 4 + 2 for text in texts]

    text = "x" * 300_000
    blocks = [Block(BlockKind.PARAGRAPH, 0, len(text))]
    chunks = list(split(text, blocks, title="", count_tokens=count_tokens))

    assert "".join(text[chunk.start : chunk.end] for chunk in chunks) == text
    assert longest <= 10_000

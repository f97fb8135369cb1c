"""What holds for the chunks of every document."""

from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge.chunking.identity import full_text
from knowledge.chunking.sections import sections
from knowledge.chunking.split import split
from knowledge.chunking.types import ChunkSize
from knowledge.types import BlockKind
from tests.unit.chunking.documents import DOCUMENTS, WORDS, Written, count_by_parts

SIZES = st.sampled_from([ChunkSize(), ChunkSize(40, 64, 0.15), ChunkSize(120, 120, 0.1), ChunkSize(16, 100, 0)])
MANY = 2 * settings.default.max_examples

RECORDS = st.sets(st.integers(1, 14), max_size=6)


@settings(max_examples=MANY, deadline=None)
@given(DOCUMENTS, SIZES, WORDS | st.just(""), RECORDS)
def test_chunks_are_never_empty_never_too_long_and_leave_nothing_out(
    document: Written, size: ChunkSize, title: str, records: set[int]
) -> None:
    drafts = list(
        split(document.text, document.blocks, title=title, count_tokens=count_by_parts, size=size, records=records)
    )
    held = sections(document.text, document.blocks, title=title)
    covered: set[int] = set()
    for number, draft in enumerate(drafts):
        text = document.text[draft.start : draft.end]
        assert draft.ordinal == number
        assert text.strip() == text != ""
        assert draft.tokens == count_by_parts([full_text(draft.context, text)])[0] <= size.max_tokens
        assert held[draft.section].start <= draft.end <= held[draft.section].end
        covered.update(range(draft.start, draft.end))
    missing = [at for block in document.blocks for at in range(block.start, block.end) if at not in covered]
    assert not "".join(document.text[at] for at in missing).strip()
    assert [draft.end for draft in drafts] == sorted({draft.end for draft in drafts})


def records_by_block(document: Written, records: set[int]) -> list[int]:
    """For each block the section of the innermost record that it stands in, 0 for none."""
    held = sections(document.text, document.blocks, title="")
    return [
        max(
            (each.ordinal for each in held if each.ordinal in records and each.start <= block.start < each.end),
            default=0,
        )
        for block in document.blocks
    ]


@settings(max_examples=MANY, deadline=None)
@given(DOCUMENTS, SIZES, RECORDS)
def test_no_chunk_holds_parts_of_two_records(document: Written, size: ChunkSize, records: set[int]) -> None:
    drafts = split(document.text, document.blocks, title="", count_tokens=count_by_parts, size=size, records=records)
    of_block = records_by_block(document, records)
    for draft in drafts:
        touched = {
            record
            for block, record in zip(document.blocks, of_block, strict=True)
            if block.kind is not BlockKind.HEADING and block.start < draft.end and draft.start < block.end
        }
        assert len(touched) <= 1


@settings(deadline=None)
@given(DOCUMENTS, RECORDS)
def test_who_goes_on_in_the_middle_gets_the_same_chunks(document: Written, records: set[int]) -> None:
    once, again = (
        list(split(document.text, document.blocks, title="", count_tokens=count_by_parts, records=records))
        for _ in range(2)
    )
    assert once == again

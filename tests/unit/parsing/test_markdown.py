"""Markdown: the source is the canonical text, its structure becomes blocks."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge.parsing import markdown
from knowledge.parsing.limits import ReadLimits
from knowledge.parsing.media import MediaType
from knowledge.parsing.writer import Writer
from knowledge.types import BlockKind
from tests.unit.parsing.conftest import MemorySink, ReadBytes
from tests.unit.parsing.rules import check_rules, parts, texts

MANUAL = """\
# Pump P-100

The pump stops at a<b & <5000 rpm, *always*.
It goes on.

- oil
  - 5 l
- filter

| Part | Price |
| --- | ---: |
| Seal \\| ring | 12 |
| Bolt | 3 |

```python
x = 1 < 2

y = 3
```

![Cut through the pump](cut.png)

1. Stop
2. Drain
"""


def test_the_source_is_the_text(read_bytes: ReadBytes) -> None:
    document = read_bytes("pump.md", MANUAL)
    assert document.text == MANUAL.rstrip()
    assert document.parser == "markdown/1"
    assert document.title == "Pump P-100"


def test_structure_becomes_blocks(read_bytes: ReadBytes) -> None:
    document = read_bytes("pump.md", MANUAL)
    kinds = [block.kind for block in document.blocks]
    assert kinds == [
        BlockKind.HEADING,
        BlockKind.PARAGRAPH,
        BlockKind.LIST,
        BlockKind.TABLE,
        BlockKind.CODE,
        BlockKind.IMAGE,
        BlockKind.LIST,
    ]


def test_a_list_has_its_top_items_as_parts(read_bytes: ReadBytes) -> None:
    document = read_bytes("pump.md", MANUAL)
    lists = [block for block in document.blocks if block.kind is BlockKind.LIST]
    assert parts(document, lists[0]) == ["- oil\n  - 5 l", "- filter"]
    assert parts(document, lists[1]) == ["1. Stop", "2. Drain"]


def test_a_table_has_its_rows_as_parts_with_the_header_counted(read_bytes: ReadBytes) -> None:
    document = read_bytes("pump.md", MANUAL)
    (table,) = [block for block in document.blocks if block.kind is BlockKind.TABLE]
    assert table.header_parts == 1
    assert parts(document, table) == ["| Part | Price |", "| Seal \\| ring | 12 |", "| Bolt | 3 |"]


def test_front_matter_becomes_title_and_metadata(read_bytes: ReadBytes) -> None:
    document = read_bytes("a.md", "---\ntitle: Seals\ntags: [pump, 泵]\nowner: Ada\n---\n\n# Other\n\nText.\n")
    assert document.title == "Seals"
    assert document.metadata == {"tags": "pump, 泵", "owner": "Ada"}
    assert document.text.startswith("# Other")


@pytest.mark.parametrize("front", ["---\n: : :\n\t-\n---\n", "---\njust words\n---\n", "---\nnever closed\n"])
def test_front_matter_that_is_none_stays_text(read_bytes: ReadBytes, front: str) -> None:
    assert read_bytes("a.md", front + "\nText.").text.endswith("Text.")


def test_words_that_look_like_a_link_definition_are_kept(read_bytes: ReadBytes) -> None:
    document = read_bytes("a.md", "See[^1].\n\n[^1]: Ibid\n")
    assert texts(document, BlockKind.PARAGRAPH) == ["See[^1].", "[^1]: Ibid"]


def test_an_embedded_picture_is_kept_apart_from_the_text(read_bytes: ReadBytes, sink: MemorySink) -> None:
    png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    document = read_bytes("a.md", f"# A\n\n![dot](data:image/png;base64,{png})\n\nText.")
    assert png not in document.text
    assert len(document.pictures) == len(sink.kept) == 1
    picture = document.pictures[0]
    assert document.text[picture.start : picture.end].startswith("![dot]")


def test_a_quotation_and_raw_html_are_paragraphs(read_bytes: ReadBytes) -> None:
    document = read_bytes("a.md", "> one\n> two\n\n<b>three</b>\n\n<!-- four -->\n\n---\n\nfive")
    assert texts(document, BlockKind.PARAGRAPH) == ["> one\n> two", "<b>three</b>", "five"]


def test_long_texts_are_marked_in_pieces_like_short_ones(read_bytes: ReadBytes) -> None:
    part = "# Part {0}\n\nWords {0}.\n\n```\n# no heading\n```\n\n- a\n- b\n\n"
    text = "".join(part.format(number) for number in range(8_000))
    document = read_bytes("long.md", text)
    assert len(document.text) > 2 * markdown.PIECE_CHARS
    assert [texts(document, BlockKind.HEADING)[n] for n in (0, 3_999, 7_999)] == [
        "# Part 0",
        "# Part 3999",
        "# Part 7999",
    ]
    assert len(document.blocks) == 32_000


MARKDOWN_BITS = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "# ",
                "\n",
                "\n\n",
                "- ",
                "1. ",
                "| a | b |\n",
                "| - | - |\n",
                "```",
                "> ",
                "    ",
                "\t",
                "![x](y)",
                "[^1]: ",
                "Q: ",
                "A: ",
                "问：",
                "---\n",
                "<div>",
                "|",
                "\\|",
                "***",
                "===\n",
            ]
        ),
        st.text(max_size=12),
    ),
    max_size=40,
).map("".join)


@settings(max_examples=2 * settings.default.max_examples, deadline=None)
@given(MARKDOWN_BITS)
def test_any_markdown_gives_true_offsets(text: str) -> None:
    from common.text import canonical

    writer = Writer("x.md", MemorySink(), ReadLimits())
    markdown.write_markdown(canonical(text), writer)
    if not writer.is_empty:
        document = writer.document(parser="markdown/1", media_type=MediaType.MARKDOWN)
        check_rules(document)

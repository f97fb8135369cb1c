"""CSV and TSV: delimiter and header are found, rows become a table or pairs."""

import pytest

from knowledge.parsing.tables import has_header
from knowledge.types import BlockKind
from tests.unit.parsing.conftest import ReadBytes
from tests.unit.parsing.rules import parts


@pytest.mark.parametrize(
    ("name", "delimiter"), [("a.csv", ","), ("a.csv", ";"), ("a.csv", "\t"), ("a.csv", "|"), ("a.tsv", "\t")]
)
def test_the_delimiter_is_found(read_bytes: ReadBytes, name: str, delimiter: str) -> None:
    rows = [["part", "price, net", "note"], ["seal", "12.50", "a<b & *c*"], ["bolt", "3", "x; y"]]
    data = "\r\n".join(delimiter.join(f'"{cell}"' for cell in row) for row in rows)
    document = read_bytes(name, data)
    (table,) = document.blocks
    assert table.header_parts == 1
    assert parts(document, table) == [
        "| part | price, net | note |",
        "| seal | 12.50 | a<b & *c* |",
        "| bolt | 3 | x; y |",
    ]


def test_cells_of_several_lines_and_bars_stay_in_their_row(read_bytes: ReadBytes) -> None:
    document = read_bytes("a.csv", 'name,text\nx,"one\ntwo\n\n three|four"\n')
    assert "| x | one / two / three\\|four |" in document.text


def test_ragged_and_empty_rows_are_read(read_bytes: ReadBytes) -> None:
    document = read_bytes("a.csv", "a,b,c\n1\n\n,,\n1,2,3,4\n")
    assert parts(document, document.blocks[0])[1:] == ["| 1 |  |  |", "| 1 | 2 | 3 | 4 |"]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([["part", "price"], ["seal", "12"]], True),
        ([["产品", "2024", "2025"], ["水泵", "1", "2"]], True),
        ([["seal", "12"], ["bolt", "3"]], False),
        ([["a", "a"], ["1", "2"]], False),
        ([["part", "price"]], False),
        ([["2024-01-02", "x"], ["2024-01-03", "y"]], False),
        ([["", "Q1", "Q2"], ["north", "1", "2"]], True),
    ],
)
def test_a_header_is_told_from_data(rows: list[list[str]], expected: bool) -> None:
    assert has_header(rows) is expected


@pytest.mark.parametrize("header", ["question,answer,area", "问题,答案,area", "Q,A,area"])
def test_columns_of_questions_and_answers_become_pairs(read_bytes: ReadBytes, header: str) -> None:
    document = read_bytes("faq.csv", f"{header}\nWhy?,Because.,pumps\nHow?,Slowly.,\n")
    assert [block.kind for block in document.blocks] == [BlockKind.FAQ, BlockKind.FAQ]
    assert parts(document, document.blocks[0]) == ["Why?", "Because."]
    assert document.text.split("\n\n")[0] == "Q: Why?\nA: Because.\narea: pumps"


def test_a_quotation_mark_that_is_not_closed_is_told(read_bytes: ReadBytes) -> None:
    assert read_bytes("a.csv", 'a,b\n1,"2\n3,4\n').notices

"""XLSX: visible sheets as sections, tables with filled merged cells, values as people see them."""

import datetime as dt
import io
import zipfile
from collections.abc import Callable
from typing import Any

import openpyxl
import pytest
from openpyxl.worksheet.worksheet import Worksheet

from knowledge.parsing.number_formats import shown
from knowledge.types import BlockKind, ParsedDocument
from tests.unit.parsing.conftest import ReadBytes, Refusal
from tests.unit.parsing.rules import parts, texts

Fill = Callable[[Worksheet], None]
Rows = list[list[Any]]


def workbook(fill: Fill, title: str = "Parts") -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert isinstance(sheet, Worksheet)
    sheet.title = title
    fill(sheet)
    return saved(book)


def saved(book: openpyxl.Workbook) -> bytes:
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def with_part(data: bytes, name: str, change: Callable[[str], str]) -> bytes:
    """The workbook with one of its XML parts written anew."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as copy:
        for entry in source.infolist():
            body = source.read(entry)
            copy.writestr(entry, change(body.decode()).encode() if entry.filename == name else body)
    return target.getvalue()


def rows_of(document: ParsedDocument) -> list[str]:
    (table,) = [block for block in document.blocks if block.kind is BlockKind.TABLE]
    return parts(document, table)


def test_a_sheet_is_a_section_with_its_table(read_bytes: ReadBytes) -> None:
    def fill(sheet: Worksheet) -> None:
        sheet.append(["part", "price", "when", "share", "on", "note"])
        sheet.append(["seal", 12.0, dt.date(2026, 3, 1), 0.125, True, "a<b & *c* <5000|x"])
        sheet.append(
            ["泵", 0.1 + 0.2, dt.datetime.fromisoformat("2026-03-01 08:30"), 1, False, "مرحبا 👩‍🔧\nsecond line"]
        )
        sheet["D2"].number_format = "0%"
        sheet["D3"].number_format = "0.00%"

    document = read_bytes("a.xlsx", workbook(fill))
    assert document.text.startswith("# Parts\n\n| part |")
    assert rows_of(document)[1:] == [
        "| seal | 12 | 2026-03-01 | 12.5% | TRUE | a<b & *c* <5000\\|x |",
        "| 泵 | 0.3 | 2026-03-01 08:30 | 100% | FALSE | مرحبا 👩‍🔧 / second line |",
    ]


def test_formulas_give_the_value_they_last_had(read_bytes: ReadBytes) -> None:
    def fill(sheet: Worksheet) -> None:
        sheet.append(["part", "sum"])
        sheet.append(["seal", "=1+1"])
        sheet.append(["bolt", "=1+2"])

    data = with_part(
        workbook(fill),
        "xl/worksheets/sheet1.xml",
        lambda xml: xml.replace("<f>1+1</f><v />", "<f>1+1</f><v>2</v>").replace(
            "<f>1+1</f><v></v>", "<f>1+1</f><v>2</v>"
        ),
    )
    document = read_bytes("a.xlsx", data)
    assert rows_of(document)[1:] == ["| seal | 2 |", "| bolt |  |"]
    assert any("stored value: 1" in notice for notice in document.notices)


def test_hidden_sheets_rows_and_columns_are_left_out_with_notices(read_bytes: ReadBytes) -> None:
    book = openpyxl.Workbook()
    shown_sheet = book.active
    assert isinstance(shown_sheet, Worksheet)
    for row in [["a", "secret", "b"], ["1", "x", "2"], ["3", "y", "4"], ["5", "z", "6"]]:
        shown_sheet.append(row)
    shown_sheet.column_dimensions["B"].hidden = True
    shown_sheet.row_dimensions[3].hidden = True
    for name, state in [("Hidden", "hidden"), ("Deep", "veryHidden")]:
        other = book.create_sheet(name)
        other.append(["salary", "100"])
        other.sheet_state = state
    document = read_bytes("a.xlsx", saved(book))
    assert rows_of(document) == ["| a | b |", "| 1 | 2 |", "| 5 | 6 |"]
    assert "salary" not in document.text
    assert len(document.notices) == 3
    assert any("Hidden" in notice for notice in document.notices)


def test_rows_that_a_filter_hides_are_read(read_bytes: ReadBytes) -> None:
    def fill(sheet: Worksheet) -> None:
        for row in [["a", "b"], ["x", "1"], ["y", "2"]]:
            sheet.append(row)
        sheet.auto_filter.ref = "A1:B3"
        sheet.auto_filter.add_filter_column(0, ["y"])
        sheet.row_dimensions[2].hidden = True

    assert "| x | 1 |" in read_bytes("a.xlsx", workbook(fill)).text


def test_merged_cells_repeat_their_value_and_head_in_two_rows(read_bytes: ReadBytes) -> None:
    def fill(sheet: Worksheet) -> None:
        rows: Rows = [["part", "price", None], [None, "net", "gross"], ["seal", 1, 2], [None, 3, 4], ["bolt", 5, 6]]
        for row in rows:
            sheet.append(row)
        for merged in ["A1:A2", "B1:C1", "A3:A4"]:
            sheet.merge_cells(merged)

    document = read_bytes("a.xlsx", workbook(fill))
    assert rows_of(document) == [
        "| part | price | price |",
        "| part | net | gross |",
        "| seal | 1 | 2 |",
        "| seal | 3 | 4 |",
        "| bolt | 5 | 6 |",
    ]
    assert [block.header_parts for block in document.blocks] == [0, 2]


def test_titles_tables_and_notes_are_parted_and_trimmed(read_bytes: ReadBytes) -> None:
    def fill(sheet: Worksheet) -> None:
        sheet["B2"] = "Price list 2026"
        sheet.merge_cells("B2:E2")
        rows: Rows = [["part", None, None, "price"], ["seal", None, None, 1], ["bolt", None, None, 2]]
        for offset, row in enumerate(rows):
            for column, value in enumerate(row):
                sheet.cell(4 + offset, 2 + column, value)
        sheet["B9"] = "Prices without tax."

    document = read_bytes("a.xlsx", workbook(fill))
    assert (
        document.text
        == "# Parts\n\nPrice list 2026\n\n| part | price |\n| --- | --- |\n| seal | 1 |\n| bolt | 2 |\n\nPrices without tax."
    )


def test_a_form_reads_as_labels_and_values(read_bytes: ReadBytes) -> None:
    def fill(sheet: Worksheet) -> None:
        sheet.append(["Name:", "Ada", None, "电话：", "123"])
        sheet.append(["Site:", "Hall 3", None, "Floor:", 123])

    assert texts(read_bytes("a.xlsx", workbook(fill)), BlockKind.PARAGRAPH) == [
        "Name: Ada\n电话： 123\nSite: Hall 3\nFloor: 123"
    ]


def test_question_columns_become_pairs(read_bytes: ReadBytes) -> None:
    def fill(sheet: Worksheet) -> None:
        rows: Rows = [["编号", "问题", "答案"], [1, "多重？", "五十公斤"], [2, "多大？", "一米"]]
        for row in rows:
            sheet.append(row)

    document = read_bytes("a.xlsx", workbook(fill))
    assert texts(document, BlockKind.FAQ)[0] == "问：多重？\n答：五十公斤\n编号: 1"


def test_long_sheets_are_read_row_by_row(read_bytes: ReadBytes) -> None:
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Long")
    sheet.append(["number", "square"])
    for number in range(20_000):
        sheet.append([number, number * number])
    document = read_bytes("a.xlsx", saved(book))
    assert len(rows_of(document)) == 20_001
    assert rows_of(document)[-1] == "| 19999 | 399960001 |"


@pytest.mark.parametrize(
    ("value", "number_format", "expected"),
    [
        (1.0, "General", "1"),
        (1234567.0, "#,##0.00", "1234567"),
        (0.07, "0%", "7%"),
        (12.5, '0.0" kg"', "12.5 kg"),
        (1200, "[$€-407]#,##0", "€1200"),
        (1200, '"¥"#,##0.00', "¥1200"),
        (-5, "$#,##0", "-$5"),
        (80, '0"℃"', "80℃"),
        (1e21, "General", "1e+21"),
        (0.1 + 0.2, "General", "0.3"),
        (dt.time(8, 5), "h:mm", "08:05"),
        (dt.timedelta(hours=30), "[h]:mm", "1 day, 6:00:00"),
        (float("nan"), "General", "nan"),
        ("text", "@", "text"),
        (3, "_(* #,##0_);_(* (#,##0)", "3"),
    ],
)
def test_values_read_as_people_see_them(value: object, number_format: str, expected: str) -> None:
    assert shown(value, number_format) == expected


@pytest.mark.parametrize("part", ["xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/styles.xml"])
def test_a_damaged_workbook_is_refused(refusal: Refusal, part: str) -> None:
    data = with_part(workbook(lambda sheet: sheet.append(["a", "b"])), part, lambda xml: xml[: len(xml) // 2])
    assert refusal("a.xlsx", data).reason == "broken_file"


def test_an_empty_workbook_is_refused(refusal: Refusal) -> None:
    assert refusal("a.xlsx", workbook(lambda sheet: None)).reason == "no_text"

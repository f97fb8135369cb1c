"""PDF: reading order, headings, paragraphs, tables, pictures and pages, on files made here."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from fpdf import FPDF
from fpdf.enums import AccessPermission
from PIL import Image

from knowledge.parsing.inspect import inspect
from knowledge.parsing.limits import ReadLimits
from knowledge.parsing.pdf.document import ranges
from knowledge.types import BlockKind
from tests.unit.parsing.conftest import MakeFile, MemorySink, ReadBytes, Refusal
from tests.unit.parsing.rules import parts, texts

CJK_FONT = Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")
WIDE_FONT = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
WORDS = "The pump stops when the temperature of the bearing exceeds its limit and the operator has to check the level of the oil before it is started again. "


def sheet() -> FPDF:
    pdf = FPDF()
    pdf.add_page()
    pdf.set_font("Helvetica", size=10)
    return pdf


def line(pdf: FPDF, words: str, size: float = 10, style: str = "") -> None:
    pdf.set_font("Helvetica", style, size)
    pdf.cell(0, size * 0.6, words, new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("Helvetica", size=10)


def text(pdf: FPDF, words: str) -> None:
    pdf.multi_cell(0, 5, words, new_x="LMARGIN", new_y="NEXT")
    pdf.ln(3)


def saved(pdf: FPDF) -> bytes:
    return bytes(pdf.output())


def test_headings_paragraphs_and_lists_are_told_apart(read_bytes: ReadBytes) -> None:
    pdf = sheet()
    line(pdf, "Manual P-100", 20, "B")
    line(pdf, "1 Safety & a<b", 14, "B")
    text(pdf, WORDS * 3 + "Never above <5000 rpm.")
    text(pdf, WORDS * 2)
    line(pdf, "Steps", 10, "B")
    text(
        pdf,
        "- Stop the pump.\n- Drain it, which takes about a quarter of an hour when the oil is cold and has not been changed for a year.\n- Open it.",
    )
    document = read_bytes("a.pdf", saved(pdf))
    assert [(block.kind, block.level) for block in document.blocks] == [
        (BlockKind.HEADING, 1),
        (BlockKind.HEADING, 2),
        (BlockKind.PARAGRAPH, 0),
        (BlockKind.PARAGRAPH, 0),
        (BlockKind.HEADING, 3),
        (BlockKind.LIST, 0),
    ]
    assert document.title == "Manual P-100"
    assert texts(document, BlockKind.HEADING)[1] == "## 1 Safety & a<b"
    assert texts(document, BlockKind.PARAGRAPH)[0] == (WORDS * 3 + "Never above <5000 rpm.")
    assert len(document.blocks[-1].parts) == 3


@pytest.mark.parametrize("gutter", [5, 8, 15])
@pytest.mark.parametrize("align", ["J", "L"])
def test_two_columns_are_read_one_after_the_other(read_bytes: ReadBytes, gutter: int, align: str) -> None:
    pdf = sheet()
    line(pdf, "A title over both columns of this page", 18)
    with pdf.text_columns(ncols=2, gutter=gutter, text_align=align) as columns:
        for number in range(14):
            columns.write(f"Number {number} begins. {WORDS * 2}")
            columns.ln()
            columns.ln()
    found = read_bytes("a.pdf", saved(pdf)).text
    places = [found.index(f"Number {number} begins") for number in range(14)]
    assert places == sorted(places)
    assert " ".join(found.split()).count(WORDS.strip()) == 28


def test_columns_written_line_by_line_across_the_page_are_read_apart(read_bytes: ReadBytes) -> None:
    left, right = (f"{side} column says that {WORDS}" * 3 for side in ("The left", "The right"))
    pdf = sheet()
    lines = [wrapped(pdf, words, 85) for words in (left, right)]
    for first, second in zip(*lines, strict=True):
        pdf.cell(95, 5, first)
        pdf.cell(85, 5, second, new_x="LMARGIN", new_y="NEXT")
    found = " ".join(read_bytes("a.pdf", saved(pdf)).text.split())
    assert found == f"{left.strip()} {right.strip()}"


def wrapped(pdf: FPDF, words: str, width: float) -> list[str]:
    lines = pdf.multi_cell(width, 5, words, dry_run=True, output="LINES")
    assert isinstance(lines, list)
    return lines


def test_a_heading_between_two_column_parts_keeps_its_place(read_bytes: ReadBytes) -> None:
    pdf = sheet()
    for part, top in (("first", 20), ("second", 150)):
        pdf.set_xy(pdf.l_margin, top)
        line(pdf, f"A long heading over the whole width of the {part} part", 14, "B")
        with pdf.text_columns(ncols=2, gutter=8, balance=True) as columns:
            for number in range(6):
                columns.write(f"In the {part} part {number}. {WORDS}")
                columns.ln()
                columns.ln()
    found = read_bytes("a.pdf", saved(pdf)).text
    places = [found.index(f"In the {part} part {number}") for part in ("first", "second") for number in range(6)]
    assert places == sorted(places)
    assert found.index("the second part\n") > places[5]


def test_words_cut_at_line_ends_are_joined_and_compounds_kept(read_bytes: ReadBytes) -> None:
    pdf = sheet()
    rows = [
        "The maximum tempera-",
        "ture is reached on the well-known P-",
        "100 only when the pump runs dry, which",
        "must never happen.",
    ]
    for words in rows:
        pdf.cell(0, 5, words, new_x="LMARGIN", new_y="NEXT")
    assert read_bytes("a.pdf", saved(pdf)).text == (
        "The maximum temperature is reached on the well-known P-100 only when the pump runs dry, which must never happen."
    )


def test_running_headers_and_page_numbers_are_left_out(read_bytes: ReadBytes) -> None:
    class Book(FPDF):
        def header(self) -> None:
            line(self, f"Chapter {self.page_no() // 3} of the manual     {self.page_no()}", 8)
            self.ln(8)

        def footer(self) -> None:
            self.set_y(-15)
            line(self, f"- {self.page_no()} -", 8)

    pdf = Book()
    for number in range(8):
        pdf.add_page()
        text(pdf, f"Page {number} says: " + WORDS * 4)
    document = read_bytes("a.pdf", saved(pdf))
    assert "of the manual" not in document.text
    assert "- 3 -" not in document.text
    assert document.text.count("says:") == 8
    assert len(document.page_starts) == 8


def test_what_repeats_within_the_text_stays(read_bytes: ReadBytes) -> None:
    pdf = FPDF()
    pdf.set_font("Helvetica", size=10)
    for number in range(6):
        pdf.add_page()
        text(pdf, f"Page {number + 1}\n" + "The same words on each page. " * 10)
    found = read_bytes("a.pdf", saved(pdf)).text
    assert [found.count(f"Page {number + 1}") for number in range(6)] == [1] * 6


def test_pages_have_numbers_and_a_paragraph_may_go_over_them(read_bytes: ReadBytes) -> None:
    pdf = sheet()
    text(pdf, "Start. " + WORDS * 60)
    line(pdf, "End", 16, "B")
    document = read_bytes("a.pdf", saved(pdf))
    assert len(document.page_starts) == 2
    assert [block.page for block in document.blocks] == [1, 2]
    assert document.text[document.blocks[0].start : document.blocks[0].end] == ("Start. " + WORDS * 60).strip()
    assert document.blocks[0].start < document.page_starts[1] < document.blocks[0].end


TABLE = [
    ["Part", "Price", "Note"],
    ["Seal a<b", "12.50", "for P-100"],
    ["Bolt", "3.00", "<5000 rpm & more"],
    ["Ring", "4.20", "steel"],
]


def test_a_ruled_table_keeps_rows_and_cells(read_bytes: ReadBytes) -> None:
    pdf = sheet()
    text(pdf, "Before. " + WORDS)
    with pdf.table() as table:
        for row in TABLE:
            table.row(row)
    pdf.ln(5)
    text(pdf, "After. " + WORDS)
    document = read_bytes("a.pdf", saved(pdf))
    assert [block.kind for block in document.blocks] == [BlockKind.PARAGRAPH, BlockKind.TABLE, BlockKind.PARAGRAPH]
    assert parts(document, document.blocks[1]) == ["| " + " | ".join(row) + " |" for row in TABLE]
    assert document.blocks[1].header_parts == 1


def test_merged_cells_of_a_ruled_table_repeat_their_value(read_bytes: ReadBytes) -> None:
    pdf = sheet()
    with pdf.table() as table:
        table.row(["part", "net", "gross"])
        row = table.row()
        row.cell("seal", rowspan=2)
        row.cell("both", colspan=2)
        table.row(["3", "4"])
    document = read_bytes("a.pdf", saved(pdf))
    assert parts(document, document.blocks[0])[1:] == ["| seal | both | both |", "| seal | 3 | 4 |"]


def test_a_table_without_rules_is_found_by_its_alignment(read_bytes: ReadBytes) -> None:
    pdf = sheet()
    text(pdf, "Before. " + WORDS * 2)
    for row in TABLE:
        for cell in row:
            pdf.cell(45, 6, cell)
        pdf.ln(6)
    pdf.ln(4)
    text(pdf, "After. " + WORDS * 2)
    document = read_bytes("a.pdf", saved(pdf))
    assert [block.kind for block in document.blocks] == [BlockKind.PARAGRAPH, BlockKind.TABLE, BlockKind.PARAGRAPH]
    assert parts(document, document.blocks[1]) == ["| " + " | ".join(row) + " |" for row in TABLE]


def test_code_in_a_monospaced_font_keeps_its_lines(read_bytes: ReadBytes) -> None:
    pdf = sheet()
    text(pdf, "Run this: " + WORDS)
    pdf.set_font("Courier", size=9)
    pdf.multi_cell(0, 4, "if x < 5:\n    stop()\nelse:\n    run(a,   b)", new_x="LMARGIN", new_y="NEXT")
    document = read_bytes("a.pdf", saved(pdf))
    assert texts(document, BlockKind.CODE) == ["```\nif x < 5:\n    stop()\nelse:\n    run(a,   b)\n```"]


@pytest.mark.skipif(not CJK_FONT.exists(), reason="needs a Chinese font")
def test_chinese_lines_join_without_spaces(read_bytes: ReadBytes) -> None:
    words = (
        "离心泵启动前必须检查润滑油的油位。如果轴承温度超过八十摄氏度，操作人员应当立即停机，并通知维修班组。型号 P-100 的转速为 2900 rpm。"
        * 2
    )
    pdf = FPDF()
    pdf.add_font("cjk", fname=CJK_FONT)
    pdf.add_page()
    pdf.set_font("cjk", size=18)
    pdf.cell(0, 12, "离心泵操作手册", new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("cjk", size=11)
    pdf.multi_cell(0, 6, words)
    document = read_bytes("手册.pdf", saved(pdf))
    assert document.text == f"# 离心泵操作手册\n\n{words}"


@pytest.mark.parametrize("order", [slice(None), slice(None, None, -1)], ids=["as typed", "as seen"])
@pytest.mark.parametrize("words", ["مرحبا بالعالم", "שלום עולם"])
def test_words_from_right_to_left_are_in_the_order_of_reading(read_bytes: ReadBytes, words: str, order: slice) -> None:
    pdf = FPDF()
    pdf.add_font("wide", fname=WIDE_FONT)
    pdf.add_page()
    pdf.set_font("wide", size=11)
    pdf.multi_cell(0, 6, words[order])
    assert read_bytes("a.pdf", saved(pdf)).text == words


def test_characters_beyond_the_basic_plane_do_not_shift_the_words(read_bytes: ReadBytes) -> None:
    pdf = FPDF()
    pdf.add_font("wide", fname=WIDE_FONT)
    pdf.add_page()
    pdf.set_font("wide", size=11)
    words = "Smile 😀😀 then a<b — ☺ and   more words 😀 at the end."
    pdf.multi_cell(0, 6, words)
    assert read_bytes("a.pdf", saved(pdf)).text == " ".join(words.split())


def picture(colour: str, kind: str = "PNG") -> io.BytesIO:
    target = io.BytesIO()
    Image.new("RGB", (200, 120), colour).save(target, kind)
    target.seek(0)
    return target


def test_pictures_stand_with_their_caption_and_small_ones_are_left_out(read_bytes: ReadBytes, sink: MemorySink) -> None:
    pdf = sheet()
    text(pdf, "Before. " + WORDS)
    pdf.image(picture("red", "JPEG"), w=60)
    line(pdf, "Figure 1: the pump cut open")
    pdf.ln(10)
    text(pdf, "Between. " + WORDS)
    pdf.image(picture("blue"), w=60)
    pdf.ln(10)
    text(pdf, "After. " + WORDS)
    pdf.image(picture("green"), w=5)
    document = read_bytes("a.pdf", saved(pdf))
    assert texts(document, BlockKind.IMAGE) == ["Figure 1: the pump cut open"]
    assert [(found.media_type, found.page) for found in document.pictures] == [("image/jpeg", 1), ("image/png", 1)]
    assert document.text[document.pictures[1].start :].startswith("Between")
    assert sink.kept[document.pictures[0].key][0].startswith(b"\xff\xd8\xff")


def test_a_scan_without_text_is_refused(refusal: Refusal) -> None:
    pdf = FPDF()
    for colour in ("red", "blue"):
        pdf.add_page()
        pdf.image(picture(colour), w=190)
    error = refusal("scan.pdf", saved(pdf))
    assert error.reason == "no_text"
    assert "OCR" in str(error)


def test_pages_without_text_are_named(read_bytes: ReadBytes) -> None:
    pdf = FPDF()
    for number in range(6):
        pdf.add_page()
        if number in (0, 4):
            pdf.set_font("Helvetica", size=10)
            text(pdf, f"Page {number}. " + WORDS)
        else:
            pdf.image(picture("red"), w=190)
    document = read_bytes("a.pdf", saved(pdf))
    assert "2–4, 6" in document.notices[0]
    assert [block.page for block in document.blocks] == [1, 5]


@pytest.mark.parametrize("password", ["secret", ""])
def test_a_password_to_open_is_refused_and_one_to_change_is_not(
    read_bytes: ReadBytes, refusal: Refusal, password: str
) -> None:
    pdf = sheet()
    text(pdf, "Words to read.")
    pdf.set_encryption(owner_password="owner", user_password=password, permissions=AccessPermission.none())
    if password:
        assert refusal("a.pdf", saved(pdf)).reason == "encrypted"
    else:
        assert read_bytes("a.pdf", saved(pdf)).text == "Words to read."


@pytest.mark.parametrize(
    "damage", [lambda data: data[:200], lambda data: b"%PDF-1.7\n" + b"x" * 500, lambda data: b"%PDF-1.4\n%%EOF"]
)
def test_a_damaged_file_is_refused(refusal: Refusal, damage: Callable[[bytes], bytes]) -> None:
    pdf = sheet()
    text(pdf, WORDS)
    assert refusal("a.pdf", damage(saved(pdf))).reason == "broken_file"


def test_turned_pages_are_read_as_people_see_them(read_bytes: ReadBytes) -> None:
    pdf = sheet()
    line(pdf, "Heading of the page", 16, "B")
    text(pdf, WORDS * 3)
    data = saved(pdf)
    turned = data.replace(b"/Type /Page\n", b"/Type /Page /Rotate 180\n")
    assert turned != data
    assert sorted(read_bytes("a.pdf", turned).text.split()) == sorted(read_bytes("a.pdf", data).text.split())


def test_a_look_counts_the_pages(make_file: MakeFile) -> None:
    pdf = sheet()
    pdf.add_page()
    assert inspect(make_file("a.pdf", saved(pdf)), ReadLimits()).pages == 2


@pytest.mark.parametrize(("numbers", "words"), [([1], "1"), ([1, 2, 3], "1–3"), ([1, 3, 4, 9], "1, 3–4, 9"), ([], "")])
def test_page_numbers_are_written_as_ranges(numbers: list[int], words: str) -> None:
    assert ranges(numbers) == words


def test_more_pages_than_allowed_are_refused(refusal: Refusal) -> None:
    pdf = sheet()
    for _ in range(5):
        text(pdf, WORDS)
        pdf.add_page()
    assert refusal("a.pdf", saved(pdf), ReadLimits(pages=5)).reason == "too_large"


def test_a_drawing_of_very_many_lines_is_no_table_and_costs_no_time(read_bytes: ReadBytes) -> None:
    pdf = sheet()
    text(pdf, WORDS)
    for number in range(3_000):
        pdf.line(20, 60 + number % 150, 180, 60 + number * 7 % 150)
        pdf.line(20 + number % 150, 60, 20 + number * 7 % 150, 200)
    assert read_bytes("a.pdf", saved(pdf)).text == WORDS.strip()

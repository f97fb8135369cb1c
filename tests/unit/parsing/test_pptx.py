"""PPTX: a heading and a page per slide, shapes in reading order."""

import io
from typing import Any

import pptx
from PIL import Image
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from knowledge.types import BlockKind
from tests.unit.parsing.conftest import MemorySink, ReadBytes
from tests.unit.parsing.rules import texts


def png(colour: str = "red") -> io.BytesIO:
    target = io.BytesIO()
    Image.new("RGB", (60, 60), colour).save(target, "PNG")
    target.seek(0)
    return target


def chart_data() -> Any:
    make: Any = CategoryChartData
    return make()


def saved(show: Any) -> bytes:
    target = io.BytesIO()
    show.save(target)
    return target.getvalue()


def test_a_slide_is_a_heading_and_a_page(read_bytes: ReadBytes) -> None:
    show = pptx.Presentation()
    for number in (1, 2):
        slide = show.slides.add_slide(show.slide_layouts[1])
        slide.shapes.title.text = f"Slide a<b {number}"
        body = slide.placeholders[1].text_frame
        body.text = "oil & *grease*"
        below = body.add_paragraph()
        below.text, below.level = "5 l", 1
        body.add_paragraph().text = "مرحبا 👩‍🔧"
    document = read_bytes("a.pptx", saved(show))
    assert document.text.split("\n\n")[:2] == ["# Slide a<b 1", "- oil & *grease*\n  - 5 l\n- مرحبا 👩‍🔧"]
    assert [block.page for block in document.blocks] == [1, 1, 2, 2]
    assert [document.text[start:][:13] for start in document.page_starts] == ["# Slide a<b 1", "# Slide a<b 2"]
    assert document.title == "Slide a<b 1"


def test_shapes_are_read_from_top_to_bottom_groups_included(read_bytes: ReadBytes) -> None:
    show = pptx.Presentation()
    slide = show.slides.add_slide(show.slide_layouts[6])
    for words, left, top in [("third", 1, 5), ("second", 4, 1), ("first", 1, 1.1)]:
        slide.shapes.add_textbox(Inches(left), Inches(top), Inches(2), Inches(1)).text_frame.text = words
    group = slide.shapes.add_group_shape()
    group.shapes.add_textbox(Inches(1), Inches(6), Inches(2), Inches(1)).text_frame.text = "grouped"
    document = read_bytes("a.pptx", saved(show))
    assert texts(document, BlockKind.PARAGRAPH) == ["first", "second", "third", "grouped"]


def test_tables_charts_notes_and_pictures_are_read(read_bytes: ReadBytes, sink: MemorySink) -> None:
    show = pptx.Presentation()
    slide = show.slides.add_slide(show.slide_layouts[5])
    slide.shapes.title.text = "Parts"
    table = slide.shapes.add_table(3, 3, Inches(1), Inches(2), Inches(5), Inches(1)).table
    for row, values in enumerate([["part", "net", "gross"], ["seal", "1|2", ""], ["", "3", "4"]]):
        for column, value in enumerate(values):
            table.cell(row, column).text = value
    table.cell(1, 1).merge(table.cell(1, 2))
    table.cell(1, 0).merge(table.cell(2, 0))
    data: Any = chart_data()
    data.categories = ["2025", "2026"]
    data.add_series("pumps", (1.5, 2))
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(4), Inches(3), Inches(2), data)
    picture = slide.shapes.add_picture(png(), Inches(1), Inches(6.5))
    picture._element.nvPicPr.cNvPr.set("descr", "The pump cut open")
    slide.notes_slide.notes_text_frame.text = "Say hello."
    document = read_bytes("a.pptx", saved(show))
    assert (
        document.text
        == """\
# Parts

| part | net | gross |
| --- | --- | --- |
| seal | 1\\|2 | 1\\|2 |
| seal | 3 | 4 |

|  | pumps |
| --- | --- |
| 2025 | 1.5 |
| 2026 | 2 |

The pump cut open

Notes: Say hello."""
    )
    assert [found.caption for found in document.pictures] == ["The pump cut open"]
    assert document.pictures[0].page == 1


def test_hidden_slides_are_left_out_with_a_notice_and_keep_their_page(read_bytes: ReadBytes) -> None:
    show = pptx.Presentation()
    for words in ("one", "secret", "three"):
        show.slides.add_slide(show.slide_layouts[5]).shapes.title.text = words
    show.slides[1]._element.set("show", "0")
    document = read_bytes("a.pptx", saved(show))
    assert "secret" not in document.text
    assert [block.page for block in document.blocks] == [1, 3]
    assert len(document.notices) == 1

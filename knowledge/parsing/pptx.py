"""PPTX: a heading and a page per slide, in reading order: title first, then shapes from top to bottom and left to right; tables, charts' figures, notes.

Hidden slides are left out with a notice.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import pptx
from defusedxml.ElementTree import fromstring
from django.utils.translation import gettext as _
from pptx.enum.shapes import MSO_SHAPE_TYPE, PP_PLACEHOLDER
from pptx.exc import PythonPptxError

from common.text import language_of
from knowledge.parsing import refusals
from knowledge.parsing.containers import FAULTS, open_container, refuse_long_parts
from knowledge.parsing.grids import Grid
from knowledge.parsing.markup import one_line
from knowledge.parsing.media import LABELS, MediaType
from knowledge.parsing.slide_text import DRAWING, frame_parts
from knowledge.parsing.tables import write_table
from knowledge.parsing.writer import Writer
from knowledge.types import SourceFile

_FAULTS = (*FAULTS, PythonPptxError)
_LEFT_OUT = frozenset([PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.SLIDE_NUMBER, PP_PLACEHOLDER.HEADER])
_ROW_EMU = 250_000
_DIAGRAM_DATA = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/diagramData"
_GROUP_DEPTH = 20


def parse(source: SourceFile, writer: Writer) -> None:
    """Write the visible slides of a presentation."""
    archive = open_container(source.path)
    if archive is None:
        raise refusals.broken_file(source.name, label=LABELS[MediaType.PPTX])
    with archive:
        refuse_long_parts(archive, writer.limits, source.name)
    try:
        show = pptx.Presentation(str(source.path))
        writer.title = show.core_properties.title or ""
        for number, slide in enumerate(show.slides, start=1):
            _write_slide(writer, slide, number)
    except _FAULTS as error:
        raise refusals.broken_file(source.name, label=LABELS[MediaType.PPTX]) from error


def _write_slide(writer: Writer, slide: Any, number: int) -> None:
    writer.begin_page()
    if slide._element.get("show") in ("0", "false"):
        writer.notice(_("The hidden slide %(number)d was left out.") % {"number": number})
        return
    title = slide.shapes.title
    words = one_line(title.text_frame.text) if title is not None and title.has_text_frame else ""
    shapes = [shape for shape in _in_order(slide.shapes) if title is None or shape.shape_id != title.shape_id]
    if words:
        writer.heading(words, 1)
        writer.title = writer.title or words
    elif shapes:
        writer.heading(_untitled(shapes, number), 1)
    for shape in shapes:
        _write_shape(writer, slide, shape)
    if slide.has_notes_slide and (frame := slide.notes_slide.notes_text_frame) is not None and frame.text.strip():
        writer.paragraph(("备注：" if language_of(frame.text) == "zh" else "Notes: ") + frame.text)


def _untitled(shapes: Iterable[Any], number: int) -> str:
    """A heading for a slide without a title, in the language of its text: what is stored must not hang on who reads it."""
    words = " ".join(shape.text_frame.text for shape in shapes if shape.has_text_frame)
    return f"幻灯片 {number}" if language_of(words) == "zh" else f"Slide {number}"


def _in_order(shapes: Iterable[Any], depth: int = 0) -> list[Any]:
    """Shapes as people read them, groups taken apart; shapes whose tops are about level go from left to right."""
    flat: list[Any] = []
    for shape in sorted(shapes, key=lambda shape: (round((shape.top or 0) / _ROW_EMU), shape.left or 0)):
        if shape.shape_type == MSO_SHAPE_TYPE.GROUP and depth < _GROUP_DEPTH:
            flat += _in_order(shape.shapes, depth + 1)
        else:
            flat.append(shape)
    return flat


def _write_shape(writer: Writer, slide: Any, shape: Any) -> None:
    if shape.is_placeholder and shape.placeholder_format.type in _LEFT_OUT:
        return
    if getattr(shape, "has_table", False) and shape.has_table:
        write_table(writer, _grid(shape.table), 1 if shape.table.first_row and len(shape.table.rows) > 1 else None)
    elif getattr(shape, "has_chart", False) and shape.has_chart:
        _write_chart(writer, shape.chart)
    elif shape.has_text_frame:
        for part in frame_parts(shape.text_frame._txBody, is_list=_is_body(shape)):
            writer.paragraph(part) if isinstance(part, str) else writer.list(part)
    elif (blob := _picture(shape)) is not None:
        writer.image(blob, alternative=_alternative(shape))
    else:
        writer.paragraph("\n".join(_diagram_words(slide, shape)))


def _is_body(shape: Any) -> bool:
    """Whether paragraphs have bullets unless they say otherwise, as in the body placeholder."""
    return bool(shape.is_placeholder and shape.placeholder_format.type in (PP_PLACEHOLDER.BODY, PP_PLACEHOLDER.OBJECT))


def _grid(table: Any) -> list[list[str]]:
    grid = Grid()
    for row in table.rows:
        for cell in row.cells:
            if not cell.is_spanned:
                grid.add(cell.text_frame.text.replace("\v", "\n"), across=cell.span_width, down=cell.span_height)
        grid.end_row()
    return grid.rows


def _write_chart(writer: Writer, chart: Any) -> None:
    """A chart's figures as a table: categories down, series across."""
    if chart.has_title and chart.chart_title.has_text_frame:
        writer.paragraph(chart.chart_title.text_frame.text)
    plot = next(iter(chart.plots), None)
    if plot is None:
        return
    series = [(found.name or "", list(found.values)) for found in plot.series]
    categories = [str(category) for category in plot.categories]
    rows = [
        [category, *(_figure(values[index]) if index < len(values) else "" for _name, values in series)]
        for index, category in enumerate(categories)
    ]
    writer.table([["", *(name for name, _values in series)], *rows], 1)


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.15g}"


def _picture(shape: Any) -> bytes | None:
    if shape.shape_type not in (MSO_SHAPE_TYPE.PICTURE, MSO_SHAPE_TYPE.PLACEHOLDER) or not hasattr(shape, "image"):
        return None
    try:
        return bytes(shape.image.blob)
    except (ValueError, KeyError):
        return None


def _alternative(shape: Any) -> str:
    """The alternative text that somebody wrote; programs put a file's name there."""
    found = shape._element.xpath(".//p:cNvPr/@descr")
    words = found[0].strip() if found else ""
    return "" if "." in words[-5:] and " " not in words else words


def _diagram_words(slide: Any, shape: Any) -> Iterator[str]:
    """The words of a SmartArt diagram, from the part that holds its data."""
    for identifier in shape._element.xpath(".//*[local-name()='relIds']/@*[local-name()='dm']"):
        relation = slide.part.rels.get(identifier)
        if relation is not None and relation.reltype == _DIAGRAM_DATA:
            yield from diagram_lines(relation.target_part.blob)


def diagram_lines(xml: bytes) -> Iterator[str]:
    """Each paragraph with words in a diagram's data."""
    for paragraph in fromstring(xml).iter(f"{{{DRAWING}}}p"):
        words = "".join(text.text or "" for text in paragraph.iter(f"{{{DRAWING}}}t"))
        if words.strip():
            yield words

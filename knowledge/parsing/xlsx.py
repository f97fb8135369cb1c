"""XLSX: one section per visible sheet; stretches of rows between empty rows become tables, forms or paragraphs. Rows are streamed.

Values are those that formulas last had; hidden sheets, columns and rows are left out with a notice; merged cells repeat their value.
"""

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

import openpyxl
from django.utils.translation import gettext as _
from openpyxl.utils.exceptions import InvalidFileException

from knowledge.parsing import refusals
from knowledge.parsing.containers import FAULTS
from knowledge.parsing.media import LABELS, MediaType
from knowledge.parsing.number_formats import shown
from knowledge.parsing.sheet_rows import Row, write_stretch
from knowledge.parsing.sheet_shape import MergedCells, SheetShape, shape_of
from knowledge.parsing.writer import Writer
from knowledge.types import SourceFile

_FAULTS = (*FAULTS, InvalidFileException)


@dataclass(slots=True)
class _CellBudget:
    """How many cells may still be looked at: an empty row can reach over 16,384 columns."""

    name: str
    left: int

    def spend(self, count: int) -> None:
        """Count cells. Raises UnreadableFile when there are too many."""
        self.left -= count
        if self.left < 0:
            raise refusals.too_much_inside(self.name)


def parse(source: SourceFile, writer: Writer) -> None:
    """Write the visible sheets of a workbook."""
    # Opened by us, because openpyxl judges a path by its ending.
    with source.path.open("rb") as file:
        try:
            book = openpyxl.load_workbook(file, read_only=True, data_only=True, keep_links=False)
            _write_book(writer, source, book)
        except _FAULTS as error:
            raise refusals.broken_file(source.name, label=LABELS[MediaType.XLSX]) from error


def _write_book(writer: Writer, source: SourceFile, book: openpyxl.Workbook) -> None:
    writer.title = (book.properties.title or "") if book.properties else ""
    for sheet in book.worksheets:
        if sheet.sheet_state == "visible":
            _write_sheet(writer, source, sheet)
        else:
            writer.notice(_("The hidden sheet “%(name)s” was left out.") % {"name": sheet.title})


def _write_sheet(writer: Writer, source: SourceFile, sheet: Any) -> None:
    shape = _shape(source, sheet)
    rows = _rows(sheet, shape, _CellBudget(source.name, writer.limits.cells))
    first = next(rows, None)
    if first is None:
        return
    writer.heading(sheet.title, 1)
    for stretch in _stretches(chain([first], rows)):
        write_stretch(writer, stretch)
    if shape.hides_content:
        writer.notice(_("Hidden rows or columns of the sheet “%(name)s” were left out.") % {"name": sheet.title})
    if shape.formulas_without_value:
        writer.notice(
            _(
                "Formulas of the sheet “%(name)s” without a stored value: %(count)d. Open the file in a spreadsheet program and save it again."
            )
            % {"name": sheet.title, "count": shape.formulas_without_value}
        )


def _shape(source: SourceFile, sheet: Any) -> SheetShape:
    # The streaming worksheet knows the name of its part; there is no public way to it.
    with zipfile.ZipFile(source.path) as archive, archive.open(sheet._worksheet_path.lstrip("/")) as part:
        return shape_of(part)


def _rows(sheet: Any, shape: SheetShape, budget: _CellBudget) -> Iterator[Row]:
    """The rows that hold something, with merged cells filled; each says whether an empty row stands before it."""
    columns = shape.columns
    merges = MergedCells(shape)
    is_after_gap = True
    sheet.reset_dimensions()
    for number, cells in enumerate(sheet.iter_rows(), start=1):
        budget.spend(len(cells))
        texts = {index: _words(cell) for index, cell in enumerate(cells, start=1) if cell.value is not None}
        across, height = merges.fill(number, texts)
        line = [texts.get(column, "") for column in columns]
        if not any(text.strip() for text in texts.values()):
            is_after_gap = True
        elif not shape.is_hidden_row(number) and any(text.strip() for text in line):
            yield Row(line, is_after_gap, across, height)
            is_after_gap = False


def _words(cell: Any) -> str:
    return shown(cell.value, cell.number_format or "")


def _stretches(rows: Iterator[Row]) -> Iterator[Iterator[Row]]:
    """Runs of rows without an empty row between them; each must be used up before the next is asked for."""
    ahead: list[Row] = []

    def run(first: Row) -> Iterator[Row]:
        yield first
        for row in rows:
            if row.is_after_gap:
                ahead.append(row)
                return
            yield row

    first = next(rows, None)
    while first is not None:
        yield run(first)
        first = ahead.pop() if ahead else None

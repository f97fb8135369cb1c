"""Tables with rules: pages whose drawings suggest a grid are given to pdfplumber, which finds the cells; their words come from PDFium like all others."""

import ctypes
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import pdfplumber
from pdfminer.pdfexceptions import PDFException
from pdfplumber.utils.exceptions import MalformedPDFException, PdfminerException

from knowledge.parsing.pdf.layout import Ruled
from knowledge.parsing.pdf.pdfium import Page, raw
from knowledge.parsing.pdf.places import Box, Segment, Word, around, joined_words

# Its warnings about fonts are of no use to anybody here.
logging.getLogger("pdfminer").setLevel(logging.ERROR)

_THIN = 3.0
_LONG = 15.0
_PAGES_PER_OPENING = 40
_PARTS_OF_A_SHAPE = 12
_PARTS_AT_MOST = 5_000
_THINGS_AT_MOST = 20_000
_FAULTS = (
    PDFException,
    PdfminerException,
    MalformedPDFException,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    OSError,
    RecursionError,
    TypeError,
    ValueError,
)


def suggests_grid(page: Page) -> bool:
    """Whether a page's drawings hold lines in both directions, or several boxes: only then is it worth looking for tables.

    A drawing of very many parts is a map or a plan, and looking for a table's cells in it would take minutes.
    """
    across = down = boxes = shapes = total = 0
    for width, height, parts in _paths(page):
        total += parts
        shapes += parts > _PARTS_OF_A_SHAPE
        across += height < _THIN and width > _LONG
        down += width < _THIN and height > _LONG / 2
        boxes += width > _LONG and height > _THIN
    return total <= _PARTS_AT_MOST and (shapes > 0 or (across >= 2 and down >= 2) or boxes >= 4)


def _paths(page: Page) -> Iterator[tuple[float, float, int]]:
    """Width, height and number of parts of each drawn path; a page of too many things counts as one path of too many parts."""
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    count = raw.FPDFPage_CountObjects(page)
    if count > _THINGS_AT_MOST:
        yield 0.0, 0.0, _PARTS_AT_MOST + 1
        return
    for index in range(count):
        thing = raw.FPDFPage_GetObject(page, index)
        if raw.FPDFPageObj_GetType(thing) != raw.FPDF_PAGEOBJ_PATH:
            continue
        if raw.FPDFPageObj_GetBounds(thing, left, bottom, right, top):
            yield right.value - left.value, top.value - bottom.value, raw.FPDFPath_CountSegments(thing)


@dataclass(slots=True)
class RuledTables:
    """Finds tables on pages of one file. The file is opened again now and then, because pdfplumber keeps what it has seen."""

    path: Path
    _file: BinaryIO | None = None
    _opened: Any = None
    _count: int = field(default=0)

    def find(self, number: int, segments: tuple[Segment, ...]) -> tuple[list[Ruled], list[Segment]]:
        """The tables of a page and the segments that stand outside of them."""
        tables: list[Ruled] = []
        words = [word for segment in segments for word in segment.words]
        taken: set[int] = set()
        for cells, rows in self._grids(number):
            inside = [word for word in words if _is_inside(word.box, cells) and id(word) not in taken]
            texts = _texts(rows, inside)
            if sum(any(row) for row in texts) > 1 and max(map(len, texts)) > 1:
                tables.append(Ruled(cells, texts))
                taken.update(id(word) for word in inside)
        return tables, list(_outside(segments, taken))

    def close(self) -> None:
        """Let go of the file. Its own way to close would look at every page once more."""
        self._opened = None
        if self._file is not None:
            self._file.close()
            self._file = None

    def _grids(self, number: int) -> Iterator[tuple[Box, list[list[Box | None]]]]:
        """The place of each table on a page, and its cells by rows; None where a merged cell goes on."""
        try:
            page = self._page(number)
            tables = page.find_tables()
            page.close()
        except _FAULTS:
            # What its parser can't take apart has no tables for us; the words are still read.
            return
        for table in tables:
            rows = [[_box(cell, page.bbox) for cell in row.cells] for row in table.rows]
            yield _box(table.bbox, page.bbox) or Box(0, 0, 0, 0), rows

    def _page(self, number: int) -> Any:
        if self._opened is None or self._count >= _PAGES_PER_OPENING:
            self.close()
            self._file = self.path.open("rb")
            self._opened, self._count = pdfplumber.open(self._file), 0
        self._count += 1
        return self._opened.pages[number - 1]


def _texts(rows: list[list[Box | None]], words: list[Word]) -> list[list[str]]:
    """The words in each cell; where a merged cell goes on, those of the cell that covers the place."""
    boxes = [cell for row in rows for cell in row if cell is not None]
    texts = {box: _words_in(box, words) for box in boxes}
    tops = [min((cell.top for cell in row if cell is not None), default=0.0) for row in rows]
    columns = [[row[index] for row in rows] for index in range(len(rows[0]))]
    lefts = [min((cell.left for cell in column if cell is not None), default=0.0) for column in columns]
    grid = []
    for row, top in zip(rows, tops, strict=True):
        line = []
        for index, cell in enumerate(row):
            covering = cell or next(
                (box for box in boxes if box.left <= lefts[index] + 1 < box.right and box.top <= top + 1 < box.bottom),
                None,
            )
            line.append(texts[covering] if covering else "")
        grid.append(line)
    return grid


def _words_in(cell: Box, words: list[Word]) -> str:
    inside = [word for word in words if _is_inside(word.box, cell)]
    lines: list[list[Word]] = []
    for word in sorted(inside, key=lambda word: word.box.middle):
        if lines and abs(word.box.middle - lines[-1][0].box.middle) < 0.4 * word.box.height:
            lines[-1].append(word)
        else:
            lines.append([word])
    return " ".join(joined_words(tuple(_ordered(line))) for line in lines)


def _ordered(line: list[Word]) -> list[Word]:
    return sorted(line, key=lambda word: word.box.left, reverse=sum(word.is_rtl for word in line) * 2 > len(line))


def _is_inside(box: Box, area: Box) -> bool:
    middle = (box.left + box.right) / 2
    return area.left <= middle <= area.right and area.top <= box.middle <= area.bottom


def _outside(segments: tuple[Segment, ...], taken: set[int]) -> Iterator[Segment]:
    for segment in segments:
        words = tuple(word for word in segment.words if id(word) not in taken)
        if len(words) == len(segment.words):
            yield segment
        elif words:
            yield Segment(words, around([word.box for word in words]), segment.is_bold)


def _box(bounds: tuple[float, float, float, float] | None, page: tuple[float, float, float, float]) -> Box | None:
    if bounds is None:
        return None
    return Box(bounds[0] - page[0], bounds[1] - page[1], bounds[2] - page[0], bounds[3] - page[1])

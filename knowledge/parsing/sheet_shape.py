"""What surrounds the cells of a worksheet, which the streaming reader does not tell: merged ranges, hidden rows and columns, columns in use.

Read in a pass of its own over the sheet's XML, because merged ranges are written after the rows.
"""

import re
from dataclasses import dataclass, field
from typing import IO
from xml.etree.ElementTree import Element

from defusedxml.ElementTree import iterparse
from openpyxl.utils import column_index_from_string
from openpyxl.utils.cell import range_boundaries

_NAMESPACE = re.compile(r"\{[^}]*\}")
_COLUMN = re.compile(r"[A-Z]{1,3}")
_COLUMNS_AT_MOST = 16_384
_MERGES_AT_MOST = 100_000


@dataclass(frozen=True, slots=True)
class Merge:
    """A merged range, 1-based and inclusive."""

    left: int
    top: int
    right: int
    bottom: int


@dataclass(slots=True)
class SheetShape:
    """`columns` are those in use and not hidden, in order; `merges` are ordered by their first row."""

    used: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    hidden_rows: set[int] = field(default_factory=set)
    merges: list[Merge] = field(default_factory=list)
    formulas_without_value: int = 0
    is_filtered: bool = False

    @property
    def columns(self) -> list[int]:
        """Columns to write."""
        return sorted(self.used - self.hidden_columns)

    @property
    def hides_content(self) -> bool:
        """Whether somebody hid columns in use, or rows other than by a filter."""
        return bool(self.used & self.hidden_columns) or bool(self.hidden_rows and not self.is_filtered)

    def is_hidden_row(self, number: int) -> bool:
        """Whether a row was hidden by hand; rows that a filter hides for the moment are read."""
        return number in self.hidden_rows and not self.is_filtered


class MergedCells:
    """Fills the cells of merged ranges while rows go by, one after the other."""

    def __init__(self, shape: SheetShape) -> None:
        self._columns = shape.columns
        self._coming = iter(shape.merges)
        self._next = next(self._coming, None)
        self._open: dict[Merge, str] = {}

    def fill(self, number: int, texts: dict[int, str]) -> tuple[bool, int]:
        """Fill the texts of a row by column; gives whether cells are merged across here, and the height of the tallest that begins here."""
        while self._next is not None and self._next.top <= number:
            self._open[self._next] = texts.get(self._next.left, "") if self._next.top == number else ""
            self._next = next(self._coming, None)
        self._open = {merge: text for merge, text in self._open.items() if merge.bottom >= number}
        across, height = False, 1
        for merge, text in self._open.items():
            covered = [column for column in self._columns if merge.left <= column <= merge.right]
            texts.update(dict.fromkeys(covered, text))
            if merge.top == number and text:
                across = across or len(covered) > 1
                height = max(height, merge.bottom - merge.top + 1)
        return across, height


def shape_of(stream: IO[bytes]) -> SheetShape:
    """Read the shape of a worksheet from its XML."""
    shape = SheetShape()
    root: Element | None = None
    for event, element in iterparse(stream, events=("start", "end")):
        if root is None:
            root = element
        if event == "start":
            continue
        tag = _NAMESPACE.sub("", element.tag)
        _note(shape, tag, element)
        if tag in ("row", "c"):
            element.clear()
        if tag == "row" and len(root):
            root[-1].clear()
    shape.merges.sort(key=lambda merge: merge.top)
    return shape


def _note(shape: SheetShape, tag: str, element: Element) -> None:
    if tag == "c":
        children = {_NAMESPACE.sub("", child.tag): child for child in element}
        value = children.get("v")
        has_value = "is" in children or (value is not None and bool(value.text))
        shape.formulas_without_value += "f" in children and not has_value
        if has_value and (column := _COLUMN.match(element.get("r", ""))):
            shape.used.add(column_index_from_string(column[0]))
    elif tag == "row" and element.get("hidden") in ("1", "true"):
        shape.hidden_rows.add(int(element.get("r", "0")))
    elif tag == "col" and element.get("hidden") in ("1", "true"):
        last = min(int(element.get("max", "0")), _COLUMNS_AT_MOST)
        shape.hidden_columns.update(range(int(element.get("min", "1")), last + 1))
    elif tag == "mergeCell" and len(shape.merges) < _MERGES_AT_MOST:
        shape.merges.append(_merge(element.get("ref", "")))
    elif tag == "filterColumn":
        shape.is_filtered = True


def _merge(reference: str) -> Merge:
    left, top, right, bottom = range_boundaries(reference)
    return Merge(left or 1, top or 1, right or _COLUMNS_AT_MOST, bottom or 1_048_576)

"""A table in Word: given its XML, gives a full grid of texts in which merged cells repeat their value, and how many rows head it."""

from collections.abc import Callable, Iterator
from typing import Any

from knowledge.parsing.docx.names import is_on, value_of, w

_SPAN_LIMIT = 200

CellWords = Callable[[Any], str]


def rows_of(table: Any) -> Iterator[Any]:
    """Its rows, those inside content controls too, without those that a tracked change deleted."""
    for element in table:
        if element.tag == w("tr"):
            properties = element.find(w("trPr"))
            if properties is None or properties.find(w("del")) is None:
                yield element
        elif element.tag in (w("sdt"), w("sdtContent"), w("ins")):
            yield from rows_of(element)


def cells_of(row: Any) -> Iterator[Any]:
    """The cells of a row, those inside content controls too."""
    for element in row:
        if element.tag == w("tc"):
            yield element
        elif element.tag in (w("sdt"), w("sdtContent")):
            yield from cells_of(element)


def grid_of(table: Any, words: CellWords) -> list[list[str]]:
    """The texts of all cells; `words` gives the text of one."""
    grid: list[list[str]] = []
    for row in rows_of(table):
        line = [""] * _whole(row.find(w("trPr")), "gridBefore", 0)
        for cell in cells_of(row):
            properties = cell.find(w("tcPr"))
            above = grid[-1][len(line)] if grid and len(line) < len(grid[-1]) else ""
            text = above if _goes_on(properties) else words(cell)
            line += [text] * _whole(properties, "gridSpan", 1)
        grid.append(line)
    return grid


def header_rows(table: Any) -> int:
    """Leading rows that repeat on each page, which is how Word marks headers; 0 when none does."""
    count = 0
    rows = list(rows_of(table))
    for row in rows:
        properties = row.find(w("trPr"))
        if properties is None or not is_on(properties, "tblHeader"):
            break
        count += 1
    return count if count < len(rows) else 0


def _goes_on(properties: Any) -> bool:
    """Whether a cell is the lower part of one that began in a row above."""
    merge = value_of(properties, "vMerge")
    return merge is not None and merge != "restart"


def _whole(properties: Any, name: str, otherwise: int) -> int:
    value = value_of(properties, name)
    return min(int(value), _SPAN_LIMIT) if value and value.isdecimal() else otherwise

"""A table without rules: given segments and the columns in which they stand, gives rows of cells.

Lines with cells in several columns are the rows' anchors. What stands alone on a line goes on in a cell of a row: of the one above it where cells begin at
the top, of the one that it surrounds evenly where they are set in the middle.
"""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from knowledge.parsing.pdf.places import Box, Segment, typical

_MARKER = re.compile(
    r"(?:[•‣▪●○◦■□◆–—\-*·]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\[\d{1,3}\]|\d{1,2}(?:\.\d{1,2}){1,3})"
)
_LEADERS = re.compile(r"[.·…]{4,}|(?:\. ){4,}")
_LEVEL = 0.4
_CLOSE = 1.25
_MIN_ROWS = 2
_MIN_ROWS_TWO_COLUMNS = 3


class Placed(Protocol):
    """Something with a place."""

    @property
    def box(self) -> Box: ...


@dataclass(frozen=True, slots=True)
class _Line:
    """The cells on one line, "" where a column has none."""

    middle: float
    height: float
    cells: list[str]

    @property
    def is_anchor(self) -> bool:
        """Whether several columns have a cell here."""
        return sum(map(bool, self.cells)) > 1


def is_marker_column(column: Sequence[Placed]) -> bool:
    """Whether a column holds nothing but the marks of a list."""
    return all(isinstance(member, Segment) and _MARKER.fullmatch(member.text) for member in column)


def aligned_rows(segments: Sequence[Segment], columns: Sequence[Sequence[Placed]]) -> list[list[str]]:
    """The rows of a table; none when too few of them have cells in several columns to be one."""
    if any(_LEADERS.search(segment.text) for segment in segments):
        return []
    lines = _lines(segments, [min(member.box.left for member in column) for column in columns])
    anchors = [line for line in lines if line.is_anchor]
    wanted = _MIN_ROWS if len(columns) > 2 else _MIN_ROWS_TWO_COLUMNS
    if len(anchors) < wanted:
        return []
    groups = _around_anchors(lines, anchors) if _is_centred(lines, anchors) else _below_anchors(lines)
    return [_row(group) for group in groups]


def _lines(segments: Sequence[Segment], starts: Sequence[float]) -> list[_Line]:
    """What stands on one line, from top to bottom, its cells from left to right."""
    levels: list[list[Segment]] = []
    for segment in sorted(segments, key=lambda segment: segment.box.middle):
        if levels and abs(segment.box.middle - levels[-1][0].box.middle) < _LEVEL * segment.height:
            levels[-1].append(segment)
        else:
            levels.append([segment])
    lines = []
    for level in levels:
        cells: list[list[str]] = [[] for _ in starts]
        for segment in sorted(level, key=lambda segment: segment.box.left):
            cells[_column_of(segment, starts)].append(segment.text)
        lines.append(_Line(level[0].box.middle, level[0].height, [" ".join(texts) for texts in cells]))
    return lines


def _column_of(segment: Segment, starts: Sequence[float]) -> int:
    return max((index for index, start in enumerate(starts) if start <= segment.box.left + 0.01), default=0)


def _is_centred(lines: Sequence[_Line], anchors: Sequence[_Line]) -> bool:
    """Whether cells of several lines are set in the middle of their row: then some anchors stand between lines of a cell that they have no part of."""
    between = 0
    for line, after in itertools.pairwise(lines):
        if after.is_anchor and not line.is_anchor:
            column = _only_column(line)
            between += column > 0 and not after.cells[column]
    return between >= 0.2 * len(anchors)


def _only_column(line: _Line) -> int:
    return next((index for index, cell in enumerate(line.cells) if cell), 0)


def _around_anchors(lines: Sequence[_Line], anchors: Sequence[_Line]) -> list[list[_Line]]:
    """Each anchor with the lines that lie evenly around it: as far below as the first one lies above."""
    waiting = [line for line in lines if not line.is_anchor]
    groups: list[list[_Line]] = []
    for anchor in anchors:
        group = [anchor]
        if waiting and waiting[0].middle < anchor.middle:
            end = 2 * anchor.middle - waiting[0].middle + _LEVEL * anchor.height
            while waiting and waiting[0].middle <= end:
                group.append(waiting.pop(0))
        groups.append(sorted(group, key=lambda line: line.middle))
    if groups:
        groups[-1] += waiting
    return groups


def _below_anchors(lines: Sequence[_Line]) -> list[list[_Line]]:
    """Each anchor with the lines below it; a line with nothing but a first cell is a row of its own, unless it stands close under one."""
    pitch = typical([line.height for line in lines]) * _CLOSE
    groups: list[list[_Line]] = []
    for line in lines:
        is_first_cell = bool(line.cells[0]) and not line.is_anchor
        is_close = bool(groups) and line.middle - groups[-1][-1].middle < pitch
        if groups and not line.is_anchor and (is_close or not is_first_cell):
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def _row(group: Sequence[_Line]) -> list[str]:
    return [" ".join(cell for cell in cells if cell) for cells in zip(*(line.cells for line in group), strict=True)]

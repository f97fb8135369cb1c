"""The reading order of a page: given its segments and the areas of its ruled tables, gives columns of lines and tables in the order in which people read them.

An XY-cut (Nagy and Seth 1984) over bands: segments that stand beside each other form a band; neighbouring bands that leave the same gutter free form a group;
a group with a gutter is read column by column when its columns look like running text, and as a table when its rows are aligned.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from knowledge.parsing.pdf.aligned import aligned_rows, is_marker_column
from knowledge.parsing.pdf.places import CJK, Box, Segment, around, typical

_CORE = 0.3
_MIN_GUTTER = 0.8
_PROSE_CHARS = 20
_PROSE_CHARS_CJK = 11
_PROSE_FILL = 0.75
_FAR = 1.9
_OTHER_SIZE = 0.2
_DEPTH = 12

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Ruled:
    """A table that was found by its rules; it stands in the reading order as one piece."""

    box: Box
    rows: list[list[str]]


@dataclass(frozen=True, slots=True)
class Column:
    """Segments that are read from top to bottom."""

    segments: list[Segment]


@dataclass(frozen=True, slots=True)
class Aligned:
    """A table without rules, found by the alignment of its cells."""

    box: Box
    rows: list[list[str]]


Element = Segment | Ruled
Region = Column | Aligned | Ruled


def regions(elements: Sequence[Element], depth: int = 0) -> Iterator[Region]:
    """The parts of a page or column in reading order."""
    plain: list[Segment] = []
    for group in _groups(_bands(elements)):
        members = [element for band in group for element in band]
        may_part = (len(group) > 1 or _is_interlocked(members)) and not _is_code(members)
        columns = _columns(members) if may_part else []
        if len(columns) < 2 or depth > _DEPTH or is_marker_column(columns[0]):
            for element in members:
                if isinstance(element, Ruled):
                    yield from _column(plain)
                    plain = []
                    yield element
                else:
                    plain.append(element)
            continue
        yield from _column(plain)
        plain = []
        segments = [member for member in members if isinstance(member, Segment)]
        if len(segments) == len(members) and _is_table(columns) and (rows := aligned_rows(segments, columns)):
            yield Aligned(around([member.box for member in members]), rows)
        else:
            for column in columns:
                yield from regions(column, depth + 1)
    yield from _column(plain)


def _column(segments: list[Segment]) -> Iterator[Column]:
    if segments:
        yield Column(segments)


def _bands(elements: Sequence[Element]) -> list[list[Element]]:
    """Elements whose cores overlap in height, from top to bottom."""
    bands: list[list[Element]] = []
    bottom = float("-inf")
    for element in sorted(elements, key=lambda element: _core(element)[0]):
        first, last = _core(element)
        if bands and first < bottom:
            bands[-1].append(element)
        else:
            bands.append([element])
        bottom = max(bottom, last) if len(bands[-1]) > 1 else last
    return bands


def _core(element: Element) -> Interval:
    """The middle part of an element's height: lines that are set tightly overlap a little."""
    if isinstance(element, Ruled):
        return element.box.top, element.box.bottom
    middle, reach = element.box.middle, _CORE * element.box.height
    return middle - reach, middle + reach


def _groups(bands: list[list[Element]]) -> Iterator[list[list[Element]]]:
    """Runs of bands that leave a gutter free between them, and runs that don't."""
    group: list[list[Element]] = []
    taken: list[Interval] = []
    for band in bands:
        own = _taken(band, [])
        if len(taken) == 1 and len(own) > 1:
            before, begun = _tops_of_columns(group, own[0])
            if before:
                yield before
            group, taken = begun, _taken([element for one in begun for element in one], [])
        elif group and (_closes_gutters(taken, own, _taken(band, taken)) or _is_apart(group, band, own)):
            yield group
            group, taken = [], []
        group.append(band)
        taken = _taken(band, taken)
    if group:
        yield group


def _tops_of_columns(group: list[list[Element]], first: Interval) -> tuple[list[list[Element]], list[list[Element]]]:
    """A group before a gutter opens, and its last bands that stand to the right of the first column: another column may begin higher."""
    cut = len(group)
    while cut and min(element.box.left for element in group[cut - 1]) > first[1]:
        cut -= 1
    return group[:cut], group[cut:]


def _closes_gutters(taken: Sequence[Interval], own: Sequence[Interval], both: Sequence[Interval]) -> bool:
    """Whether a band stands across gutters that a group left free: all of them, or as one line that begins in the first column of a table."""
    begins_first = len(own) == 1 and own[0][0] <= taken[0][1]
    return len(taken) > 1 and (len(both) < 2 or (begins_first and len(both) < len(taken)))


def _is_apart(group: list[list[Element]], band: list[Element], own: list[Interval]) -> bool:
    """Whether a band of one stretch stands farther from a table than its rows do from each other, or is of another size: it is what comes after."""
    if len(own) > 1 or len(group) < 2 or len(_taken([element for one in group for element in one], [])) < 2:
        return False
    columns = _columns([element for one in group for element in one])
    beside = [column for column in columns if any(_overlaps(member, band[0]) for member in column)]
    tops = sorted({round(member.box.top) for member in (beside or columns)[0]})
    pitch = typical([float(below - above) for above, below in pairwise(tops)], band[0].box.height)
    is_far = min(element.box.top for element in band) - tops[-1] > _FAR * pitch
    usual = typical([member.box.height for column in columns for member in column])
    is_other_size = all(abs(element.box.height - usual) > _OTHER_SIZE * usual for element in band)
    return (is_far or is_other_size) and _is_table(columns)


def _overlaps(element: Element, other: Element) -> bool:
    return element.box.left < other.box.right and other.box.left < element.box.right


def _taken(elements: Sequence[Element], taken: Sequence[Interval]) -> list[Interval]:
    """The stretches of the width that are written on, with narrow gaps closed."""
    gap = _MIN_GUTTER * typical([element.box.height for element in elements if isinstance(element, Segment)], 10.0)
    intervals = sorted([*taken, *((element.box.left, element.box.right) for element in elements)])
    merged: list[Interval] = []
    for left, right in intervals:
        if merged and left - merged[-1][1] < gap:
            merged[-1] = (merged[-1][0], max(merged[-1][1], right))
        else:
            merged.append((left, right))
    return merged


def _columns(members: Sequence[Element]) -> list[list[Element]]:
    """The members by the stretch of the width in which they stand."""
    intervals = _taken(members, [])
    return [[member for member in members if left <= member.box.left <= right] for left, right in intervals]


def _is_interlocked(members: Sequence[Element]) -> bool:
    """Whether one band holds several lines: columns whose lines are not level with each other."""
    heights = [member.box.height for member in members]
    return around([member.box for member in members]).height > 2.5 * typical(heights)


def _is_code(members: Sequence[Element]) -> bool:
    """Whether it is set in a monospaced font, in which gaps are spaces."""
    return all(isinstance(member, Segment) and member.is_mono for member in members)


def _is_table(columns: Sequence[Sequence[Element]]) -> bool:
    """Whether rows are level across columns and at most one column looks like running text."""
    lines = [_lines([member for member in column if isinstance(member, Segment)]) for column in columns]
    middles = sorted((line.middle, index) for index, column in enumerate(lines) for line in column)
    height = typical([line.height for column in lines for line in column])
    level = sum(
        abs(here - there) < _CORE * height and column != other for (here, column), (there, other) in pairwise(middles)
    )
    rows = max(len(column) for column in lines)
    is_level = level >= 0.6 * min(rows, sum(map(len, lines)) - rows)
    return is_level and sum(map(_is_prose, lines)) <= 1


@dataclass(slots=True)
class _Line:
    """What stands on one line of a column: wide gaps of justified text don't part it."""

    middle: float
    height: float
    left: float
    right: float
    text: str


def _lines(column: Sequence[Segment]) -> list[_Line]:
    lines: list[_Line] = []
    for segment in sorted(column, key=lambda segment: segment.box.middle):
        box = segment.box
        if lines and abs(box.middle - lines[-1].middle) < _CORE * box.height:
            line = lines[-1]
            line.left, line.right = min(line.left, box.left), max(line.right, box.right)
            line.text += segment.text
        else:
            lines.append(_Line(box.middle, box.height, box.left, box.right, segment.text))
    return lines


def _is_prose(lines: Sequence[_Line]) -> bool:
    """Whether lines are long and mostly fill the column's width."""
    if len(lines) < 3:
        return False
    rights = sorted(line.right for line in lines)
    width = rights[int(0.85 * len(rights))] - min(line.left for line in lines)
    is_cjk = sum(bool(CJK.search(line.text)) for line in lines) > len(lines) / 2
    chars = typical([float(len(line.text)) for line in lines])
    fill = typical([(line.right - line.left) / width for line in lines]) if width > 0 else 0.0
    return chars >= (_PROSE_CHARS_CJK if is_cjk else _PROSE_CHARS) and fill >= _PROSE_FILL

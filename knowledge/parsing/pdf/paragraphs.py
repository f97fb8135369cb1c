"""Lines become paragraphs, list items and headings: given a column's segments, gives pieces.

A paragraph ends at a wide gap, a change of size or weight, an indent, a list's mark, or a line that stops although the next word would have fitted.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from knowledge.parsing.pdf.headings import Headings
from knowledge.parsing.pdf.pieces import SOFT_HYPHEN, Piece, joint
from knowledge.parsing.pdf.places import CJK, Box, Segment, Word, around, joined_words, typical
from knowledge.parsing.scripts import lowered, raised
from knowledge.types import BlockKind

_LEVEL = 0.35
_WIDE = 1.3
_OTHER_SIZE = 0.12
_INDENT = 0.8
_FEW_LINES = 7
_SCRIPT_SIZE = 0.86
_SCRIPT_CHARS = 4
_MARK = re.compile(
    r"(?P<marker>[•‣▪●○◦■□◆➢✓]|[-–—*·](?=\s)|\(?\d{1,3}[.)](?=\s)|\([a-zA-Z]\)|[a-z]\)|[（(][一二三四五六七八九十]{1,3}[）)]|\d{1,2}、)\s*(?=\S)"
)
_ENDS_SENTENCE = re.compile(r"[.!?。！？…][\"'”’」』）)\]]*$")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a column."""

    text: str
    box: Box
    first_word: Word
    is_bold: bool
    is_mono: bool = False

    @property
    def is_rtl(self) -> bool:
        """Whether it is read from the right."""
        return self.first_word.is_rtl

    @property
    def first_width(self) -> float:
        """The width without which the line could not have begun on the one above."""
        if CJK.match(self.first_word.text):
            return self.box.height
        return self.first_word.box.width


def lines_of(segments: Sequence[Segment]) -> list[Line]:
    """The lines of a column from top to bottom; a small raised or lowered segment belongs to the line beside it."""
    rows: list[list[Segment]] = []
    for segment in sorted(segments, key=lambda segment: segment.box.middle):
        here = rows[-1] if rows else []
        if here and abs(segment.box.middle - here[0].box.middle) < _LEVEL * max(segment.height, here[0].height):
            here.append(segment)
        else:
            rows.append([segment])
    return [_line(row) for row in rows]


def _line(row: list[Segment]) -> Line:
    is_rtl = sum(segment.words[0].is_rtl for segment in row) * 2 > len(row)
    ordered = sorted(row, key=lambda segment: segment.box.left, reverse=is_rtl)
    words = tuple(word for segment in ordered for word in segment.words)
    box = max((segment.box for segment in ordered), key=lambda box: box.width)
    whole = around([segment.box for segment in ordered])
    place = Box(whole.left, box.top, whole.right, box.bottom)
    is_bold, is_mono = (all(segment.is_bold for segment in ordered), all(segment.is_mono for segment in ordered))
    text = _spaced(words) if is_mono else joined_words(tuple(_with_scripts(words, box)))
    return Line(text, place, words[0], is_bold, is_mono)


def _with_scripts(words: tuple[Word, ...], line: Box) -> Iterator[Word]:
    """The words, with small raised or lowered ones joined to the word before them as Unicode writes them, and what then follows without a gap."""
    before, has_script = words[0], False
    for word in words[1:]:
        gap = word.box.left - before.box.right
        is_small = word.box.height < _SCRIPT_SIZE * line.height and len(word.text) <= _SCRIPT_CHARS
        if is_small and gap < 0.3 * line.height:
            text = raised(word.text) if word.box.middle < line.middle else lowered(word.text)
        elif has_script and gap < 0.08 * line.height:
            text = word.text
        else:
            yield before
            before, has_script = word, False
            continue
        before, has_script = before._replace(text=before.text + text, box=before.box.joined(word.box)), is_small
    yield before


def _spaced(words: tuple[Word, ...]) -> str:
    """Words of a monospaced line with as many spaces between them as there is room for."""
    widths = [word.box.width / len(word.text) for word in words]
    wide = max(typical(widths), 1.0)
    text = words[0].text
    for before, word in pairwise(words):
        text += " " * max(round((word.box.left - before.box.right) / wide), 1) + word.text
    return text


def pieces_of(segments: Sequence[Segment], headings: Headings, page: int) -> Iterator[Piece]:
    """The paragraphs, lists, code and headings of a column."""
    listed = _ListBeing()
    for paragraph, right in _paragraphs(lines_of(segments), headings, page):
        if paragraph[0].is_mono and not headings.has_mono_body:
            yield from listed.taken()
            yield Piece(BlockKind.CODE, around([line.box for line in paragraph]), _code(paragraph))
            continue
        text = _joined(paragraph, right)
        place = around([line.box for line in paragraph])
        level = headings.level(
            text, paragraph[0].box.height, all(line.is_bold for line in paragraph), len(paragraph), page
        )
        mark = _MARK.match(text) if not level else None
        if mark is not None:
            listed.add(mark["marker"], text[mark.end() :], place)
            continue
        yield from listed.taken()
        if level:
            yield Piece(BlockKind.HEADING, place, text.replace(SOFT_HYPHEN, "-"), level)
        else:
            reaches = paragraph[-1].box.right > right - 3 * place.height / len(paragraph) and len(paragraph) > 1
            yield Piece(BlockKind.PARAGRAPH, place, text, reaches_edge=reaches)
    yield from listed.taken()


class _ListBeing:
    """A list while its items come in; how far they are set in says how deep they are."""

    def __init__(self) -> None:
        self._items: list[tuple[int, str, str]] = []
        self._boxes: list[Box] = []
        self._lefts: list[float] = []

    def add(self, marker: str, text: str, box: Box) -> None:
        """The next item."""
        self._lefts = [*(left for left in self._lefts if left < box.left - 2), box.left]
        self._items.append((len(self._lefts) - 1, _plain(marker), text))
        self._boxes.append(box)

    def taken(self) -> Iterator[Piece]:
        """The list, if there is one; a new one begins after it."""
        if self._items:
            yield Piece(BlockKind.LIST, around(self._boxes), items=self._items)
            self._items, self._boxes, self._lefts = [], [], []


def _code(lines: list[Line]) -> str:
    """Lines of code with their indentation."""
    left = min(line.box.left for line in lines)
    wide = max(typical([line.box.width / max(len(line.text), 1) for line in lines]), 1.0)
    return "\n".join(" " * round((line.box.left - left) / wide) + line.text for line in lines)


def _plain(marker: str) -> str:
    return marker if any(character.isalnum() for character in marker) else "-"


def _paragraphs(lines: list[Line], headings: Headings, page: int) -> Iterator[tuple[list[Line], float]]:
    """Lines that belong together, with the right edge of their column."""
    if not lines:
        return
    left = min(line.box.left for line in lines)
    right = _right_edge(lines)
    pitch = _pitch(lines)
    paragraph = [lines[0]]
    for before, line in pairwise(lines):
        is_new = _begins(paragraph, line, left=left, right=right, pitch=pitch, has_mono_body=headings.has_mono_body)
        if is_new or headings.is_listed(line.text, page) or headings.is_listed(before.text, page):
            yield paragraph, right
            paragraph = []
        paragraph.append(line)
    yield paragraph, right


def _right_edge(lines: list[Line]) -> float:
    """Where full lines end: a few wide lines that stand out (a line of code, a formula) don't count."""
    rights = sorted(line.box.right for line in lines)
    return rights[-1] if len(rights) < _FEW_LINES else rights[int(0.85 * len(rights))]


def _pitch(lines: list[Line]) -> float:
    """How far lines of running text stand from each other: the median among lines of one size."""
    steps = [below.box.top - above.box.top for above, below in pairwise(lines) if _is_same_size(above, below)]
    usual = typical([line.box.height for line in lines])
    return min(typical(steps, usual), 1.9 * usual) or usual


def _begins(paragraph: list[Line], line: Line, *, left: float, right: float, pitch: float, has_mono_body: bool) -> bool:
    """Whether a new paragraph begins with `line`."""
    before = paragraph[-1]
    height = line.box.height
    step = line.box.top - before.box.top
    if line.is_mono and before.is_mono and not has_mono_body:
        return step > 2.5 * max(pitch, height)
    if line.is_mono != before.is_mono and not has_mono_body:
        return True
    if step > max(_WIDE * pitch, 1.05 * height) or not _is_same_size(before, line) or before.is_bold != line.is_bold:
        return True
    if _MARK.match(line.text):
        return True
    is_item = bool(_MARK.match(paragraph[0].text))
    if line.is_rtl:
        return before.box.left > left + 0.25 * (right - left)
    is_indented = line.box.left - before.box.left > _INDENT * height and before.box.left - left < _INDENT * height
    if is_indented and not (is_item and len(paragraph) == 1):
        return True
    return _stops_early(before, line, right) and bool(_ENDS_SENTENCE.search(before.text))


def _stops_early(before: Line, line: Line, right: float) -> bool:
    """Whether the first word of the next line would have fitted."""
    return before.box.right + line.first_width + 0.6 * line.box.height < right


def _is_same_size(line: Line, other: Line) -> bool:
    return abs(line.box.height - other.box.height) <= _OTHER_SIZE * max(line.box.height, other.box.height)


def _joined(paragraph: list[Line], right: float) -> str:
    """The text of a paragraph; a line that stops early was broken on purpose and stays broken."""
    text = paragraph[0].text
    for before, line in pairwise(paragraph):
        if _stops_early(before, line, right) and not line.is_rtl and not text.endswith(("-", SOFT_HYPHEN)):
            text = f"{text}\n{line.text}"
        else:
            first, between = joint(text, line.text)
            text = f"{first}{between}{line.text}"
    return text

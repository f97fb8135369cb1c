"""Running headers, footers and page numbers: given a page and its neighbours, gives the page without the lines that only repeat.

A line goes when it stands in the margin, apart from the text, and the same line (or one whose number counts the pages) stands at the same height on at
least two pages nearby, or on the other page of a document of two. A page never loses all its text.
"""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from knowledge.parsing.pdf.places import PageText, Segment, typical

_MARGIN = 0.13
_SAME_HEIGHT = 4.0
_APART = 1.25
_OTHER_SIZE = 0.2
_LINES = 3
_NUMBER = re.compile(r"\d+")
_LAST_NUMBER = re.compile(r"(?:^|\s)(\d{1,5})$")
_FIRST_NUMBER = re.compile(r"(\d{1,5})(?:\s|$)")
_CONTENTS_ENTRY = re.compile(r"(?:[.·…]\s?){4,}\s*(?:\d{1,5}|[ivxlc]{1,6})\s*$")
_CONTENTS_ENTRIES = 3
_PAGE_NUMBER = re.compile(
    r"[\s\-–—|/·.]*(?:page|p\.|第)?\s*(?:\d+|[ivxlc]+)\s*(?:页|頁|(?:of|/|共)\s*\d+\s*(?:页|頁)?)?[\s\-–—|/·.]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    top: float
    bottom: float
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class PageLines:
    """A page with its lines found, once for all comparisons."""

    page: PageText
    lines: list[_Line]

    @classmethod
    def of(cls, page: PageText) -> "PageLines":
        """Find the lines of a page."""
        return cls(page, _lines(page))


def without_running(this: PageLines, neighbours: Sequence[PageLines]) -> PageText:
    """The page without its running lines."""
    page, lines = this.page, this.lines
    wanted = 1 if len(neighbours) < 2 else 2
    others = [
        (other.page.number - page.number, [*other.lines[:_LINES], *other.lines[_LINES:][-_LINES:]])
        for other in neighbours
    ]
    gone: set[int] = set()
    for order in (lines, lines[::-1]):
        run = _leading_repeats(order, page, others, wanted)
        gone.update(id(segment) for line in run for segment in line.segments)
    kept = tuple(segment for segment in page.segments if id(segment) not in gone)
    return replace(page, segments=kept) if kept else page


def without_contents(page: PageText) -> PageText:
    """The page without the entries of a table of contents, which only repeat headings: lines with dots that lead to a page number."""
    entries = [line for line in _lines(page) if _CONTENTS_ENTRY.search(line.text)]
    if len(entries) < _CONTENTS_ENTRIES:
        return page
    gone = {id(segment) for line in entries for segment in line.segments}
    return replace(page, segments=tuple(segment for segment in page.segments if id(segment) not in gone))


def _leading_repeats(
    order: list[_Line], page: PageText, others: Sequence[tuple[int, list[_Line]]], wanted: int
) -> list[_Line]:
    """The outermost lines that repeat, up to one that does not; none unless a gap parts them from the text."""
    run: list[_Line] = []
    for line in order[:_LINES]:
        is_outside = line.bottom < _MARGIN * page.height or line.top > (1 - _MARGIN) * page.height
        repeats = sum(any(_repeats(line, other, step) for other in lines) for step, lines in others)
        if not is_outside or repeats < wanted:
            break
        run.append(line)
    while run and len(run) < len(order) and not _stands_apart(run[-1], order[len(run)], order):
        run.pop()
    return run


def _repeats(line: _Line, other: _Line, step: int) -> bool:
    """Whether both are the same words at the same height, but for numbers that grow by a page from page to page."""
    if abs(line.top - other.top) > _SAME_HEIGHT:
        return False
    if line.text == other.text or _counts_pages(line.text, other.text, step):
        return True
    if _NUMBER.sub("#", line.text) != _NUMBER.sub("#", other.text):
        return bool(_PAGE_NUMBER.fullmatch(line.text) and _PAGE_NUMBER.fullmatch(other.text))
    changes = [
        int(there[-9:]) - int(here[-9:])
        for here, there in zip(_NUMBER.findall(line.text), _NUMBER.findall(other.text), strict=True)
    ]
    return all(change in (0, step) for change in changes)


def _counts_pages(here: str, there: str, step: int) -> bool:
    """Whether two lines begin or end with numbers that differ as their pages do, whatever else they say: headers that name the chapter."""
    pairs = [
        (_LAST_NUMBER.search(here), _LAST_NUMBER.search(there)),
        (_FIRST_NUMBER.match(here), _FIRST_NUMBER.match(there)),
    ]
    return any(first and second and int(second[1]) - int(first[1]) == step for first, second in pairs)


def _stands_apart(line: _Line, inner: _Line, order: list[_Line]) -> bool:
    """Whether the gap between a line and the text is wider than the gaps within the text, or the line is set in another size."""
    gap = max(inner.top - line.bottom, line.top - inner.bottom)
    tops = sorted(other.top for other in order)
    pitch = typical([below - above for above, below in itertools.pairwise(tops) if below - above > 1])
    height = line.bottom - line.top
    is_other_size = abs(inner.bottom - inner.top - height) > _OTHER_SIZE * height
    return is_other_size or gap + height > _APART * min(pitch or 2 * height, 2 * height)


def _lines(page: PageText) -> list[_Line]:
    """The page's lines from top to bottom."""
    found: list[list[Segment]] = []
    for segment in sorted(page.segments, key=lambda segment: segment.box.middle):
        if found and abs(segment.box.middle - found[-1][0].box.middle) < 0.4 * segment.height:
            found[-1].append(segment)
        else:
            found.append([segment])
    lines = []
    for members in found:
        ordered = sorted(members, key=lambda segment: segment.box.left)
        text = " ".join(segment.text for segment in ordered)
        lines.append(
            _Line(text, min(one.box.top for one in ordered), max(one.box.bottom for one in ordered), tuple(ordered))
        )
    return lines

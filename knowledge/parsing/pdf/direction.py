"""Lines with Arabic or Hebrew in them: given characters with their places, gives words in the order in which people read them.

Places are what can be trusted: producers write such lines in every order. Runs of right-to-left characters are turned round; the whole line is when most of
it is read from the right. Some programs never turn the words, so that they stand the wrong way on the page: letters that only end words tell.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import NamedTuple

from knowledge.parsing.pdf.places import RTL, WIDE_GAP, Box, PageText, Segment, Word, around

_SPACE = 0.13
_ARABIC_SPACE = 0.22
_ARABIC = re.compile("[\u0600-\u08ff\ufb50-\ufdff\ufe70-\ufeff]")
_RIGHT = re.compile("(?:[ךםןףץةى]\\b|\\b[وبلكف]?ال)")
_BACKWARDS = re.compile("(?:\\b[ךםןףץةى]|لا[وبلكف]?\\b)")
_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")


class Glyph(NamedTuple):
    """A character, or the two halves of one, and its place."""

    text: str
    box: Box


def in_reading_order(glyphs: Sequence[Glyph]) -> list[list[Word]]:
    """The words of one line, parted where a wide gap is, each part in reading order."""
    parts: list[list[Glyph]] = []
    for glyph in sorted(_whole(glyphs), key=lambda glyph: glyph.box.left):
        gap = glyph.box.left - parts[-1][-1].box.right if parts else 0.0
        if not parts or gap > WIDE_GAP * glyph.box.height:
            parts.append([])
        elif gap > _space_between(parts[-1][-1], glyph):
            parts[-1].append(Glyph(" ", glyph.box))
        parts[-1].append(glyph)
    return [_words(_logical(part)) for part in parts]


def _space_between(before: Glyph, glyph: Glyph) -> float:
    """How wide a gap must be to be a space: the letters of Arabic stand apart within words too."""
    is_arabic = _ARABIC.match(before.text) or _ARABIC.match(glyph.text)
    return (_ARABIC_SPACE if is_arabic else _SPACE) * glyph.box.height


def _whole(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """Halves of characters beyond the basic plane put together, in whatever order they came."""
    whole: list[Glyph] = []
    for glyph in glyphs:
        if whole and _is_half(glyph.text) and _is_half(whole[-1].text):
            halves = sorted([whole.pop().text, glyph.text])
            text = "".join(halves).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
            whole.append(Glyph(text, glyph.box))
        else:
            whole.append(glyph)
    return [glyph for glyph in whole if not _is_half(glyph.text)]


def _is_half(text: str) -> bool:
    return "\ud800" <= text <= "\udfff"


def _logical(seen: list[Glyph]) -> list[Glyph]:
    """Characters as seen from left to right, in the order of reading."""
    letters = [direction for glyph in seen if (direction := _direction(glyph.text)) in ("R", "L")]
    if letters and letters[-1] == "R" and 2 * letters.count("R") > len(letters):
        return _with_runs_turned(seen[::-1], ("L", "N"))
    return _with_runs_turned(seen, ("R",))


def _with_runs_turned(glyphs: Sequence[Glyph], wanted: tuple[str, ...]) -> list[Glyph]:
    """The characters with every run of the wanted directions turned round, what stands between its letters included."""
    directions = [_direction(glyph.text) for glyph in glyphs]
    marks = [direction in wanted for direction in directions]
    for first, last in _gaps(marks):
        if all(direction in ("", "N") for direction in directions[first:last]):
            marks[first:last] = [True] * (last - first)
    is_rtl = "R" in wanted
    ordered: list[Glyph] = []
    for is_run, run in groupby(zip(glyphs, marks, strict=True), key=lambda pair: pair[1]):
        members = [glyph for glyph, _mark in run]
        if is_run:
            ordered += _turned(members) if is_rtl else members[::-1]
        else:
            ordered += members if is_rtl else map(_mirrored, members)
    return ordered


def _turned(members: list[Glyph]) -> list[Glyph]:
    """A run from right to left turned round; numbers in it keep their order, brackets are mirrored."""
    turned: list[Glyph] = []
    for is_number, run in groupby(members[::-1], key=lambda glyph: _direction(glyph.text) == "N"):
        digits = list(run)
        turned += digits[::-1] if is_number else [_mirrored(glyph) for glyph in digits]
    return turned


def _gaps(marks: Sequence[bool]) -> Iterable[tuple[int, int]]:
    """Stretches without a mark between two marks."""
    marked = [index for index, mark in enumerate(marks) if mark]
    return [(first + 1, last) for first, last in pairwise(marked) if last > first + 1]


def _direction(text: str) -> str:
    """R for letters read from the right, L for other letters, N for digits, "" for what goes with its neighbours."""
    if RTL.match(text):
        return "N" if unicodedata.category(text[0]) == "Nd" else "R"
    return "N" if text.isdigit() else "L" if text.isalpha() else ""


def _mirrored(glyph: Glyph) -> Glyph:
    return Glyph(glyph.text.translate(_MIRRORED), glyph.box)


def _words(ordered: list[Glyph]) -> list[Word]:
    words: list[Word] = []
    for is_space, run in groupby(ordered, key=lambda glyph: glyph.text == " "):
        if not is_space:
            members = list(run)
            text = unicodedata.normalize("NFC", "".join(glyph.text for glyph in members))
            words.append(Word(text, around([glyph.box for glyph in members]), bool(RTL.search(text))))
    return words


def is_backwards(pages: Iterable[PageText]) -> bool:
    """Whether the words on some pages are mostly the wrong way round."""
    balance = 0
    for page in pages:
        for segment in page.segments:
            for word in segment.words:
                if word.is_rtl:
                    balance += bool(_BACKWARDS.search(word.text)) - bool(_RIGHT.search(word.text))
    return balance > 0


def turned(page: PageText) -> PageText:
    """The page with such words the right way round, standing from left to right."""
    return replace(page, segments=tuple(map(_turned_segment, page.segments)))


def _turned_segment(segment: Segment) -> Segment:
    if not any(word.is_rtl for word in segment.words):
        return segment
    words = [word._replace(text=word.text[::-1], is_rtl=False) if word.is_rtl else word for word in segment.words]
    return replace(segment, words=tuple(sorted(words, key=lambda word: word.box.left)))

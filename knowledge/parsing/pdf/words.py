"""The words of a page with their places: given PDFium's text of a page, gives segments, stretches of a line without a wide gap.

PDFium puts spaces where there are gaps and says where lines end, so only the first and last character of each word have to be asked for their places; that
is what makes it fast. The height of a word is its font's size around its base line: what fonts say of their height is often wrong or missing.
"""

import ctypes
import math
import re
from typing import Any

from knowledge.parsing.pdf.direction import Glyph, in_reading_order
from knowledge.parsing.pdf.pdfium import Page, raw
from knowledge.parsing.pdf.places import RTL, WIDE_GAP, Box, PageText, Segment, Word, around

# PDFium goes on with the next line after a hyphen at a line's end, which it writes as one of two marks.
_LINE = re.compile("[^\r\n\x02\ufffe]+[\x02\ufffe]?")
_WORD = re.compile(r"\S+")
_HYPHENS = str.maketrans({"\x02": "\u00ad", "\ufffe": "\u00ad"})
_SURROGATES = re.compile("[\ud800-\udfff]")
_BOLD_WEIGHT = 600
_BOLD_NAME = re.compile(rb"bold|black|heavy")
_MONO_NAME = re.compile(rb"mono|nimbusmon|courier|consolas|typewriter|cmtt|menlo|lettergothic|fixed")
_FIXED_PITCH = 1
_NAME_BYTES = 200
# Above and below the base line, in sizes of the font.
_ASCENT, _DESCENT = 0.9, 0.25
_SIZES = (0.5, 500.0)
# No page for people holds more; what does was made to wear readers out.
_CHARS_AT_MOST = 400_000


def page_text(page: Page, number: int) -> PageText:
    """Read the words of an open page."""
    place = _Placing(page)
    textpage = page.get_textpage()
    try:
        segments, sideways = _Reader(textpage, place).read()
    finally:
        textpage.close()
    return PageText(number, place.width, place.height, tuple(segments), sideways)


class _Placing:
    """Turns PDF coordinates (from the bottom left, before rotation) into those of the page as people see it."""

    def __init__(self, page: Page) -> None:
        self.left, bottom, right, self.top = page.get_bbox()
        self.rotation = page.get_rotation() % 360
        across, down = right - self.left, self.top - bottom
        self.right, self.bottom = right, bottom
        self.width, self.height = (down, across) if self.rotation in (90, 270) else (across, down)

    def box(self, left: float, bottom: float, right: float, top: float) -> Box:
        match self.rotation:
            case 0:
                return Box(left - self.left, self.top - top, right - self.left, self.top - bottom)
            case 90:
                return Box(bottom - self.bottom, left - self.left, top - self.bottom, right - self.left)
            case 180:
                return Box(self.right - right, bottom - self.bottom, self.right - left, top - self.bottom)
        return Box(self.top - top, self.right - right, self.top - bottom, self.right - left)


class _Reader:
    """Reads one text page."""

    def __init__(self, textpage: Any, place: _Placing) -> None:
        self.raw = textpage.raw
        count = textpage.count_chars()
        self.text = (
            _units(textpage.get_text_range(errors="surrogatepass"), count) if 0 < count <= _CHARS_AT_MOST else ""
        )
        self.is_even = len(self.text) == count
        self.place = place
        self._rect = raw.FS_RECTF()
        self._matrix = raw.FS_MATRIX()
        self._x, self._y = ctypes.c_double(), ctypes.c_double()
        self._name = ctypes.create_string_buffer(_NAME_BYTES)
        self._flags = ctypes.c_int()

    def read(self) -> tuple[list[Segment], str]:
        """The segments, and what is written sideways."""
        segments: list[Segment] = []
        sideways: list[str] = []
        for line in _LINE.finditer(self.text):
            if RTL.search(line[0]):
                segments += self._turned_segments(line.start(), line.end())
            else:
                segments += self._segments(line.start(), line.end(), sideways)
        return segments, " ".join(sideways)

    def _segments(self, start: int, end: int, sideways: list[str]) -> list[Segment]:
        """The segments of a line that is read from left to right."""
        segments: list[Segment] = []
        words: list[Word] = []
        first = last = 0
        for found in _WORD.finditer(self.text, start, end):
            word = self._word(found[0], found.start(), found.end())
            if word is None:
                continue
            if _is_sideways(word):
                sideways.append(word.text)
                continue
            if words and not _goes_on(words[-1], word):
                segments.append(self._segment(words, first, last))
                words = []
            first = first if words else found.start()
            last = found.end() - 1
            words.append(word)
        if words:
            segments.append(self._segment(words, first, last))
        return segments

    def _turned_segments(self, start: int, end: int) -> list[Segment]:
        """The segments of a line with words from right to left: there only the places of its characters say what follows what."""
        glyphs = []
        for index in range(start, end):
            character, box = self.text[index], self._box(index)
            if not character.isspace() and box.height > _SIZES[0]:
                glyphs.append(Glyph(character.translate(_HYPHENS), box))
        parts = in_reading_order(glyphs)
        return [Segment(tuple(words), _line_box(words)) for words in parts]

    def _word(self, text: str, start: int, end: int) -> Word | None:
        box = self._box(start)
        if end - start > 1:
            left, _top, right, _bottom = self._loose(end - 1)
            box = Box(min(box.left, left), box.top, max(box.right, right), box.bottom)
        if _SURROGATES.search(text):
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return Word(text.translate(_HYPHENS), box) if box.height > _SIZES[0] else None

    def _box(self, index: int) -> Box:
        """The place of a character: its own width, and the height of its font around the base line."""
        loose = self._loose(index)
        character = self._character(index)
        raw.FPDFText_GetMatrix(self.raw, character, self._matrix)
        size = raw.FPDFText_GetFontSize(self.raw, character) * math.hypot(self._matrix.c, self._matrix.d)
        is_upright = self._matrix.d > 0 and abs(self._matrix.c) < 0.5 * self._matrix.d and self.place.rotation == 0
        if not is_upright or not _SIZES[0] < size < _SIZES[1]:
            return loose
        raw.FPDFText_GetCharOrigin(self.raw, character, self._x, self._y)
        base = self.place.top - self._y.value
        return Box(loose.left, base - _ASCENT * size, loose.right, base + _DESCENT * size)

    def _loose(self, index: int) -> Box:
        """The place that the font claims for a character."""
        raw.FPDFText_GetLooseCharBox(self.raw, self._character(index), self._rect)
        rect = self._rect
        return self.place.box(rect.left, rect.bottom, rect.right, rect.top)

    def _character(self, index: int) -> int:
        return index if self.is_even else int(raw.FPDFText_GetCharIndexFromTextIndex(self.raw, index))

    def _segment(self, words: list[Word], first: int, last: int) -> Segment:
        """It is bold or monospaced when both its ends are: prose may begin with a name in another font."""
        is_bold, is_mono = self._weight_and_pitch(first)
        if is_bold or is_mono:
            ends_bold, ends_mono = self._weight_and_pitch(last)
            is_bold, is_mono = is_bold and ends_bold, is_mono and ends_mono
        return Segment(tuple(words), _line_box(words), is_bold, is_mono)

    def _weight_and_pitch(self, index: int) -> tuple[bool, bool]:
        """Whether a character is bold, and whether its font is monospaced."""
        character = self._character(index)
        length = raw.FPDFText_GetFontInfo(self.raw, character, self._name, _NAME_BYTES, self._flags)
        name = self._name.raw[: max(min(length, _NAME_BYTES) - 1, 0)].lower()
        is_bold = bool(_BOLD_NAME.search(name)) or raw.FPDFText_GetFontWeight(self.raw, character) >= _BOLD_WEIGHT
        return is_bold, bool(_MONO_NAME.search(name)) or bool(self._flags.value & _FIXED_PITCH)


def _units(text: str, count: int) -> str:
    """The text in the units that PDFium counts: characters beyond the basic plane are two of them."""
    if len(text) == count:
        return text
    return "".join(map(chr, memoryview(text.encode("utf-16-le", "surrogatepass")).cast("H")))


def _line_box(words: list[Word]) -> Box:
    """The place of words on a line: as high as most of them, so that raised and lowered ones don't make it taller."""
    usual = sorted(words, key=lambda word: word.box.height)[len(words) // 2].box
    whole = around([word.box for word in words])
    return Box(whole.left, usual.top, whole.right, usual.bottom)


def _is_sideways(word: Word) -> bool:
    """Whether a word runs up or down the page."""
    across, down = word.box.width, word.box.height
    return len(word.text) > 2 and down > 2 * across and down > 0.5 * len(word.text) * across


def _goes_on(before: Word, word: Word) -> bool:
    """Whether a word follows on the same line without a wide gap."""
    height = max(before.box.height, word.box.height)
    gap = word.box.left - before.box.right
    return abs(before.box.middle - word.box.middle) <= 0.5 * height and -0.5 * height < gap < WIDE_GAP * height

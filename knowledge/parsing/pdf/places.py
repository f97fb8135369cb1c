"""Where things stand on a page: boxes, words, segments of lines, and what is written on a page as a whole.

Places are in points from the top left corner of the page as people see it, rotation applied.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

CJK = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
# A gap of this many heights parts a line into segments.
WIDE_GAP = 0.9
RTL = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")


class Box(NamedTuple):
    """A place on a page; `top` is smaller than `bottom`. A tuple, because a page has a thousand of them."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        """From top to bottom."""
        return self.bottom - self.top

    @property
    def width(self) -> float:
        """From left to right."""
        return self.right - self.left

    @property
    def middle(self) -> float:
        """The height at which its middle lies."""
        return (self.top + self.bottom) / 2

    def joined(self, other: "Box") -> "Box":
        """The smallest box around both."""
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )


class Word(NamedTuple):
    """Characters without a space between them; `is_rtl` says that they stand from right to left."""

    text: str
    box: Box
    is_rtl: bool = False


@dataclass(frozen=True, slots=True)
class Segment:
    """Words that follow each other on a line without a wide gap."""

    words: tuple[Word, ...]
    box: Box
    is_bold: bool = False
    is_mono: bool = False

    @property
    def text(self) -> str:
        """Its words with spaces between them, but none between Chinese characters."""
        return joined_words(self.words)

    @property
    def height(self) -> float:
        """The height of its script, a measure of the font's size."""
        return self.box.height


@dataclass(frozen=True, slots=True)
class PageText:
    """What is written on a page."""

    number: int
    width: float
    height: float
    segments: tuple[Segment, ...]
    sideways: str = ""

    @property
    def is_blank(self) -> bool:
        """Whether no text was found."""
        return not self.segments and not self.sideways


def joined_words(words: tuple[Word, ...]) -> str:
    """The text of words on one line."""
    pieces = [words[0].text] if words else []
    for before, word in pairwise(words):
        is_tight = CJK.match(before.text[-1]) and CJK.match(word.text[0])
        gap = max(word.box.left - before.box.right, before.box.left - word.box.right)
        pieces.append(word.text if is_tight and gap < 0.6 * word.box.height else f" {word.text}")
    return "".join(pieces)


def around(boxes: Sequence[Box]) -> Box:
    """The smallest box around all of these."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Box(min(lefts), min(tops), max(rights), max(bottoms))


def typical(values: list[float], otherwise: float = 0.0) -> float:
    """The median."""
    return sorted(values)[len(values) // 2] if values else otherwise

"""What text is, for everyone: its canonical form, its folded form for matching, and its language. Sentences are found in `common/sentences.py`.

Canonical text is what is stored, shown and cited. Folded text is only ever compared: case, width, script (traditional or simplified), kinds of
quotes and dashes, and invisible characters make no difference in it.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from opencc import OpenCC

from common.sentences import sentences

__all__ = [
    "Folded",
    "Language",
    "canonical",
    "fold",
    "fold_with_origins",
    "han_count",
    "language_of",
    "sentences",
    "visible",
]

Language = Literal["zh", "en"]

HAN_RANGES = (
    (0x2E80, 0x2FE0),
    (0x3005, 0x3008),
    (0x3400, 0x4DC0),
    (0x4E00, 0xA000),
    (0xF900, 0xFB00),
    (0x20000, 0x323B0),
)
HAN = "".join(f"{chr(first)}-{chr(last - 1)}" for first, last in HAN_RANGES)

# Control characters but tab and line feed; surrogates, which no encoder takes; the byte order mark; what is no character in Unicode.
_UNWANTED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufffe\uffff]")
_LINE_ENDS = re.compile("\r\n?|\x85|\u2028|\u2029|\x0b|\x0c")
_DIRECTIONS = (0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_INVISIBLE = dict.fromkeys([0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, *range(0xFE00, 0xFE10), *_DIRECTIONS])
_UNSEEN = dict.fromkeys([0xAD, 0x200B, 0x2060, 0xFEFF, *_DIRECTIONS])
_ALIKE = str.maketrans("‘’ʼ‛“”„‟‐‑‒–—―−", "''''\"\"\"\"-------")
_SEEN = re.compile(f"[^\\s{''.join(map(chr, _INVISIBLE))}]")
_HAN_CHARACTER = re.compile(f"[{HAN}]")
# A name in capitals or with digits (RTX, GPU, v2) says nothing about the language around it.
_LATIN_WORD = re.compile(r"[^\W\d_]*[a-zà-öø-ÿ][^\W\d_]*", re.ASCII)


def canonical(text: str) -> str:
    """NFC, line ends `\\n`, without NUL, other control characters or lone surrogates. Doing it twice changes nothing."""
    return unicodedata.normalize("NFC", _UNWANTED.sub("", _LINE_ENDS.sub("\n", text)))


def visible(text: str) -> str:
    """Without marks of direction and what has no width, but for joiners, which change what is seen."""
    return text if text.isascii() else text.translate(_UNSEEN)


def fold(text: str) -> str:
    """The form in which two spellings of the same words are equal. Doing it twice changes nothing.

    Traditional characters become simplified one by one, so that a name folds alike wherever it stands.
    """
    if text.isascii():
        return text.lower()
    compatible = unicodedata.normalize("NFKC", text.translate(_INVISIBLE))
    folded = unicodedata.normalize("NFKC", compatible.casefold())
    return folded.translate(_simplified()).translate(_ALIKE)


@dataclass(frozen=True, slots=True)
class Folded:
    """Folded text that knows where it came from: `origins[i]` is the offset in the source of folded character i; one more entry closes it."""

    text: str
    origins: Sequence[int]

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the source from which `text[start:end]` was made; never empty unless the question is."""
        if start >= end:
            return self.origins[start], self.origins[start]
        first, last = self.origins[start], self.origins[end - 1]
        while end < len(self.origins) - 1 and self.origins[end] == last:
            end += 1
        return first, self.origins[end]


def fold_with_origins(text: str) -> Folded:
    """`fold`, with the way back to the source's offsets; a base character and what combines with it are folded together.

    Characters that fold to one character each, whatever stands beside them, are folded at once; only the others one by one.
    """
    if text.isascii():
        return Folded(text.lower(), range(len(text) + 1))
    odd = "".join(sorted(character for character in set(text) if not _folds_alone(character)))
    if not odd:
        return Folded(fold(text), range(len(text) + 1))
    pieces: list[str] = []
    origins: list[int] = []
    after = 0
    for stretch in re.finditer(f".?[{re.escape(odd)}]+", text, re.DOTALL):
        pieces.append(fold(text[after : stretch.start()]))
        origins.extend(range(after, stretch.start()))
        _fold_by_character(text, stretch.start(), stretch.end(), pieces, origins)
        after = stretch.end()
    pieces.append(fold(text[after:]))
    origins.extend(range(after, len(text) + 1))
    return Folded("".join(pieces), origins)


def _fold_by_character(text: str, start: int, stop: int, pieces: list[str], origins: list[int]) -> None:
    """Fold each base character with what joins it."""
    while start < stop:
        end = start + 1
        while end < stop and _joins_what_precedes(text[end]):
            end += 1
        piece = fold(text[start:end])
        pieces.append(piece)
        origins.extend([start] * len(piece))
        start = end


@lru_cache(maxsize=65536)
def _folds_alone(character: str) -> bool:
    """Whether it becomes exactly one character wherever it stands."""
    return not _joins_what_precedes(character) and len(fold(character)) == 1


@lru_cache(maxsize=4096)
def _joins_what_precedes(character: str) -> bool:
    """Marks, half-width voicing marks, Hangul vowels and finals, and what folding leaves out."""
    compatible = unicodedata.normalize("NFKC", character)[0]
    return (
        ord(character) in _INVISIBLE
        or unicodedata.category(compatible).startswith("M")
        or "\u1160" <= compatible <= "\u11ff"
    )


def is_blank(text: str) -> bool:
    """Whether there is nothing to see in it: white space, and characters that take no room."""
    return not _SEEN.search(text)


def han_count(text: str) -> int:
    """How many Chinese characters there are."""
    return 0 if text.isascii() else len(_HAN_CHARACTER.findall(text))


def language_of(text: str) -> Language:
    """Chinese or English, whichever holds more of the text; two Chinese characters weigh as much as one Latin word."""
    han = han_count(text)
    if not han:
        return "en"
    return "zh" if han >= 2 * len(_LATIN_WORD.findall(text)) else "en"


@lru_cache(maxsize=1)
def _simplified() -> dict[int, str]:
    """Traditional characters and the simplified ones they stand for, one to one, from OpenCC's table."""
    characters = [chr(code) for first, last in HAN_RANGES for code in range(first, last)]
    # One a line: OpenCC knows phrases too, and neighbours would be taken for one.
    converted = OpenCC("t2s").convert("\n".join(characters)).split("\n")
    return {ord(old): new for old, new in zip(characters, converted, strict=True) if old != new}

"""Whether a name in Chinese and one in another script may be one: how near their vectors are, among all names that were compared. Given that, gives a score or None.

Near vectors alone say little: names of one kind are all near each other, and within one script the worst pairs (import and export) are nearer than most right ones,
so that name vectors are asked between scripts alone. There it counts that each is the nearest to the other, and by how much more than the next (Artetxe and Schwenk 2019,
margin-based mining of parallel sentences). The bounds are chosen on `benchmarks/aliases_translated.tsv`.
"""

import re
from dataclasses import dataclass

from common.text import HAN, fold
from ontology.resolution.likeness import Likeness
from ontology.resolution.profile import Profile

TRANSLATION = "translation"
LEAST_SIMILARITY, CLEAR_MARGIN = 0.45, 0.04
UNCLEAR, CLEAR, MOST = 0.5, 0.62, 0.8
A_MARGIN = 2.0
_HAN = re.compile(f"[{HAN}]")
_LATIN_WORD = re.compile(rf"[^\W\d_{HAN}]+")
_HAS_DIGIT = re.compile(rf"[^\s{HAN}]*\d[^\s{HAN}]*")
_NOT_HAN = re.compile(rf"[^\s{HAN}]+")
_FIGURES = re.compile(r"\d+|(?<=第)[一二三四五六七八九]")
_HAN_NUMERALS = {numeral: str(number) for number, numeral in enumerate("一二三四五六七八九", start=1)}


@dataclass(frozen=True, slots=True)
class Near:
    """Each is the nearest to the other: `similarity` is the cosine, `margin` by how much the next one is farther from either."""

    similarity: float
    margin: float


def is_han(name: str) -> bool:
    """The side of a name: with Chinese characters, or without."""
    return bool(_HAN.search(name))


def meaning(name: str) -> str:
    """What of a name is asked for its vector: without codes and figures, and of a Chinese one the Chinese alone, or all names with one code were near. "" where nothing is left."""
    rest = (_NOT_HAN if is_han(name) else _HAS_DIGIT).sub(" ", fold(name))
    return " ".join(rest.split()) if _LATIN_WORD.search(rest) or is_han(rest) else ""


def translated(left: Profile, right: Profile, near: Near | None) -> Likeness | None:
    """A clear margin is enough by itself; without one it takes what else is known of the two (`weigh.py`)."""
    if near is None or near.similarity < LEAST_SIMILARITY or near.margin < 0:
        return None
    if not may_translate(left.name, right.name):
        return None
    is_clear = near.margin >= CLEAR_MARGIN
    score = min(MOST, CLEAR + A_MARGIN * (near.margin - CLEAR_MARGIN)) if is_clear else UNCLEAR
    return Likeness(score, TRANSLATION, left.name, right.name)


def may_translate(one: str, other: str) -> bool:
    """One is Chinese and the other is not, their figures are the same, and what the Chinese one has of Latin words stands in the other."""
    if is_han(one) == is_han(other):
        return False
    han, latin = (one, other) if is_han(one) else (other, one)
    return figures(han) == figures(latin) and latin_words(han) <= latin_words(latin)


def figures(name: str) -> tuple[str, ...]:
    """In order of size, 第二 as 2: Workshop 2 and 第二车间, and never those of other years and models."""
    return tuple(sorted(_HAN_NUMERALS.get(each, each) for each in _FIGURES.findall(fold(name))))


def latin_words(name: str) -> set[str]:
    return set(_LATIN_WORD.findall(fold(name)))

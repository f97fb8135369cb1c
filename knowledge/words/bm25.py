"""BM25 (Robertson and Zaragoza 2009, k1 = 1.2, b = 0.75) over an index that holds no frequencies.

A `tsvector` without positions says that a term is there, not how often. So a term that stands in a text twice, three times, five times is indexed again as `term#2`,
`term#3`, `term#5`, and the score of a row is the sum of what each of these lexemes adds: `s(5) = [s(1) - s(0)] + [s(2) - s(1)] + [s(3) - s(2)] + [s(5) - s(3)]`.
Frequencies between two levels count as the lower one.
"""

from base64 import b32encode
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import log
from uuid import UUID

from knowledge.words.types import QuestionTerm, TermKind

K1 = 1.2
B = 0.75
LEVELS = (1, 2, 3, 5, 8, 13)
# A word of the title or the headings counts as much as so many in the text.
CONTEXT_FACTOR = 2
# Measured on CMRC and RGB: pairs of characters only break ties between texts that hold the words, unless the index does not know the word at all.
KIND_WEIGHTS = {TermKind.WORD: 1.0, TermKind.LONE: 0.5, TermKind.INNER: 0.2, TermKind.ACROSS: 0.2}
MOST_TERMS = 64
_LEAST_BUDGET = 6000
_BUDGET_SHARE = 0.1
_PREFIX_CHARACTERS = 3


def weighted_counts(text: Counter[str], context: Counter[str]) -> Counter[str]:
    """The counts of a chunk: those of its text, and those of its context by their factor. Their total is the chunk's length."""
    return text + Counter({term: CONTEXT_FACTOR * count for term, count in context.items()})


def kb_prefix(kb_id: UUID) -> str:
    """What the lexemes of a knowledge base begin with, so that each has posting lists of its own.

    Three characters of the identifier's random end, short because every lexeme carries them; two bases that share them cost each other time, never a result, because statements name the base besides.
    """
    return b32encode(kb_id.bytes[-5:]).decode().lower()[:_PREFIX_CHARACTERS]


def lexemes(counts: Mapping[str, int], prefix: str) -> list[str]:
    """What the `tsvector` of a chunk holds: each term and its levels."""
    return [level_lexeme(prefix, term, level) for term, count in counts.items() for level in LEVELS if level <= count]


def level_lexeme(prefix: str, term: str, level: int) -> str:
    """The lexeme that says: at least `level` times."""
    return f"{prefix}{term}" if level == 1 else f"{prefix}{term}#{level}"


def level_steps() -> Iterator[tuple[int, int]]:
    """Each level with the one below it."""
    for below, level in pairwise((0, *LEVELS)):
        yield level, below


def idf(total: int, documents: int) -> float:
    """How telling a term is that `documents` of `total` chunks hold; never negative."""
    return log(1 + (max(total, documents) - documents + 0.5) / (documents + 0.5))


def saturation(count: int, length: float, average: float) -> float:
    """How much of a term's weight `count` occurrences earn in a chunk of this length, from 0 to k1 + 1."""
    fixed, by_length = length_terms(average)
    return count * (K1 + 1) / (count + fixed + by_length * length)


def length_terms(average: float) -> tuple[float, float]:
    """`(fixed, by_length)`, so that the norm of a chunk is `fixed + by_length * length`; `average` is the mean length of the chunks."""
    return K1 * (1 - B), K1 * B / max(average, 1.0)


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A lexeme to look up; a row that holds it gains `weight * (s(level) - s(below))`."""

    text: str
    weight: float
    level: int
    below: int


def term_weights(terms: Iterable[QuestionTerm], documents: Mapping[str, int], total: int) -> dict[str, float]:
    """The weight of each term that the index knows, heaviest first. `documents` says how many chunks hold it."""
    weights = {
        term.text: _kind_weight(term, documents) * idf(total, documents[term.text])
        for term in terms
        if documents.get(term.text)
    }
    return dict(sorted(weights.items(), key=lambda item: -item[1]))


def within_budget(weights: Mapping[str, float], documents: Mapping[str, int], budget: int) -> dict[str, float]:
    """The heaviest terms, at most 64, whose posting lists together have at most `budget` rows; the heaviest one always."""
    kept: dict[str, float] = {}
    rows = 0
    for term, weight in weights.items():
        if kept and (rows + documents[term] > budget or len(kept) >= MOST_TERMS):
            continue
        kept[term] = weight
        rows += documents[term]
    return kept


def posting_budget(total: int) -> int:
    """How many rows of posting lists a question may read among `total` chunks: small bases are ranked exactly, of large ones a tenth is read."""
    return max(_LEAST_BUDGET, int(total * _BUDGET_SHARE))


def lookups(weights: Mapping[str, float], prefix: str) -> list[Lexeme]:
    """The lexemes that together give the score of these terms."""
    return [
        Lexeme(level_lexeme(prefix, term, level), weight, level, below)
        for term, weight in weights.items()
        for level, below in level_steps()
    ]


def _kind_weight(term: QuestionTerm, documents: Mapping[str, int]) -> float:
    is_all_there_is = term.kind is TermKind.INNER and not documents.get(term.word)
    return 1.0 if is_all_there_is else KIND_WEIGHTS[term.kind]

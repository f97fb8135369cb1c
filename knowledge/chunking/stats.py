"""How long the paragraphs of a corpus are. Given paragraphs and a counter of tokens, gives their distribution by language and a target size for chunks.

It streams: of each paragraph only its two lengths are kept.
"""

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from common.text import Language, language_of
from knowledge.chunking.types import CountTokens

_BATCH = 256
_STEP = 16
_LEAST_TARGET, _MOST_TARGET = 192, 320


@dataclass(frozen=True, slots=True)
class Spread:
    """Four percentiles and the greatest of some lengths."""

    p10: int
    p50: int
    p90: int
    p99: int
    greatest: int


@dataclass(frozen=True, slots=True)
class LanguageStats:
    """The paragraphs of one language."""

    language: Language
    paragraphs: int
    characters: Spread
    tokens: Spread
    tokens_per_character: float


@dataclass(frozen=True, slots=True)
class CorpusStats:
    """All of them, and the target in tokens that keeps nine paragraphs of ten whole, within what measured well (192 to 320)."""

    paragraphs: int
    languages: tuple[LanguageStats, ...]
    recommended_target_tokens: int


@dataclass(slots=True)
class _Lengths:
    characters: "array[int]" = field(default_factory=lambda: array("Q"))
    tokens: "array[int]" = field(default_factory=lambda: array("Q"))


def corpus_stats(paragraphs: Iterable[str], *, count_tokens: CountTokens) -> CorpusStats:
    """Read every paragraph once; those of white space alone are left out."""
    lengths: dict[Language, _Lengths] = {}
    own_marks = count_tokens([""])[0]
    stream = (paragraph.strip() for paragraph in paragraphs)
    for batch in _batches(paragraph for paragraph in stream if paragraph):
        for paragraph, tokens in zip(batch, count_tokens(batch), strict=True):
            of_language = lengths.setdefault(language_of(paragraph), _Lengths())
            of_language.characters.append(len(paragraph))
            of_language.tokens.append(max(1, tokens - own_marks))
    return CorpusStats(
        paragraphs=sum(len(of_language.tokens) for of_language in lengths.values()),
        languages=tuple(_described(language, lengths[language]) for language in sorted(lengths)),
        recommended_target_tokens=_target(
            sorted(tokens for of_language in lengths.values() for tokens in of_language.tokens)
        ),
    )


def _batches(paragraphs: Iterator[str]) -> Iterator[list[str]]:
    while batch := list(islice(paragraphs, _BATCH)):
        yield batch


def _described(language: Language, lengths: _Lengths) -> LanguageStats:
    return LanguageStats(
        language=language,
        paragraphs=len(lengths.tokens),
        characters=_spread(sorted(lengths.characters)),
        tokens=_spread(sorted(lengths.tokens)),
        tokens_per_character=round(sum(lengths.tokens) / sum(lengths.characters), 3),
    )


def _spread(ordered: list[int]) -> Spread:
    p10, p50, p90, p99 = (_percentile(ordered, share) for share in (10, 50, 90, 99))
    return Spread(p10, p50, p90, p99, ordered[-1])


def _percentile(ordered: list[int], share: int) -> int:
    """The nearest rank."""
    return ordered[max(0, -(-len(ordered) * share // 100) - 1)]


def _target(ordered: list[int]) -> int:
    if not ordered:
        return 256
    whole = -(-_percentile(ordered, 90) // _STEP) * _STEP
    return min(_MOST_TARGET, max(_LEAST_TARGET, whole))

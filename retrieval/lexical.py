"""How much of what a question asks for stands in a text, by words. Given the question's terms with their weights, gives shares from 0 to 1.

A term weighs what it would in BM25, in a corpus that is a thousand texts larger than ours: in a corpus of three documents a word that only one of them holds says as
much as it says anywhere. Used to choose what is quoted and to tell "not found".
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol, Self
from uuid import UUID

from knowledge.words.bm25 import K1, KIND_WEIGHTS, idf, saturation
from knowledge.words.types import QuestionTerm

# What stands in the sentences around, or in the title, counts for less. Calibrated on CMRC with `benchmarks/quoting.py`: without neighbours
# 90.2 % of the gold answers are quoted, with these 94.2 %.
NEAR = 0.35
TITLE = 0.3
# Of the world around the corpus.
OTHER_TEXTS = 1000


class Words(Protocol):
    """Cuts texts into the terms of the keyword index."""

    def terms(self, text: str) -> Counter[str]:
        """Each term with how often it stands there."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The terms of a question and what each weighs; `average_length` is that of a chunk, in terms."""

    weights: Mapping[str, float]
    average_length: float = 100.0

    @classmethod
    def of(cls, terms: Iterable[QuestionTerm], documents: Mapping[str, int], total: int, average_length: float) -> Self:
        """From the numbers of chunks that hold each term, among `total`."""
        weights = {
            term.text: KIND_WEIGHTS[term.kind] * idf(total + OTHER_TEXTS, documents.get(term.text, 0)) for term in terms
        }
        return cls(weights, average_length)

    @property
    def total(self) -> float:
        return sum(self.weights.values())

    def share(self, terms: Collection[str], *, near: Collection[str] = (), title: Collection[str] = ()) -> float:
        """Of all that is asked for: what stands here, and to a lesser part what stands next to it or in its title."""
        held = sum(
            weight * (1 if term in terms else NEAR if term in near else TITLE if term in title else 0)
            for term, weight in self.weights.items()
        )
        return held / self.total if self.weights else 0.0

    def saturated_share(self, counts: Counter[str]) -> float:
        """BM25 of a text with these counts, as a share of what one that repeats all that is asked for without end would have."""
        length = counts.total()
        held = sum(
            weight * saturation(counts[term], length, self.average_length)
            for term, weight in self.weights.items()
            if term in counts
        )
        return held / (self.total * (K1 + 1)) if self.weights else 0.0


class TermWeights(Protocol):
    """Knows how rare terms are."""

    async def wanted(self, question: str, kb_ids: Collection[UUID]) -> Wanted:
        """The question's terms and their weights in these knowledge bases; a term that stands nowhere weighs most. Raises EngineUnavailable."""

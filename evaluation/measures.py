"""Measures of a ranking against what should be found. A ranking is of documents, best first; gold is the set of documents that are needed."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil


def recall_at(ranked: Sequence[str], gold: frozenset[str], k: int) -> float:
    """The share of gold documents among the first k; 1.0 when nothing is to be found."""
    return len(gold.intersection(ranked[:k])) / len(gold) if gold else 1.0


def all_at(ranked: Sequence[str], gold: frozenset[str], k: int) -> bool:
    """Whether all gold documents are among the first k."""
    return gold.issubset(ranked[:k])


def reciprocal_rank(ranked: Sequence[str], gold: frozenset[str]) -> float:
    """1 / rank of the first gold document; 0.0 when there is none."""
    return next((1 / rank for rank, document in enumerate(ranked, 1) if document in gold), 0.0)


def percentile(values: Sequence[float], share: float) -> float:
    """The nearest-rank percentile of values in any order; 0.0 without values."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, ceil(share * len(ordered)) - 1))]


@dataclass(frozen=True, slots=True)
class RankingMeasures:
    """Means over questions: recalls in percent, MRR from 0 to 1, times in ms."""

    questions: int
    recall_1: float
    recall_5: float
    recall_10: float
    all_gold_5: float
    mrr: float
    p50_ms: float
    p95_ms: float


@dataclass(frozen=True, slots=True)
class Ranked:
    """One question's ranking of documents and how long it took."""

    ranked: tuple[str, ...]
    gold: frozenset[str]
    took_ms: float


def measure(results: Sequence[Ranked]) -> RankingMeasures:
    """The measures over these questions; all zero without any."""
    count = max(1, len(results))

    def mean(values: Sequence[float]) -> float:
        return sum(values) / count

    times = [result.took_ms for result in results]
    return RankingMeasures(
        questions=len(results),
        recall_1=100 * mean([recall_at(result.ranked, result.gold, 1) for result in results]),
        recall_5=100 * mean([recall_at(result.ranked, result.gold, 5) for result in results]),
        recall_10=100 * mean([recall_at(result.ranked, result.gold, 10) for result in results]),
        all_gold_5=100 * mean([float(all_at(result.ranked, result.gold, 5)) for result in results]),
        mrr=mean([reciprocal_rank(result.ranked, result.gold) for result in results]),
        p50_ms=percentile(times, 0.50),
        p95_ms=percentile(times, 0.95),
    )

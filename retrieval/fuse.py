"""Fuse the arms' rankings into one. Scores are spread per arm and weighted as `calibration` says; equal votes would let the weaker arm spoil the stronger.

Convex combination of min-max normalised scores (Bruch, Gai and Ingber 2023); a chunk that an arm did not find gets nothing from it.
"""

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from retrieval.calibration import weight_of
from retrieval.types import ArmPlace, FusedHit, Question, Ranking


def fuse(rankings: Sequence[Ranking], question: Question) -> list[FusedHit]:
    """All chunks that any arm found, best first, scores 0 to 1. Arms that found nothing have no vote."""
    heard = [ranking for ranking in rankings if ranking.hits]
    weights = {ranking.arm: weight_of(ranking.arm, question.language) for ranking in heard}
    scores: dict[UUID, float] = defaultdict(float)
    places: dict[UUID, dict[str, ArmPlace]] = defaultdict(dict)
    for ranking in heard:
        share = weights[ranking.arm] / sum(weights.values())
        for rank, (hit, spread) in enumerate(zip(ranking.hits, spread_scores(ranking), strict=True), start=1):
            scores[hit.chunk_id] += share * spread
            places[hit.chunk_id][ranking.arm] = ArmPlace(rank, hit.score, ranking.model)
    # Among equals the one that stands higher with its best arm, then any fixed order.
    order = sorted(
        scores, key=lambda chunk: (-scores[chunk], min(place.rank for place in places[chunk].values()), chunk)
    )
    return [FusedHit(chunk, scores[chunk], places[chunk]) for chunk in order]


def spread_scores(ranking: Ranking) -> list[float]:
    """From 1 (best) to 0 (last of the list); one hit, or equal ones, are all best."""
    best, last = ranking.hits[0].score, ranking.hits[-1].score
    if best <= last:
        return [1.0] * len(ranking.hits)
    return [(hit.score - last) / (best - last) for hit in ranking.hits]

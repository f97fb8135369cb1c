"""How strongly two entities belong together. Given what the ledger counts of a pair; gives a weight, 1 for one plain relation.

A relation counts by the logarithm of its support. Names in one passage bind weakly, by Salton's cosine (how often together, over how often each; van Eck and Waltman, "How to normalize cooccurrence data?", 2009),
so that what stands everywhere binds nothing. A relation of a hub, an entity with very many, counts less by the square root of how many more.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from math import log2, sqrt
from uuid import UUID

MENTIONED = 0.5
FAINT = 0.02
HUB = 16

Pair = tuple[UUID, UUID]


@dataclass(frozen=True, slots=True)
class Link:
    """Two entities, the smaller id first."""

    left: UUID
    right: UUID
    weight: float


@dataclass(frozen=True, slots=True)
class Together:
    """How many passages name both, and how many each."""

    both: int
    left: int
    right: int

    @property
    def weight(self) -> float:
        return MENTIONED * self.both / sqrt(self.left * self.right)


def linked(relations: Iterable[tuple[Pair, int]], mentions: Iterable[tuple[Pair, Together]]) -> list[Link]:
    """One link a pair, in order; `relations` are pairs with their support in all. Faint ones are left out."""
    related = dict(relations)
    degrees = Counter(end for pair in related for end in pair)
    weights: defaultdict[Pair, float] = defaultdict(float)
    for pair, support in related.items():
        weights[pair] += (1 + log2(max(1, support))) * damped(max(degrees[end] for end in pair))
    for pair, together in mentions:
        weights[pair] += together.weight
    return [Link(*pair, weight) for pair, weight in sorted(weights.items()) if weight >= FAINT]


def damped(degree: int) -> float:
    """1 for all but hubs."""
    return sqrt(min(1.0, HUB / degree))

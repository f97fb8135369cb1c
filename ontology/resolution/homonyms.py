"""Whether one name stands for two: documents that contradict each other in what a thing has one of. Given what each document says of an entity, gives the two parts, or None.

One contradiction alone is only that (both values are kept and marked); it becomes a question where the two sides also know quite different neighbours, or contradict each other twice.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any
from uuid import UUID

from ontology.resolution.context import differ
from ontology.resolution.profile import Neighbour
from ontology.values.agreement import Exact

ONE, MORE = 0.55, 0.2


@dataclass(frozen=True, slots=True)
class Told:
    """What one document says of an entity: exact values of attributes that have one value, and neighbours."""

    document: UUID
    values: Mapping[str, frozenset[Exact]] = field(default_factory=dict)
    neighbours: frozenset[Neighbour] = frozenset()


@dataclass(frozen=True, slots=True)
class Homonym:
    """The documents of either side, and why."""

    parts: tuple[tuple[UUID, ...], tuple[UUID, ...]]
    score: float
    reasons: tuple[dict[str, Any], ...]


def homonym(told: Iterable[Told]) -> Homonym | None:
    """The most likely way to part them."""
    sides = together(list(told))
    found = [each for one, other in combinations(sides, 2) if (each := apart(one, other))]
    return max(found, key=lambda each: each.score, default=None)


def together(told: list[Told]) -> list[list[Told]]:
    """Documents that share a value or a neighbour speak of one."""
    sides: list[list[Told]] = []
    for each in told:
        joined = [side for side in sides if any(agree(each, other) for other in side)]
        sides = [side for side in sides if side not in joined] + [[each, *(one for side in joined for one in side)]]
    return sides


def agree(one: Told, other: Told) -> bool:
    shared = one.values.keys() & other.values.keys()
    return bool(one.neighbours & other.neighbours) or any(
        not differ(one.values[name], other.values[name]) for name in shared
    )


def apart(one: list[Told], other: list[Told]) -> Homonym | None:
    left, right = values_in(one), values_in(other)
    contradicted = sorted(name for name in left.keys() & right.keys() if differ(left[name], right[name]))
    strange = any(each.neighbours for each in one) and any(each.neighbours for each in other)
    if not contradicted or (len(contradicted) == 1 and not strange):
        return None
    reasons: list[dict[str, Any]] = [
        {"kind": "values_differ", "attribute": name, "left": shown(left[name]), "right": shown(right[name])}
        for name in contradicted
    ]
    if strange:
        reasons.append({"kind": "neighbours_differ"})
    score = min(0.95, ONE + MORE * (len(contradicted) - 1) + 0.1 * strange)
    return Homonym((documents(one), documents(other)), round(score, 3), tuple(reasons))


def values_in(side: list[Told]) -> dict[str, frozenset[Exact]]:
    found: dict[str, set[Exact]] = defaultdict(set)
    for each in side:
        for name, values in each.values.items():
            found[name] |= values
    return {name: frozenset(values) for name, values in found.items()}


def shown(values: frozenset[Exact]) -> str:
    return ", ".join(sorted({value.shown for value in values}))


def documents(side: list[Told]) -> tuple[UUID, ...]:
    return tuple(sorted(each.document for each in side))

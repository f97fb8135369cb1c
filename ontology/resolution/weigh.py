"""Whether two entities may be one: a score from 0 to 1 with its reasons. Names first; what else is known adds a little, what contradicts takes much away."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from ontology.resolution.context import Context, context, neighbour_weight
from ontology.resolution.likeness import STRONG, Likeness, likeness
from ontology.resolution.profile import Profile
from ontology.resolution.translation import Near, translated

FLOOR = 0.6
OTHER_CLASS = 0.15
SHARED_VALUE, SHARED_NEIGHBOURS = 0.06, 0.04
CONTRADICTION, RELATED = 0.25, 0.3
MOST = 0.99


@dataclass(frozen=True, slots=True)
class Likely:
    """Two that may be one. `reasons` are plain values (`kind` and what it speaks of), as they are stored and put into words by `reasons.py`."""

    left: UUID
    right: UUID
    score: float
    reasons: tuple[dict[str, Any], ...]


def weigh(left: Profile, right: Profile, near: Near | None = None) -> Likely | None:
    """None where there is too little. `near` is how near their names' vectors are, where each is the other's nearest."""
    alike, around = likeness(left, right) or translated(left, right, near), context(left, right)
    base = max(by_name(alike, left, right) if alike else 0.0, by_context(around, left, right))
    if base <= 0:
        return None
    score = base + bonus(around, left, right) - malus(around)
    if score < FLOOR:
        return None
    first, second = sorted((left, right), key=lambda each: each.id)
    if alike and first is right:
        alike = Likeness(alike.score, alike.kind, alike.right, alike.left)
    return Likely(first.id, second.id, round(min(score, MOST), 3), tuple(reasons(alike, around, first, second)))


def by_name(alike: Likeness, left: Profile, right: Profile) -> float:
    """Between classes only what is written the same counts."""
    if left.class_name == right.class_name:
        return alike.score
    return alike.score - OTHER_CLASS if alike.kind in STRONG else 0.0


def by_context(around: Context, left: Profile, right: Profile) -> float:
    """Names that say nothing about each other (two languages): values and neighbours must be the same, several, and nothing may contradict."""
    said = len(around.shared) + len(around.neighbours)
    is_one_class = left.class_name == right.class_name
    is_much = said >= 3 and around.shared and not around.contradicted and not around.are_related
    return min(0.5 + 0.05 * said, 0.75) if is_much and is_one_class and scripts_differ(left, right) else 0.0


def scripts_differ(left: Profile, right: Profile) -> bool:
    return left.name.isascii() != right.name.isascii()


def bonus(around: Context, left: Profile, right: Profile) -> float:
    degree = min(len(left.neighbours), len(right.neighbours))
    values = SHARED_VALUE * min(len(around.shared), 2)
    return values + min(2 * SHARED_NEIGHBOURS, SHARED_NEIGHBOURS * neighbour_weight(len(around.neighbours), degree))


def malus(around: Context) -> float:
    return CONTRADICTION * min(len(around.contradicted), 2) + RELATED * around.are_related


def reasons(alike: Likeness | None, around: Context, left: Profile, right: Profile) -> list[dict[str, Any]]:
    """The strongest first; what speaks against it last."""
    said: list[dict[str, Any]] = []
    if alike:
        said.append({"kind": alike.kind, "left": alike.left, "right": alike.right})
    if left.class_name != right.class_name:
        said.append({"kind": "other_class", "left": left.class_name, "right": right.class_name})
    said += [{"kind": "shared_value", "attribute": name} for name in around.shared]
    if around.neighbours:
        said.append({"kind": "shared_neighbours", "count": len(around.neighbours)})
    said += [{"kind": "contradiction", "attribute": name} for name in around.contradicted]
    if around.are_related:
        said.append({"kind": "related"})
    return said

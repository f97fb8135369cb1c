"""What else speaks for or against two entities being one: values and neighbours that they share, values that can't both be true, relations between them."""

from dataclasses import dataclass
from math import log2

from ontology.resolution.profile import Neighbour, Profile
from ontology.values.agreement import Exact, agree


@dataclass(frozen=True, slots=True)
class Context:
    """Attributes with an equal value, those that contradict each other, shared neighbours, and whether the two have a relation to each other."""

    shared: tuple[str, ...]
    contradicted: tuple[str, ...]
    neighbours: tuple[Neighbour, ...]
    are_related: bool


def context(left: Profile, right: Profile) -> Context:
    both = sorted(left.values.keys() & right.values.keys())
    return Context(
        tuple(name for name in both if left.values[name] & right.values[name]),
        tuple(name for name in both if name in left.single | right.single and differ(left.values[name], right.values[name])),
        tuple(sorted(left.neighbours & right.neighbours, key=lambda each: (each.type, str(each.id)))),
        any(each.id == right.id for each in left.neighbours) or any(each.id == left.id for each in right.neighbours),
    )  # fmt: skip


def differ(one: frozenset[Exact], other: frozenset[Exact]) -> bool:
    """No value of the one can be one of the other: a date may be known to the year only, an amount be rounded."""
    return not any(agree(a, b) for a in one for b in other)


def neighbour_weight(shared: int, degree: int) -> float:
    """One shared neighbour of few says more than one of many."""
    return shared / log2(2 + degree)

"""How well pairs of names are told: precision and recall over labelled pairs, one line a pair (`same` or `different`, class, one name, another)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from ontology.resolution.blocks import pairs
from ontology.resolution.profile import Profile
from ontology.resolution.translation import Near
from ontology.resolution.weigh import weigh

Pair = tuple[str, frozenset[str]]
"""A class and two names of it."""
Nears = Mapping[Pair, Near]


@dataclass(frozen=True, slots=True)
class Labelled:
    """Two names and whether they are of one."""

    is_same: bool
    class_name: str
    left: str
    right: str

    @property
    def pair(self) -> Pair:
        return self.class_name, frozenset((self.left, self.right))


@dataclass(frozen=True, slots=True)
class Measured:
    """`missed` are of one and were not told, `wrong` are of two and were."""

    right: int
    missed: tuple[Labelled, ...]
    wrong: tuple[Labelled, ...]

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + len(self.wrong))

    @property
    def recall(self) -> float:
        return self.right / max(1, self.right + len(self.missed))


def labelled(lines: Iterable[str]) -> Iterator[Labelled]:
    for line in lines:
        if line.strip() and not line.startswith("#"):
            label, class_name, left, right = line.rstrip("\n").split("\t")
            yield Labelled(label == "same", class_name, left, right)


def measured(given: Iterable[Labelled], nears: Nears | None = None) -> Measured:
    """Joined at once because their normal forms are equal, or suggested: both count as told. `nears` are the pairs that name vectors find."""
    right, missed, wrong = 0, [], []
    for each in given:
        if is_told(each, (nears or {}).get(each.pair)):
            right += each.is_same
            wrong += [] if each.is_same else [each]
        elif each.is_same:
            missed.append(each)
    return Measured(right, tuple(missed), tuple(wrong))


def is_told(each: Labelled, near: Near | None = None) -> bool:
    left, right = (Profile(UUID(int=at), each.class_name, (name,)) for at, name in ((1, each.left), (2, each.right)))
    meet = near is not None or any(True for _pair in pairs([left, right]))
    return left.normal == right.normal or (meet and weigh(left, right, near) is not None)

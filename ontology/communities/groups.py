"""One community as it is worked out, before it has a row; and which earlier one it is."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from uuid import UUID

ALIKE = 0.5


@dataclass(frozen=True)
class Group:
    """Entities, the most central first; `parent` is the place of the group above it in the same list."""

    level: int
    members: tuple[UUID, ...]
    parent: int | None = None

    @cached_property
    def ids(self) -> frozenset[UUID]:
        return frozenset(self.members)

    @property
    def key(self) -> str:
        return key_of(self.members)


def key_of(members: Iterable[UUID]) -> str:
    """The same for the same members in any order."""
    return sha256(b"".join(sorted(each.bytes for each in members))).hexdigest()[:32]


def matched(known: Mapping[UUID, Group], groups: Sequence[Group]) -> list[UUID | None]:
    """For each group the id of the known one of its level that has the same members, else of the one that shares more than half of all their members; each at most once."""
    same = {(each.level, each.ids): id for id, each in known.items()}
    found = [same.get((each.level, each.ids)) for each in groups]
    taken = {id for id in found if id}
    left = {id: each for id, each in known.items() if id not in taken}
    for _share, place, id in sorted(likely(left, groups, found), key=lambda each: (-each[0], each[1])):
        if found[place] is None and id not in taken:
            found[place] = id
            taken.add(id)
    return found


def likely(
    left: Mapping[UUID, Group], groups: Sequence[Group], found: Sequence[UUID | None]
) -> Iterable[tuple[float, int, UUID]]:
    """Shares of common members above half, with the group's place and the known one's id."""
    homes: dict[tuple[int, UUID], list[UUID]] = defaultdict(list)
    for id, known in left.items():
        for member in known.members:
            homes[known.level, member].append(id)
    for place, group in enumerate(groups):
        if found[place] is None:
            common = Counter(id for member in group.members for id in homes.get((group.level, member), ()))
            for id, count in common.items():
                share = count / (len(group.members) + len(left[id].members) - count)
                if share > ALIKE:
                    yield share, place, id

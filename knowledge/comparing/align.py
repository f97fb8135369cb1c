"""Which passages of two readings of a document are the same. Given the contents of both in reading order, gives how many stayed and the places at which they differ.

Nothing of their texts is looked at, so that ten thousand passages are compared in a moment. A content that moved stays.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """One place at which they differ: the ordinals of what stood there and of what stands there, each in order."""

    before: tuple[int, ...]
    after: tuple[int, ...]

    @property
    def changed(self) -> int:
        """As many as have a counterpart at the same place."""
        return min(len(self.before), len(self.after))

    @property
    def size(self) -> int:
        """Lines that it takes to show it: one a change, one for each that only came or went."""
        return max(len(self.before), len(self.after))


@dataclass(frozen=True, slots=True)
class Alignment:
    """How many contents stayed, and in reading order all places at which something differs."""

    unchanged: int
    places: tuple[Place, ...]

    @property
    def changed(self) -> int:
        return sum(place.changed for place in self.places)

    @property
    def removed(self) -> int:
        """Those that went and have no counterpart."""
        return sum(len(place.before) - place.changed for place in self.places)

    @property
    def added(self) -> int:
        """Those that came and have no counterpart."""
        return sum(len(place.after) - place.changed for place in self.places)

    @property
    def size(self) -> int:
        return sum(place.size for place in self.places)


def align(before: Sequence[Hashable], after: Sequence[Hashable]) -> Alignment:
    """Time grows with the lengths alone, whatever repeats itself in them."""
    old_anchors, new_anchors = anchors(before, after)
    places: dict[int, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    gone = list(surplus(before, after))
    for ordinal in gone:
        places[bisect_left(old_anchors, ordinal)][0].append(ordinal)
    for ordinal in surplus(after, before):
        places[bisect_left(new_anchors, ordinal)][1].append(ordinal)
    told = tuple(Place(tuple(old), tuple(new)) for _number, (old, new) in sorted(places.items()))
    return Alignment(len(before) - len(gone), told)


def surplus(ours: Sequence[Hashable], theirs: Sequence[Hashable]) -> Iterator[int]:
    """The ordinals of what the others have not, or not as often."""
    left = Counter(theirs)
    for ordinal, content in enumerate(ours):
        if left[content]:
            left[content] -= 1
        else:
            yield ordinal


def anchors(before: Sequence[Hashable], after: Sequence[Hashable]) -> tuple[list[int], list[int]]:
    """Where contents stand that both have exactly once: the longest row that is in order on both sides (as in Bram Cohen's patience diff)."""
    here, there = Counter(before), Counter(after)
    place = {content: ordinal for ordinal, content in enumerate(after) if there[content] == 1}
    shared = [(old, place[each]) for old, each in enumerate(before) if here[each] == 1 and each in place]
    row = longest_rising([new for _old, new in shared])
    return [shared[index][0] for index in row], [shared[index][1] for index in row]


def longest_rising(values: Sequence[int]) -> list[int]:
    """The indices of a longest rising subsequence of different values, in n log n steps (Schensted)."""
    ends: list[int] = []
    indices: list[int] = []
    earlier: list[int] = []
    for index, value in enumerate(values):
        length = bisect_left(ends, value)
        earlier.append(indices[length - 1] if length else -1)
        ends[length : length + 1] = [value]
        indices[length : length + 1] = [index]
    row: list[int] = []
    index = indices[-1] if indices else -1
    while index >= 0:
        row.append(index)
        index = earlier[index]
    return row[::-1]

"""For each name the nearest one of the other script and of its class, and its rival, the next of any class. Pure numbers: given vectors and what is known already, makes it right for new names.

Each pair of names is looked at once, in products of blocks of vectors, so that 100,000 names cost minutes of arithmetic in the background and a new one among them a second.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ontology.resolution.translation import figures, is_han

ROWS, COLUMNS = 512, 8192
NOBODY, FAR = -1, -2.0
"""No place; a similarity below all."""
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Names:
    """n names by their places: `vectors` of shape (n, dims), rows of length one (float16 is enough), `classes` and `figures` numbers for each that there is, `is_han` their side.

    Names with other figures in them (years, models) do not meet.
    """

    vectors: NDArray[Any]
    classes: Places
    figures: Places
    is_han: NDArray[np.bool_]

    @classmethod
    def of(cls, vectors: NDArray[Any], classes: Sequence[str], names: Sequence[str]) -> Self:
        """From the names themselves."""
        kinds = numbered(classes), numbered([" ".join(figures(name)) for name in names])
        return cls(vectors, *kinds, np.array([is_han(name) for name in names], dtype=bool))


@dataclass(frozen=True, slots=True)
class Nearest:
    """Of each name the place of the nearest and of its rival, with their similarities; changed in place."""

    place: Places
    similarity: NDArray[np.float32]
    rival: Places
    rival_similarity: NDArray[np.float32]

    @classmethod
    def nobody(cls, count: int) -> Self:
        places, similarities = np.full(count, NOBODY, dtype=np.int64), np.full(count, FAR, dtype=np.float32)
        return cls(places, similarities, places.copy(), similarities.copy())

    def forget(self, places: Places) -> None:
        self.place[places], self.rival[places] = NOBODY, NOBODY
        self.similarity[places], self.rival_similarity[places] = FAR, FAR


def numbered(kinds: Sequence[str]) -> Places:
    """The same number for the same kind."""
    found: Places = np.unique(np.array(kinds, dtype=str), return_inverse=True)[1].astype(np.int64)
    return found


def compare(names: Names, known: Nearest, fresh: Places, standing: Places) -> Places:
    """Compare `fresh` names with each other and with those that stand (were compared before); gives the places for which something has changed, the fresh ones among them."""
    before = known.place.copy(), known.rival.copy()
    known.forget(fresh)
    everybody = np.concatenate([standing, fresh])
    is_fresh = np.zeros(len(names.classes), dtype=bool)
    is_fresh[fresh] = True
    for mine in blocks(fresh, ROWS):
        for side in (True, False):
            rows = mine[names.is_han[mine] == side]
            for columns in blocks(everybody[names.is_han[everybody] != side], COLUMNS):
                meet(names, known, rows, columns, is_fresh[columns])
    changed = (known.place != before[0]) | (known.rival != before[1]) | is_fresh
    return np.flatnonzero(changed)


def blocks(places: Places, size: int) -> list[Places]:
    return [places[first : first + size] for first in range(0, len(places), size)]


def meet(names: Names, known: Nearest, rows: Places, columns: Places, are_fresh: NDArray[np.bool_]) -> None:
    """Tell the rows of the columns, and the columns that stood before of the rows."""
    if not len(rows):
        return
    alike = names.vectors[rows].astype(np.float32) @ names.vectors[columns].astype(np.float32).T
    alike[names.figures[rows][:, None] != names.figures[columns]] = FAR
    offer(names, known, rows, columns, alike)
    stood = ~are_fresh
    if stood.any():
        offer(names, known, columns[stood], rows, np.ascontiguousarray(alike[:, stood].T))


def offer(names: Names, known: Nearest, rows: Places, columns: Places, alike: NDArray[np.float32]) -> None:
    """`alike` has shape (len(rows), len(columns)). The best of one class may become the nearest; whoever is best beside it, the rival."""
    of_class = np.where(names.classes[rows][:, None] == names.classes[columns], alike, FAR)
    mine = best(of_class, columns)
    first = best(alike, columns)
    first_place = np.arange(len(rows)), first[2]
    alike[first_place] = FAR
    second = best(alike, columns)
    alike[first_place] = first[1]
    is_nearer = mine[1] > known.similarity[rows]
    nearest = np.where(is_nearer, mine[0], known.place[rows])
    places = np.stack([known.place[rows], known.rival[rows], mine[0], first[0], second[0]], axis=1)
    similar = np.stack([known.similarity[rows], known.rival_similarity[rows], mine[1], first[1], second[1]], axis=1)
    similar[places == nearest[:, None]] = FAR
    choice = np.arange(len(rows)), similar.argmax(axis=1)
    known.similarity[rows] = np.where(is_nearer, mine[1], known.similarity[rows])
    known.place[rows] = nearest
    known.rival_similarity[rows] = similar[choice]
    known.rival[rows] = np.where(similar[choice] > FAR, places[choice], NOBODY)


def best(alike: NDArray[np.float32], columns: Places) -> tuple[Places, NDArray[np.float32], Places]:
    """Of each row the place and similarity of the best column, and which column it is."""
    column = alike.argmax(axis=1)
    similarity = alike[np.arange(len(alike)), column]
    return np.where(similarity > FAR, columns[column], NOBODY), similarity, column


def mutual(known: Nearest) -> Places:
    """The places whose nearest has them as its nearest."""
    places = np.flatnonzero(known.place != NOBODY)
    found: Places = places[known.place[known.place[places]] == places]
    return found


def margin(known: Nearest, one: int, other: int) -> float:
    """By how much the pair is nearer than the nearer rival."""
    rivals = max(float(known.rival_similarity[one]), float(known.rival_similarity[other]))
    return float(known.similarity[one]) - rivals

"""The nearest names and their rivals, against looking at every pair."""

import numpy as np
import pytest

from ontology.name_vectors import nearest
from ontology.name_vectors.nearest import FAR, NOBODY, Names, Nearest, compare, margin, mutual

NONE = np.empty(0, dtype=np.int64)


def made_up(count, seed=3):
    dice = np.random.default_rng(seed)
    vectors = dice.standard_normal((count, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    kinds = dice.integers(0, 3, count), (dice.random(count) < 0.2).astype(np.int64)
    return Names(vectors.astype(np.float16), *kinds, dice.random(count) < 0.4)


def by_every_pair(names):
    """Nearest and rival of each place, one at a time."""
    vectors = names.vectors.astype(np.float32)
    alike = vectors @ vectors.T
    found = []
    for place in range(len(vectors)):
        others = [other for other in range(len(vectors)) if names.is_han[other] != names.is_han[place]]
        others = [other for other in others if names.figures[other] == names.figures[place]]
        others.sort(key=lambda other: -alike[place, other])
        near = next((other for other in others if names.classes[other] == names.classes[place]), NOBODY)
        found.append((near, next((other for other in others if other != near), NOBODY)))
    return found


def told(known):
    return list(zip(known.place.tolist(), known.rival.tolist(), strict=True))


@pytest.mark.parametrize("count", [0, 1, 2, 3, 60])
def test_all_at_once_is_what_every_pair_says(count):
    names, known = made_up(count), Nearest.nobody(count)

    compare(names, known, np.arange(count), NONE)

    assert told(known) == by_every_pair(names)


def test_names_that_come_one_by_one_end_as_all_at_once(monkeypatch):
    monkeypatch.setattr(nearest, "COLUMNS", 7)
    monkeypatch.setattr(nearest, "ROWS", 3)
    names, known = made_up(60), Nearest.nobody(60)

    for first in range(0, 60, 5):
        compare(names, known, np.arange(first, first + 5), np.arange(first))

    assert told(known) == by_every_pair(names)


def test_a_name_that_was_there_and_is_called_otherwise_is_compared_anew():
    names, known = made_up(40), Nearest.nobody(40)
    compare(names, known, np.arange(40), NONE)
    names.vectors[7] = -names.vectors[7]
    affected = np.flatnonzero((known.place == 7) | (known.rival == 7))
    fresh = np.union1d(affected, [7])

    changed = compare(names, known, fresh, np.setdiff1d(np.arange(40), fresh))

    assert told(known) == by_every_pair(names)
    assert set(fresh) <= set(changed.tolist())


def test_the_margin_is_against_the_nearer_rival():
    one, other, rival = np.eye(3, dtype=np.float32)
    names = Names(
        np.stack([one, one * 0.8 + other * 0.6, one * 0.6 + rival * 0.8]), np.zeros(3, dtype=np.int64), np.zeros(3, dtype=np.int64), np.array([0, 1, 1], dtype=bool)
    )  # fmt: skip
    known = Nearest.nobody(3)
    compare(names, known, np.arange(3), NONE)

    assert mutual(known).tolist() == [0, 1]
    assert margin(known, 0, 1) == pytest.approx(0.2)
    assert known.rival_similarity[1] == FAR

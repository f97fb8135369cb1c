"""How vectors are shortened: a PCA keeps neighbours, an identity keeps everything, and both survive being stored."""

import numpy as np
import pytest

from inference.spaces import Reduction, fit, reduced_dims

RANDOM = np.random.default_rng(3)
TOPICS = RANDOM.normal(size=(20, 96))


def clustered(count: int, dims: int) -> np.ndarray:
    """Unit vectors that mix twenty topics, near a common direction, as the ones of a language model are."""
    rows = RANDOM.normal(size=(count, 20)) @ TOPICS + 2 + 0.3 * RANDOM.normal(size=(count, dims))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


SAMPLE = clustered(1500, 96)


def nearest(rows: np.ndarray, question: np.ndarray, count: int) -> set[int]:
    return set(np.argsort(rows @ question)[::-1][:count].tolist())


def test_a_fitted_reduction_gives_unit_vectors_of_the_wanted_length():
    fitted = fit(SAMPLE, 32)
    reduced = Reduction.of(fitted.mean, fitted.components, 96).reduce(SAMPLE)

    assert reduced.shape == (1500, 32)
    assert reduced.dtype == np.float32
    assert np.linalg.norm(reduced, axis=1) == pytest.approx(np.ones(1500), abs=1e-5)
    assert 0.5 < fitted.variance <= 1
    assert fitted.fitted_on == 1500


def test_the_nearest_in_full_are_on_the_short_list_of_the_reduced():
    fitted = fit(SAMPLE, 32)
    reduction = Reduction.of(fitted.mean, fitted.components, 96)
    reduced = reduction.reduce(SAMPLE)
    questions = clustered(50, 96)

    kept = [len(nearest(SAMPLE, q, 10) & nearest(reduced, reduction.reduce(q), 100)) for q in questions]

    assert sum(kept) >= 0.98 * 10 * len(questions)


def test_one_vector_is_reduced_like_many():
    fitted = fit(SAMPLE, 32)
    reduction = Reduction.of(fitted.mean, fitted.components, 96)

    assert reduction.reduce(SAMPLE[0]) == pytest.approx(reduction.reduce(SAMPLE[:1])[0], abs=1e-6)


def test_the_same_sample_gives_the_same_reduction():
    assert fit(SAMPLE, 16) == fit(SAMPLE, 16)


def test_a_vector_without_any_direction_left_still_has_length_one():
    fitted = fit(SAMPLE, 16)

    reduced = Reduction.of(fitted.mean, fitted.components, 96).reduce(np.stack([np.zeros(96, np.float32), SAMPLE[0]]))

    assert np.linalg.norm(reduced, axis=1) == pytest.approx([1, 1], abs=1e-5)


def test_cosines_stay_what_they_were():
    """Not only the order: a reduction that took the mean away would stretch the cosines of vectors that all point roughly one way."""
    fitted = fit(SAMPLE, 32)
    reduced = Reduction.of(fitted.mean, fitted.components, 96).reduce(SAMPLE[:200])

    assert reduced @ reduced.T == pytest.approx(SAMPLE[:200] @ SAMPLE[:200].T, abs=0.1)


def test_an_identity_gives_vectors_back():
    identity = Reduction.of(b"", b"", 96)

    assert np.array_equal(identity.reduce(SAMPLE), SAMPLE)
    assert np.array_equal(identity.reduce(SAMPLE[0]), SAMPLE[0])


@pytest.mark.parametrize(("raw", "wanted", "dims"), [(384, 0, 128), (384, 200, 200), (384, 500, 384), (2, 0, 1)])
def test_a_third_of_the_dimensions_stay_unless_told_otherwise(raw, wanted, dims):
    assert reduced_dims(raw, wanted) == dims

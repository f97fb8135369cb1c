"""A model is known by what it does (T31)."""

import numpy as np
import pytest

from inference.fingerprint import fingerprint, fingerprint_of, recognise, signs_apart
from inference.hash_model import HashModel

MODEL = HashModel()
PROBES = np.random.default_rng(7).normal(size=(8, 384)).astype(np.float32)


def test_it_is_64_hexadecimal_digits_and_the_same_each_time():
    first = fingerprint_of(MODEL)

    assert len(first) == 64
    assert int(first, 16) >= 0
    assert fingerprint_of(HashModel()) == first


@pytest.mark.parametrize("noise", [0, 1e-6, 1e-3])
def test_a_model_that_computes_a_little_differently_is_recognised(noise):
    noisy = PROBES + noise * np.random.default_rng(8).normal(size=PROBES.shape).astype(np.float32)

    assert recognise(fingerprint(noisy), [fingerprint(PROBES[::-1]), fingerprint(PROBES)]) == fingerprint(PROBES)


@pytest.mark.parametrize(
    "other", [HashModel(seed="other"), HashModel(dims=128), HashModel(dims=16)], ids=lambda model: model.name
)
def test_another_model_is_not_taken_for_this_one(other):
    found = fingerprint_of(other)

    assert signs_apart(found, fingerprint_of(MODEL)) > 60
    assert recognise(found, [fingerprint_of(MODEL)]) == found


def test_the_first_model_of_all_is_itself():
    assert recognise("ab" * 32, []) == "ab" * 32

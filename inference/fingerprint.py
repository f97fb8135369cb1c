"""Recognises an embedding model by what it does: 256 signs taken from its vectors of eight fixed texts, as 64 hexadecimal digits.

The same model on another machine differs in the last digits of its numbers, so that a few signs may differ; two models agree in about half of them.
Differences between the texts' vectors are taken, because the vectors of some models all point roughly one way.
"""

from collections.abc import Iterable

import numpy as np

from inference.ports import TextModel
from inference.types import TextKind, Vectors

PASSAGES = (
    "The pump stops when the water is hotter than eighty degrees.",
    "水温超过八十度时，水泵会自动停机。",
    "Invoices are paid within thirty days of delivery.",
    "员工每年有十五天带薪年假，可以分两次休完。",
    "def area(radius): return 3.14159 * radius ** 2",
    "RTX-4090 | 24 GB | 450 W | 2022-10-12",
)
QUESTIONS = ("When does the pump stop?", "年假有多少天？")
PROBES: tuple[tuple[TextKind, tuple[str, ...]], ...] = (("passage", PASSAGES), ("query", QUESTIONS))
SIGNS_A_TEXT = 32
MAY_DIFFER = 16  # of 256 signs


def fingerprint(vectors: Vectors) -> str:
    """From the vectors of all `PROBES` in their order, shape (8, dims)."""
    places = np.linspace(0, vectors.shape[1] - 1, SIGNS_A_TEXT).round().astype(int)
    differences = vectors - np.roll(vectors, -1, axis=0)
    return np.packbits(differences[:, places] > 0).tobytes().hex()


def fingerprint_of(model: TextModel) -> str:
    """The fingerprint of a model in this process."""
    return fingerprint(np.concatenate([model.vectors(texts, kind) for kind, texts in PROBES]))


def is_same(one: str, other: str) -> bool:
    """Whether two fingerprints are of the same model."""
    return signs_apart(one, other) <= MAY_DIFFER


def recognise(found: str, known: Iterable[str]) -> str:
    """The known fingerprint that is of the same model, else the found one itself."""
    nearest = min(known, key=lambda name: signs_apart(found, name), default=found)
    return nearest if is_same(found, nearest) else found


def signs_apart(one: str, other: str) -> int:
    """In how many signs two fingerprints differ."""
    return (int(one, 16) ^ int(other, 16)).bit_count()

"""A text model without a model: unit vectors from hashed terms, for tests that are about size and order and not about meaning.

Each term (a folded Latin word, a character of another script) has a fixed direction of plus and minus ones taken from its hash; a text is the sum of its terms.
Texts that share terms are near, others nearly at right angles. The same on every machine; a `seed` makes another model of the same size.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from common.text import fold
from inference.types import TextKind, Vectors

SPECIAL_TOKENS = 2
_TERMS = re.compile(r"[a-z0-9]+|[^\W_a-z0-9]")


@dataclass(frozen=True, slots=True)
class HashModel:
    """Plays `TextModel`. Questions and passages are alike to it; a term is a token."""

    dims: int = 384
    window_tokens: int = 512
    seed: str = ""

    @property
    def name(self) -> str:
        return "-".join(filter(None, ("hash", str(self.dims), self.seed)))

    def vectors(self, texts: Sequence[str], kind: TextKind) -> Vectors:
        """Float32 of shape (len(texts), dims), rows of length one."""
        if not texts:
            return np.empty((0, self.dims), dtype=np.float32)
        return np.stack([self._vector(text) for text in texts])

    def count_tokens(self, texts: Sequence[str], kind: TextKind = "passage") -> list[int]:
        """The number of terms and two."""
        return [len(_terms(text)) + SPECIAL_TOKENS for text in texts]

    def _vector(self, text: str) -> Vectors:
        # Without any term (only marks), the text itself is the term, so that no vector is zero.
        found = _terms(text) or [text]
        total = sum((_direction(term, self.dims, self.seed) for term in found), np.zeros(self.dims, dtype=np.int32))
        if not total.any():
            total = _direction(found[0], self.dims, self.seed).astype(np.int32)
        return (total / np.linalg.norm(total)).astype(np.float32)


def _terms(text: str) -> list[str]:
    return _TERMS.findall(fold(text))


@lru_cache(maxsize=100_000)
def _direction(term: str, dims: int, seed: str) -> NDArray[np.int8]:
    digest = hashlib.shake_128(f"{seed}\0{term}".encode()).digest((dims + 7) // 8)
    return np.unpackbits(np.frombuffer(digest, dtype=np.uint8))[:dims].astype(np.int8) * 2 - 1

"""How an embedding space shortens vectors: by the mean's direction and the principal components, the result of length one again. Pure numbers.

Raw vectors come as float32 rows of length one; an identity space gives them back as they are.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from inference.types import Vectors

STORED = np.dtype("<f4")
SHARE_KEPT = 3  # a third of the dimensions, unless the operator says otherwise


@dataclass(frozen=True, slots=True)
class Reduction:
    """`mean` has shape (raw_dims,), `components` (dims, raw_dims); both are None for the identity."""

    mean: Vectors | None = None
    components: Vectors | None = None

    @classmethod
    def of(cls, mean: bytes, components: bytes, raw_dims: int) -> Self:
        """From the bytes of an `EmbeddingSpace`."""
        if not components:
            return cls()
        return cls(np.frombuffer(mean, dtype=STORED), np.frombuffer(components, dtype=STORED).reshape(-1, raw_dims))

    def reduce(self, raw: Vectors) -> Vectors:
        """Shape (raw_dims,) or (n, raw_dims) to (dims,) or (n, dims), rows of length one."""
        if self.components is None or self.mean is None:
            return raw
        projected = (raw - self.mean) @ self.components.T
        lengths = np.linalg.norm(projected, axis=-1, keepdims=True)
        # A vector outside all components has no direction left; the first one keeps it of length one.
        first = np.zeros(projected.shape[-1], dtype=np.float32)
        first[0] = 1
        shortened: Vectors = np.where(lengths > 0, projected / np.where(lengths > 0, lengths, 1), first).astype(
            np.float32
        )
        return shortened


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted reduction as it is stored: bytes of float32, and the share of the variance that it keeps."""

    mean: bytes
    components: bytes
    dims: int
    variance: float
    fitted_on: int


def fit(sample: Vectors, dims: int) -> Fitted:
    """Fit to a sample of shape (n, raw_dims), n > dims. The same sample gives the same reduction.

    The first component is the direction of the mean, the others are the principal components of the centred sample, made orthogonal to it. What is stored as
    `mean` is zero: with the mean taken away, dividing by the rest's length would reorder neighbours, because that length differs from text to text.
    """
    from sklearn.decomposition import PCA  # here, because it takes a second to import and every process would pay

    analysis: Any = PCA(n_components=dims, svd_solver="covariance_eigh")  # type: ignore[no-untyped-call]
    analysis.fit(sample)
    directions = np.vstack([analysis.mean_, analysis.components_[: dims - 1]])
    components = np.linalg.qr(directions.T.astype(np.float64)).Q.T
    return Fitted(
        mean=np.zeros(sample.shape[1], dtype=STORED).tobytes(),
        components=components.astype(STORED).tobytes(),
        dims=dims,
        variance=float(analysis.explained_variance_ratio_[: max(1, dims - 1)].sum()),
        fitted_on=len(sample),
    )


def reduced_dims(raw_dims: int, wanted: int) -> int:
    """The wanted number within what there is; about a third when nothing is wanted."""
    return min(raw_dims, wanted) if wanted else max(1, raw_dims // SHARE_KEPT)

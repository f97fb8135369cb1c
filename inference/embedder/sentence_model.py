"""Any model that `sentence-transformers` can load (the extra `torch`), from a folder or by its name."""

from collections.abc import Sequence

import numpy as np
from sentence_transformers import SentenceTransformer

from inference.embedder.texts import plain
from inference.types import TextKind, Vectors

USUAL_WINDOW = 512


class SentenceModel:
    """Plays TextModel. The prefixes are spelled out here, because few models bring theirs along."""

    def __init__(self, name: str, *, query_prefix: str, passage_prefix: str) -> None:
        self._model = SentenceTransformer(name)
        self._prefixes: dict[TextKind, str] = {"query": query_prefix, "passage": passage_prefix}
        self.name = name
        self.window_tokens = int(self._model.get_max_seq_length() or USUAL_WINDOW)
        self.dims = int(self._model.encode(["dimensions"]).shape[1])

    def vectors(self, texts: Sequence[str], kind: TextKind) -> Vectors:
        found = self._model.encode(
            self._prefixed(texts, kind), normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True
        )
        return np.asarray(found, dtype=np.float32).reshape(len(texts), self.dims)

    def count_tokens(self, texts: Sequence[str], kind: TextKind = "passage") -> list[int]:
        tokenized = self._model.tokenizer(self._prefixed(texts, kind), truncation=False, padding=False)
        return [len(ids) for ids in tokenized["input_ids"]]

    def _prefixed(self, texts: Sequence[str], kind: TextKind) -> list[str]:
        return [plain(self._prefixes[kind] + text) for text in texts]

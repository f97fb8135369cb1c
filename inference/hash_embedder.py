"""The embedder over `HashModel` inside this process: stands in for the real one in tests that are about size and not about meaning."""

import time
from collections.abc import Sequence
from functools import cached_property

from asgiref.sync import sync_to_async

from inference.embedding_rules import refuse_empty, refuse_long
from inference.fingerprint import fingerprint_of
from inference.hash_model import HashModel
from inference.meters import LedgerMeter
from inference.ports import Meter
from inference.types import Charge, EmbedderInfo, TextKind, TokenCount, Usage, Vectors


class HashEmbedder:
    """Plays Embedder and QuestionEmbedder; refuses and records as the real one does."""

    def __init__(self, model: HashModel | None = None, *, meter: Meter | None = None) -> None:
        self.model = model or HashModel()
        self.meter = meter or LedgerMeter()

    def info(self) -> EmbedderInfo:
        return self._info

    @cached_property
    def _info(self) -> EmbedderInfo:
        """Once, because a fingerprint costs eight texts' vectors."""
        model = self.model
        return EmbedderInfo(model.name, model.dims, model.window_tokens, fingerprint_of(model))

    def embed(self, texts: Sequence[str], *, kind: TextKind, charge: Charge) -> Vectors:
        begun = time.monotonic()
        refuse_empty(texts)
        counts = self.model.count_tokens(texts, kind)
        refuse_long(counts, self.model.window_tokens)
        found = self.model.vectors(texts, kind)
        if texts:
            duration_ms = round((time.monotonic() - begun) * 1000)
            self.meter.record(Usage(charge, "embed", self.model.name, TokenCount(sum(counts)), duration_ms))
        return found

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self.model.count_tokens(texts)

    async def embed_question(self, text: str, *, charge: Charge) -> Vectors:
        vectors = await sync_to_async(self.embed)([text], kind="query", charge=charge)
        return vectors[0]  # type: ignore[no-any-return]

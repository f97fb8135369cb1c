"""The embedder of the way in: any server that speaks OpenAI's /v1/embeddings, ours or another.

Sends texts in batches and waits, for a bounded time, for a server that is away or full. What it is (model, window, fingerprint) is asked once, and again after it was away.
"""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import numpy as np
from django.utils.translation import gettext as _

from common.errors import EngineUnavailable
from inference.conf import InferenceSettings, inference_settings
from inference.embedding_protocol import Acquaintance
from inference.embedding_rules import refuse_empty, refuse_long
from inference.embedding_server import EmbeddingServer
from inference.ports import Meter
from inference.types import Charge, EmbedderInfo, ModelServer, TextKind, Vectors

FIRST_WAIT_S = 0.1
LONGEST_WAIT_S = 5.0
COUNTED_AT_ONCE = 256
Answer = TypeVar("Answer")


class HttpEmbedder:
    """Plays Embedder. Safe in threads and after a fork."""

    def __init__(
        self, where: Callable[[], ModelServer], *, meter: Meter, settings: InferenceSettings | None = None
    ) -> None:
        self._settings = settings or inference_settings()
        self._server = EmbeddingServer(where, meter=meter, settings=self._settings)
        self._known: Acquaintance | None = None

    def info(self) -> EmbedderInfo:
        """Does not wait for a server that is away."""
        return self._acquaintance().info

    def embed(self, texts: Sequence[str], *, kind: TextKind, charge: Charge) -> Vectors:
        refuse_empty(texts)
        known = self._patiently(self._acquaintance)
        if not known.dialect.knows_kinds:  # our own server counts for itself
            refuse_long(known.dialect.estimate(texts, kind), known.dialect.window_tokens)
        rows = np.empty((len(texts), known.info.dims), dtype=np.float32)
        for first in range(0, len(texts), self._settings.embedding_batch):
            batch = texts[first : first + self._settings.embedding_batch]
            ask = partial(self._server.vectors, known.dialect, batch, kind, charge, first=first)
            rows[first : first + len(batch)] = self._patiently(ask)
            self._require_same(known)
        return rows

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        known = self._patiently(self._acquaintance)
        if not known.dialect.knows_kinds:
            return known.dialect.estimate(texts, "passage")
        batches = [texts[first : first + COUNTED_AT_ONCE] for first in range(0, len(texts), COUNTED_AT_ONCE)]
        return [count for batch in batches for count in self._patiently(partial(self._server.counts, batch))]

    def close(self) -> None:
        """Let the connections go."""
        self._server.close()

    def _acquaintance(self) -> Acquaintance:
        if self._known is None:
            self._known = self._server.meet()
        return self._known

    def _require_same(self, known: Acquaintance) -> None:
        """Vectors of two models must not be mixed: who was away may have come back as another. Raises EngineUnavailable."""
        if self._known is None and self._patiently(self._acquaintance).info.fingerprint != known.info.fingerprint:
            raise EngineUnavailable(_("The embedder has become another model meanwhile. Try again."))

    def _patiently(self, ask: Callable[[], Answer]) -> Answer:
        """Ask again with growing waits, or when the server says so, until the patience of the settings is over."""
        until = time.monotonic() + self._settings.embedding_patience_s
        wait_s = FIRST_WAIT_S
        while True:
            try:
                return ask()
            except EngineUnavailable as error:
                self._known = None  # who comes back may be another
                wait_s = min(LONGEST_WAIT_S, error.extra.get("retry_after_s") or 2 * wait_s)
                if time.monotonic() + wait_s > until:
                    raise
                time.sleep(wait_s)

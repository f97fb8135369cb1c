"""The embedding half of OpenAI's protocol, without any network: what to send for texts, what an answer means, which dialect a server speaks.

Our own embedder knows `input_type`, counts tokens and tells its fingerprint under /info. Any other server gets the prefixes that the settings spell out.
"""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import httpx
import numpy as np
from django.utils.translation import gettext as _

from common.errors import EngineRefused, InvalidInput, TrellisError
from inference.conf import InferenceSettings
from inference.embedding_rules import empty, too_long
from inference.http_errors import error_body, nonsense, refusal_of
from inference.servers import listed_models
from inference.tokens import estimate_tokens
from inference.types import EmbedderInfo, ModelServer, TextKind, Vectors

SPECIAL_TOKENS = 2


@dataclass(frozen=True, slots=True)
class Dialect:
    """How to speak to one server. `knows_kinds` is true for our own embedder."""

    model: str
    window_tokens: int
    knows_kinds: bool = False
    query_prefix: str = ""
    passage_prefix: str = ""

    def body(self, texts: Sequence[str], kind: TextKind) -> dict[str, Any]:
        """The request for the vectors of these texts."""
        if self.knows_kinds:
            return {"model": self.model, "input": list(texts), "input_type": kind, "encoding_format": "base64"}
        return {"model": self.model, "input": self.prefixed(texts, kind), "encoding_format": "float"}

    def estimate(self, texts: Sequence[str], kind: TextKind) -> list[int]:
        """Tokens of each text from above, for a server that can't count."""
        return [estimate_tokens(text) + SPECIAL_TOKENS for text in self.prefixed(texts, kind)]

    def prefixed(self, texts: Sequence[str], kind: TextKind) -> list[str]:
        prefix = self.query_prefix if kind == "query" else self.passage_prefix
        return [prefix + text for text in texts]


@dataclass(frozen=True, slots=True)
class Embedded:
    """What a server answered: float32 rows of length one, and the tokens that it counted (None when it does not say)."""

    vectors: Vectors
    tokens: int | None


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """What is known of a server once it has been asked."""

    dialect: Dialect
    info: EmbedderInfo


def own_server(response: httpx.Response) -> Acquaintance | None:
    """From what /info answers; None when it is not our embedder's answer."""
    try:
        body = response.json()
        info = EmbedderInfo(str(body["model"]), int(body["dims"]), int(body["window_tokens"]), str(body["fingerprint"]))
    except (KeyError, TypeError, ValueError):
        return None
    return Acquaintance(Dialect(info.model, info.window_tokens, knows_kinds=True), info)


def foreign_dialect(models: Any, *, server: ModelServer, settings: InferenceSettings) -> Dialect:
    """From what /v1/models answers: the wanted model, else its first one. Raises EngineRefused when there is none."""
    found = listed_models(models)
    wanted = server.model or settings.embedding_model
    chosen = next((entry for entry in found if wanted in ("", entry["id"])), {"id": wanted})
    if not chosen["id"]:
        message = _("%(url)s does not name a model. Choose one with EMBEDDING_MODEL.")
        raise EngineRefused(message % {"url": server.url})
    window = chosen.get("max_model_len")
    return Dialect(
        chosen["id"],
        window if isinstance(window, int) and window > 0 else settings.embedding_window_tokens,
        query_prefix=settings.embedding_query_prefix,
        passage_prefix=settings.embedding_passage_prefix,
    )


def read_vectors(body: Any, *, count: int, url: str) -> Embedded:
    """The vectors of an answer in the order of the texts. Raises EngineRefused for anything that is not `count` equally long, usable vectors."""
    try:
        rows = sorted(body["data"], key=lambda row: row["index"])
        vectors = np.stack([_vector(row["embedding"]) for row in rows])
        usage = body.get("usage") or {}
        tokens = usage.get("prompt_tokens")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise nonsense(url) from error
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    if vectors.ndim != 2 or len(vectors) != count or not np.isfinite(lengths).all() or not lengths.all():
        raise nonsense(url)
    return Embedded((vectors / lengths).astype(np.float32), tokens if isinstance(tokens, int) else None)


def refusal(response: httpx.Response, *, first: int = 0) -> TrellisError:
    """The error of an answer other than 200; `first` is the number of the first text of this batch."""
    error = error_body(response)
    index = error.get("index")
    if response.status_code == 400 and isinstance(index, int):
        if error.get("code") == "text_too_long":
            return too_long(first + index, error["tokens"], error["window"])
        return empty(first + index)
    if response.status_code in (400, 413, 422) and error.get("code") != "model_not_found":
        return InvalidInput(str(refusal_of(response)))
    return refusal_of(response)


def _vector(given: Any) -> Vectors:
    if isinstance(given, str):
        return np.frombuffer(base64.b64decode(given), dtype="<f4")
    return np.asarray(given, dtype=np.float32)

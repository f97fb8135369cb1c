"""The roles that models play. `config/wiring.py` says who plays them."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any, Protocol

from inference.types import Charge, ChatDelta, ChatMessage, EmbedderInfo, EngineInfo, TextKind, Usage, Vectors


class TextModel(Protocol):
    """A model in this process that turns texts into unit vectors; the embedder's process serves one. Safe to call from several threads."""

    @property
    def name(self) -> str: ...

    @property
    def dims(self) -> int: ...

    @property
    def window_tokens(self) -> int: ...

    def vectors(self, texts: Sequence[str], kind: TextKind) -> Vectors:
        """Float32 of shape (len(texts), dims), rows of length one."""

    def count_tokens(self, texts: Sequence[str], kind: TextKind = "passage") -> list[int]:
        """Tokens of each text, special tokens and prefix included, never cut off at the window."""


class Meter(Protocol):
    """Keeps account of model calls."""

    def record(self, usage: Usage) -> None:
        """Write one call down."""


class Embedder(Protocol):
    """Turns texts into unit vectors. Synchronous, for the way in. Each call writes UsageRecords for its charge, so call it outside a transaction."""

    def info(self) -> EmbedderInfo:
        """Raises EngineUnavailable when it can't be asked."""

    def embed(self, texts: Sequence[str], *, kind: TextKind, charge: Charge) -> Vectors:
        """Float32 of shape (len(texts), dims), rows of length one; no texts give no rows.

        Raises EngineUnavailable, EngineRefused, or InvalidInput for an empty text and for one over the window (`extra` has `index` and `tokens`).
        """

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text as a passage, special tokens and prefix included; an estimate from above where the server can't count."""


class QuestionEmbedder(Protocol):
    """The same model for the question path: asynchronous, one text at a time, in the lane that goes first."""

    async def embed_question(self, text: str, *, charge: Charge) -> Vectors:
        """Float32 of shape (dims,), length one. Raises EngineUnavailable, EngineRefused, or InvalidInput for a question over the window."""


class ChatEngine(Protocol):
    """A model that writes, behind OpenAI's protocol."""

    async def info(self) -> EngineInfo:
        """Raises EngineUnavailable."""

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        temperature: float,
        charge: Charge,
        response_format: Mapping[str, Any] | None = None,
    ) -> AsyncGenerator[ChatDelta, None]:
        """Raises EngineUnavailable, EngineTimeout, EngineRefused or EngineLoops; closing the iterator stops the engine's work.

        `response_format` is sent as OpenAI's protocol has it; an engine that does not know it refuses.
        """

    async def count_tokens(self, text: str) -> int:
        """Counted by the engine's own tokenizer where it has a route for that, else a safe estimate from above."""

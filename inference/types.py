"""The values that travel to and from models."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
TextKind = Literal["query", "passage"]


class Purpose(StrEnum):
    """What a model call was for; every call has one."""

    INDEX = "index"
    ASK = "ask"
    EXTRACT = "extract"
    PROPOSE = "propose"
    JUDGE = "judge"
    PROBE = "probe"


@dataclass(frozen=True, slots=True)
class Charge:
    """Who pays for a model call. Plain ids, because bills outlive what they were for."""

    purpose: Purpose
    department_id: UUID | None = None
    user_id: UUID | None = None
    key_id: UUID | None = None
    kb_id: UUID | None = None
    document_id: UUID | None = None
    conversation_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class TokenCount:
    """Tokens of one model call."""

    prompt: int = 0
    completion: int = 0


@dataclass(frozen=True, slots=True)
class Usage:
    """One model call as it ended. `task` says which price applies; `outcome` is "done", "stopped" or the code of an error."""

    charge: Charge
    task: Literal["embed", "chat"]
    model: str
    tokens: TokenCount
    duration_ms: int
    outcome: str = "done"


@dataclass(frozen=True, slots=True)
class ModelServer:
    """An OpenAI-compatible server: `url` ends with its /v1; `key` and `model` may be empty (the server's first model is taken then)."""

    url: str
    key: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class EmbedderInfo:
    """What an embedder is. `fingerprint` is made from its vectors of fixed sentences, so that a model is recognised by what it does, not by its name."""

    model: str
    dims: int
    window_tokens: int
    fingerprint: str


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a chat, in OpenAI's roles."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class ChatDelta:
    """A piece of a streamed answer. The last one has `finish_reason` and `tokens`."""

    text: str = ""
    finish_reason: str | None = None
    tokens: TokenCount | None = None


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """What a chat engine says of itself; `window_tokens` is prompt and completion together."""

    model: str
    window_tokens: int

"""The chat half of OpenAI's protocol, without any network: what to send, what each streamed event means, what a server says of its window."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from common.errors import EngineUnavailable
from inference.http_errors import MAX_DETAIL, nonsense
from inference.tokens import estimate_tokens
from inference.types import ChatMessage, TokenCount

DONE = "[DONE]"
MESSAGE_TOKENS = 8  # what a chat template puts around a message


@dataclass(frozen=True, slots=True)
class StreamEvent:
    """One event of a stream: text, the reason why it ended, the engine's own count; several may be there at once, or none of them.

    `is_progress` is false for events that only keep the connection alive.
    """

    text: str = ""
    finish_reason: str | None = None
    tokens: TokenCount | None = None
    is_progress: bool = False


def chat_body(model: str, messages: Sequence[ChatMessage], *, max_tokens: int, temperature: float) -> dict[str, Any]:
    """The request for a streamed answer that closes with its token counts."""
    return {
        "model": model,
        "messages": [{"role": message.role, "content": message.content} for message in messages],
        "max_tokens": max_tokens,
        "temperature": temperature,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def read_event(data: str, *, url: str) -> StreamEvent:
    """Raises EngineRefused for what is not in the protocol, EngineUnavailable when the engine reports a fault in mid-stream."""
    try:
        body = json.loads(data)
        if error := body.get("error"):
            raise _broken(url, error)
        choices = body.get("choices") or [{}]
        delta = choices[0].get("delta") or {}
        text, finish_reason = str(delta.get("content") or ""), choices[0].get("finish_reason")
        thought = delta.get("reasoning_content") or delta.get("reasoning")  # not for the reader, but the engine works
        return StreamEvent(text, finish_reason, _tokens(body.get("usage")), bool(text or thought or finish_reason))
    except (ValueError, TypeError, AttributeError, KeyError, IndexError) as error:
        raise nonsense(url) from error


def estimate_prompt(messages: Sequence[ChatMessage]) -> int:
    """Prompt tokens from above, for an engine that does not count."""
    return sum(estimate_tokens(message.content) + MESSAGE_TOKENS for message in messages)


def listed_window(entry: dict[str, Any]) -> int | None:
    """The window that an entry of /v1/models names: vLLM's `max_model_len` or llama.cpp's `meta.n_ctx`."""
    meta = entry.get("meta")
    return _positive(entry.get("max_model_len")) or _positive(meta.get("n_ctx") if isinstance(meta, dict) else None)


def window_of_props(body: Any) -> int | None:
    """The window of one slot as llama.cpp's /props tells it."""
    settings = body.get("default_generation_settings") if isinstance(body, dict) else None
    return _positive(settings.get("n_ctx")) if isinstance(settings, dict) else None


def counted(body: Any) -> int | None:
    """From what /tokenize answers: vLLM's `count` or the length of `tokens`."""
    if not isinstance(body, dict):
        return None
    tokens = body.get("tokens")
    return len(tokens) if isinstance(tokens, list) else _positive(body.get("count"))


def _tokens(usage: Any) -> TokenCount | None:
    return TokenCount(int(usage["prompt_tokens"]), int(usage["completion_tokens"])) if usage else None


def _broken(url: str, error: Any) -> EngineUnavailable:
    detail = error.get("message") if isinstance(error, dict) else error
    message = _("%(url)s stopped in the middle of its answer: %(detail)s")
    return EngineUnavailable(message % {"url": url, "detail": str(detail)[:MAX_DETAIL]})


def _positive(value: Any) -> int | None:
    return value if isinstance(value, int) and value > 0 else None

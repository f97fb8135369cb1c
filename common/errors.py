"""The error tree. Each class has a code, an HTTP status and whether trying again can help; each instance says what was asked, what was found and what to do.

Foreign errors are translated into these where they enter. Everything a caller may see of an error is `code`, `message` and `extra`.
"""

from typing import Any, ClassVar

from django.utils.functional import Promise


class TrellisError(Exception):
    """The root: something that we understand went wrong."""

    code: ClassVar[str] = "error"
    status: ClassVar[int] = 500
    retryable: ClassVar[bool] = False

    def __init__(self, message: str | Promise, **extra: Any) -> None:
        super().__init__(message)
        self.message = message
        self.extra = extra

    def __str__(self) -> str:
        return str(self.message)


class InvalidInput(TrellisError):
    """What was sent can't be used as it is; `extra` may name the fields."""

    code = "invalid_input"
    status = 400


class UnreadableFile(InvalidInput):
    """A file that can't be read; `code` of the instance says why (`empty_file`, `encrypted`, `no_text`, `zip_bomb`, …)."""

    status = 422

    def __init__(self, message: str | Promise, *, reason: str, **extra: Any) -> None:
        super().__init__(message, **extra)
        self.reason = reason

    @property
    def code(self) -> str:  # type: ignore[override]
        return self.reason


class NotAuthenticated(TrellisError):
    """Nobody is signed in, or the key is wrong, expired or switched off."""

    code = "not_authenticated"
    status = 401


class Forbidden(TrellisError):
    """The subject may see it but not do this to it."""

    code = "forbidden"
    status = 403


class NotFound(TrellisError):
    """It does not exist, or the subject may not know that it does."""

    code = "not_found"
    status = 404


class Conflict(TrellisError):
    """Somebody else changed it first, or it is in a state that does not allow this."""

    code = "conflict"
    status = 409


class TooLarge(InvalidInput):
    """More bytes, rows or characters than a setting allows."""

    code = "too_large"
    status = 413


class TooManyRequests(TrellisError):
    """A limit is reached; `extra["retry_after_s"]` says when to come back."""

    code = "too_many_requests"
    status = 429
    retryable = True


class EngineUnavailable(TrellisError):
    """An engine (database, queue, graph, embedder, model) can't be reached or does not answer in time."""

    code = "engine_unavailable"
    status = 503
    retryable = True


class EngineTimeout(EngineUnavailable):
    """An engine did not answer inside its limit."""

    code = "engine_timeout"


class EngineRefused(TrellisError):
    """An engine answered that it won't do this (wrong key, unknown model, prompt too long)."""

    code = "engine_refused"
    status = 502


class EngineLoops(EngineRefused):
    """A model writes white space for ever; it was stopped."""

    code = "engine_loops"


class LeaseLost(TrellisError):
    """Another worker has taken this stage over; what this one still holds must not be stored."""

    code = "lease_lost"
    status = 409


class Misconfigured(TrellisError):
    """A setting or an engine does not fit; the message names the variable and what to write instead."""

    code = "misconfigured"
    status = 500

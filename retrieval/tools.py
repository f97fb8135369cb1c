"""What answering is done with, in one frozen value. `config/wiring.py` makes it and binds it here, so that commands and views can ask for it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from common.errors import Misconfigured
from inference.ports import QuestionEmbedder
from retrieval.conf import RetrievalSettings
from retrieval.database import Database
from retrieval.ports import Answerer, Arm
from retrieval.trace import Limits, Listener, Trace


@dataclass(frozen=True, slots=True)
class Tools:
    """`answerers` by name: `quote` always, `model` where an engine is."""

    database: Database
    embedder: QuestionEmbedder
    arms: tuple[Arm, ...]
    answerers: Mapping[str, Answerer]
    limits: Limits
    settings: RetrievalSettings
    closing: tuple[Callable[[], Awaitable[None]], ...] = ()

    def writers(self, wanted: str, trace: Trace) -> list[Answerer]:
        """Who writes, in order: the one that is wanted, else the best there is; quoting always stands behind it."""
        if wanted == "model" and "model" not in self.answerers:
            trace.degraded.append("model:off")
        names = ("quote",) if wanted == "quote" else ("model", "quote")
        return [self.answerers[name] for name in names if name in self.answerers]

    async def close(self) -> None:
        """Let go of this loop's connections; for commands and tests, before their loop ends."""
        await self.database.close()
        for part in self.closing:
            await part()

    def trace(self, listener: Listener | None = None) -> Trace:
        """The record of one question, whose time begins now."""
        return Trace(self.limits, listener)


def limits_from(settings: RetrievalSettings) -> Limits:
    """The limits that the operator set."""
    return Limits(
        whole_s=settings.answer_limit_s,
        stages={
            "embed": settings.embed_limit_s,
            "vector": settings.arm_limit_s,
            "keyword": settings.arm_limit_s,
            "pack": settings.pack_limit_s,
            "generate": settings.generate_limit_s,
        },
        other_s=settings.arm_limit_s,
    )


_made: list[Callable[[], Tools]] = []


def bind(make: Callable[[], Tools]) -> None:
    """Say how the tools of this process are made."""
    _made[:] = [make]


def tools() -> Tools:
    """The tools as they are now: whether a model answers may change while the server runs. Raises Misconfigured when nobody has bound them."""
    if not _made:
        raise Misconfigured(
            "Nobody has said how questions are answered: config.wiring binds that when the server starts."
        )
    return _made[0]()

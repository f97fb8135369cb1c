"""The only place that knows limits, fallbacks and timings of a question. A limit wraps an awaited step or a stream's next event, never a `yield`.

A part that is too slow, dead or refused is left out: its fallback takes its place, and `degraded` names it (`vector:timeout`). What is late is cancelled but not
waited for, because waiting for a hung part to notice would be no limit at all.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

import structlog
from django.utils.translation import gettext_lazy as _

from common.errors import EngineRefused, EngineTimeout, EngineUnavailable, TrellisError
from retrieval.answer import Stage, StageNews

log = structlog.get_logger(__name__)

Value = TypeVar("Value")
Listener = Callable[[StageNews], None]
EngineTrouble = (EngineUnavailable, EngineRefused)

CLOSING_S = 0.5


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds: of the whole question, of each named stage, of any other stage, and what a writer leaves to the one behind it."""

    whole_s: float
    stages: Mapping[str, float] = field(default_factory=dict)
    other_s: float = 3
    fallback_s: float = 2


@dataclass(slots=True)
class Trace:
    """What happened to one question, stage by stage."""

    limits: Limits
    listener: Listener | None = None
    stages: list[Stage] = field(default_factory=list)
    degraded: list[str] = field(default_factory=list)
    begun: float = field(default_factory=time.monotonic)

    async def run(self, name: str, step: Coroutine[Any, Any, Value], *, otherwise: Value) -> Value:
        """The step's value, or `otherwise` when it is late or its engine fails."""
        begun = self.starts(name)
        outcome = "stopped"
        try:
            value = await limited(step, self.allowed_s(name))
            outcome = "done"
        except EngineTrouble as error:
            value, outcome = otherwise, self.left_out(name, error)
        finally:
            self.ends(name, begun, outcome)
        return value

    async def run_all(
        self, steps: Mapping[str, Coroutine[Any, Any, Value]], *, otherwise: Callable[[str], Value]
    ) -> list[Value]:
        """Steps side by side, each with its own limit and fallback, in the order given."""
        return await asyncio.gather(*(self.run(name, step, otherwise=otherwise(name)) for name, step in steps.items()))

    def count(self, name: str, work: Callable[[], Value]) -> Value:
        """A step that only computes, and so has a time but no limit."""
        begun = self.starts(name)
        value = work()
        self.ends(name, begun, "done")
        return value

    async def stream(
        self, name: str, events: AsyncGenerator[Value], *, part: str, is_last: bool = True
    ) -> AsyncGenerator[Value]:
        """The events of a part that writes. Ends early, and quietly, when the next event is late or the part fails; `degraded` then names the part.

        One that is not the last to try leaves some of the whole time to those behind it.
        """
        keep_s = 0.0 if is_last else self.limits.fallback_s
        begun = self.starts(name)
        outcome = "stopped"
        try:
            while True:
                try:
                    event = await limited(following(events), self.allowed_s(name, keep_s=keep_s))
                except StopAsyncIteration:
                    outcome = "done"
                    return
                except EngineTrouble as error:
                    outcome = self.left_out(part, error)
                    return
                yield event
        finally:
            self.ends(name, begun, outcome)
            await close(events)

    def allowed_s(self, name: str, *, keep_s: float = 0.0) -> float:
        """What the stage may take, and never more than is left of the whole."""
        left = self.limits.whole_s - keep_s - (time.monotonic() - self.begun)
        return max(0.001, min(self.limits.stages.get(name, self.limits.other_s), left))

    def left_out(self, part: str, error: TrellisError) -> str:
        """Note that a part did not take part; gives back how it failed."""
        kinds = {EngineTimeout: "timeout", EngineRefused: "refused"}
        outcome = next((word for kind, word in kinds.items() if isinstance(error, kind)), "unavailable")
        self.degraded.append(f"{part}:{outcome}")
        log.warning("ask.left_out", part=part, outcome=outcome, reason=str(error))
        return outcome

    def starts(self, name: str) -> float:
        self.tell(StageNews(name, "started"))
        return time.monotonic()

    def ends(self, name: str, begun: float, outcome: str) -> None:
        ms = round((time.monotonic() - begun) * 1000, 1)
        self.stages.append(Stage(name, ms, outcome))
        self.tell(StageNews(name, "done", ms, outcome))

    def tell(self, news: StageNews) -> None:
        if self.listener is not None:
            self.listener(news)

    @property
    def took_ms(self) -> int:
        return round((time.monotonic() - self.begun) * 1000)


async def limited(step: Coroutine[Any, Any, Value], limit_s: float) -> Value:
    """The step's value. Raises EngineTimeout when it takes longer; the step is then cancelled and forgotten."""
    task = asyncio.ensure_future(step)
    try:
        done, _pending = await asyncio.wait({task}, timeout=limit_s)
    except asyncio.CancelledError:
        forget(task)
        raise
    if not done:
        forget(task)
        raise EngineTimeout(_("It took longer than %(seconds).1f s.") % {"seconds": limit_s})
    return task.result()


async def following(events: AsyncGenerator[Value]) -> Value:
    """The next event, as a step."""
    return await anext(events)


async def close(events: AsyncGenerator[Any]) -> None:
    """Let a generator put down what it holds. One that hangs is still running its last step, and is left to that step's end."""
    with suppress(EngineTimeout, RuntimeError):
        await limited(events.aclose(), CLOSING_S)


def forget(task: "asyncio.Future[Any]") -> None:
    """Cancel without waiting; what it may still raise is nobody's concern."""
    ABANDONED.add(task)
    task.add_done_callback(_forgotten)
    task.cancel()


def _forgotten(task: "asyncio.Future[Any]") -> None:
    ABANDONED.discard(task)
    if not task.cancelled():
        task.exception()


# The loop keeps only weak references to tasks; these are kept until they have ended.
ABANDONED: set["asyncio.Future[Any]"] = set()

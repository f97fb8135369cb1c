"""Many calls in flight from a process that is not asynchronous: an event loop in a thread of its own. Answers come back to the caller's thread, which keeps the database."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from types import TracebackType
from typing import Any, Self, TypeVar

from ontology.model_reading.ask import Answer
from ontology.model_reading.question import Question

AHEAD = 2  # questions that wait in the loop for each that is in flight, so that a free place is taken at once
LOOKS_EVERY_S = 1.0

Result = TypeVar("Result")
Ask = Callable[[Question], Coroutine[Any, Any, Answer]]
MayAsk = Callable[[Question, bool], bool]


class Crew:
    """`with Crew(most) as crew:` Leaving ends the calls that are still in flight, then whatever `closing` lets go in the loop."""

    def __init__(self, most: int, *, closing: Callable[[], Awaitable[None]] | None = None) -> None:
        self.most = most
        self._closing = closing
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="model-calls", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.wait_for(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def wait_for(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Done in the loop, waited for here."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def answers(self, questions: Iterator[Question], ask: Ask, may_ask: MayAsk) -> Iterator[list[Answer]]:
        """As they come, several at once; an empty list now and then, so that the caller can look around.

        `may_ask(question, is_idle)` says whether one more may go now; it is asked again when others are back. What `ask` raises comes after the answers that came with it.
        """
        flying: set[Future[Answer]] = set()
        coming = next(questions, None)
        while coming or flying:
            while coming and len(flying) < AHEAD * self.most and may_ask(coming, not flying):
                flying.add(asyncio.run_coroutine_threadsafe(ask(coming), self._loop))
                coming = next(questions, None)
            done, flying = wait(flying, LOOKS_EVERY_S, FIRST_COMPLETED)
            yield [each.result() for each in done if each.exception() is None]
            for error in (each.exception() for each in done):
                if error:
                    raise error

    async def _end(self) -> None:
        mine = asyncio.current_task()
        others = [task for task in asyncio.all_tasks() if task is not mine]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        if self._closing:
            await self._closing()
        await self._loop.shutdown_asyncgens()

"""Two lanes to one model: questions go before passages. Given texts, gives their vectors when their turn has come.

Each lane has a thread. Questions are taken at once, beside the slice of passages that the model may be working on, and no further slice begins before they are
done; the passages' thread has a lower priority, so that the slice gives way. Work whose caller has gone is dropped. Each lane is bounded: what does not fit is
refused at once.
"""

import asyncio
import os
import sys
import threading
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from inference.ports import TextModel
from inference.types import TextKind, Vectors

ORDER: tuple[TextKind, ...] = ("query", "passage")
PASSAGES_NICER_BY = 5


class LaneFull(Exception):
    """More would wait than may; try again in `retry_after_s`."""

    def __init__(self, retry_after_s: int) -> None:
        super().__init__(retry_after_s)
        self.retry_after_s = retry_after_s


@dataclass(eq=False, slots=True)
class Job:
    """Texts of one request on their way through the model."""

    texts: Sequence[str]
    done: asyncio.Future[Vectors]
    vectors: list[Vectors] = field(default_factory=list)
    taken: int = 0

    @property
    def left(self) -> int:
        return 0 if self.done.done() else len(self.texts) - self.taken


class Lanes:
    """Made inside the running loop; `run` works until it is cancelled."""

    def __init__(self, model: TextModel, *, slice_texts: int, waiting_texts: int) -> None:
        self._model = model
        self._slice_texts = slice_texts
        self._waiting_texts = waiting_texts
        self._lanes: dict[TextKind, deque[Job]] = {kind: deque() for kind in ORDER}
        self._work = {kind: asyncio.Event() for kind in ORDER}
        self._no_questions = asyncio.Event()
        self._no_questions.set()
        self._threads = {
            "query": ThreadPoolExecutor(max_workers=1, thread_name_prefix="questions"),
            "passage": ThreadPoolExecutor(max_workers=1, thread_name_prefix="passages", initializer=be_nicer),
        }
        self._seconds_a_text = 0.05

    def waiting(self, kind: TextKind) -> int:
        """Texts in a lane that the model has not taken yet."""
        return sum(job.left for job in self._lanes[kind])

    async def vectors(self, texts: Sequence[str], kind: TextKind) -> Vectors:
        """Float32 of shape (len(texts), dims). Raises LaneFull at once. Cancelling it drops what the model has not taken."""
        waiting = self.waiting(kind)
        if waiting and waiting + len(texts) > self._waiting_texts:
            raise LaneFull(max(1, round(waiting * self._seconds_a_text)))
        job = Job(texts, asyncio.get_running_loop().create_future())
        self._lanes[kind].append(job)
        self._work[kind].set()
        if kind == "query":
            self._no_questions.clear()
        return await job.done

    async def run(self) -> None:
        """Feed the model from both lanes."""
        async with asyncio.TaskGroup() as feeders:
            for kind in ORDER:
                feeders.create_task(self._feed(kind))

    async def _feed(self, kind: TextKind) -> None:
        lane = self._lanes[kind]
        while True:
            await self._work[kind].wait()
            if kind == "passage":
                await self._no_questions.wait()
            await self._advance(kind, self._next_slice(lane))
            if not lane:
                self._work[kind].clear()
                if kind == "query":
                    self._no_questions.set()

    def _next_slice(self, lane: deque[Job]) -> list[tuple[Job, Sequence[str]]]:
        """Texts of one job or of several, as many as a slice holds; finished and abandoned jobs leave the lane."""
        parts: list[tuple[Job, Sequence[str]]] = []
        room = self._slice_texts
        while lane and room:
            job = lane[0]
            texts = job.texts[job.taken : job.taken + min(room, job.left)]
            job.taken += len(texts)
            room -= len(texts)
            if texts:
                parts.append((job, texts))
            if not job.left:
                lane.popleft()
        return parts

    async def _advance(self, kind: TextKind, parts: list[tuple[Job, Sequence[str]]]) -> None:
        texts = [text for _, some in parts for text in some]
        if not texts:
            return
        loop = asyncio.get_running_loop()
        begun = loop.time()
        try:
            found = await loop.run_in_executor(self._threads[kind], self._model.vectors, texts, kind)
        except (RuntimeError, ValueError, MemoryError) as error:
            for job, _ in parts:
                if not job.done.done():
                    job.done.set_exception(error)
            return
        self._seconds_a_text += ((loop.time() - begun) / len(texts) - self._seconds_a_text) / 10
        for job, some in parts:
            job.vectors.append(found[: len(some)])
            found = found[len(some) :]
            if not job.done.done() and sum(map(len, job.vectors)) == len(job.texts):
                job.done.set_result(np.concatenate(job.vectors))


def be_nicer() -> None:
    """Lower the priority of the calling thread and of the threads it will start. Linux gives each thread its own."""
    if sys.platform == "linux":
        thread = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + PASSAGES_NICER_BY)

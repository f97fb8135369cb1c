"""Events as they happen, from a part that writes and from one that only reports, in one stream that shows a sign of life when both are silent."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from typing import TypeVar

Event = TypeVar("Event")
Tell = Callable[[Event], None]


class Beat:
    """A sign of life: nothing happened for a while."""


async def live(
    events_of: Callable[[Tell[Event]], AsyncGenerator[Event]], *, beat_s: float
) -> AsyncGenerator[Event | Beat]:
    """What the generator yields and what it tells on the side, in order. Closing this closes the generator; its exception comes out at the end."""
    queue: asyncio.Queue[Event | None] = asyncio.Queue()
    writer = asyncio.ensure_future(_written(events_of(queue.put_nowait), queue))
    try:
        while True:
            try:
                event = await asyncio.wait_for(queue.get(), beat_s)
            except TimeoutError:
                yield Beat()
                continue
            if event is None:
                break
            yield event
        await writer
    finally:
        writer.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.wait({writer}, timeout=1)


async def _written(events: AsyncGenerator[Event], queue: "asyncio.Queue[Event | None]") -> None:
    try:
        async with aclosing(events) as stream:
            async for event in stream:
                queue.put_nowait(event)
    finally:
        queue.put_nowait(None)

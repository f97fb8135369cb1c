"""How many calls are in flight. Fewer when the engine can't keep up (503, 429, silence), one more after each round that went well, none while it asks to be left alone."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

LONGEST_PAUSE_S = 60.0
ONE_SIGN_S = 1.0


@dataclass(slots=True)
class Gate:
    """One event loop's. `most` is the setting; `limit` is what the engine bears at the moment."""

    most: int
    limit: int = 0
    flying: int = 0
    peak: int = 0
    well: int = 0
    closed_until: float = 0.0
    halved_at: float = float("-inf")
    _free: asyncio.Condition = field(default_factory=asyncio.Condition)

    def __post_init__(self) -> None:
        self.limit = self.most

    @asynccontextmanager
    async def passed(self) -> AsyncIterator[None]:
        """Through the gate for as long as one call lasts."""
        async with self._free:
            while self.flying >= self.limit:
                await self._free.wait()
            self.flying += 1
            self.peak = max(self.peak, self.flying)
        try:
            while (pause_s := self.closed_until - time.monotonic()) > 0:  # noqa: ASYNC110 - it may move meanwhile
                await asyncio.sleep(pause_s)
            yield
        finally:
            async with self._free:
                self.flying -= 1
                self._free.notify_all()

    def close_for(self, seconds: float) -> None:
        """Nobody passes for a while."""
        self.closed_until = max(self.closed_until, time.monotonic() + min(seconds, LONGEST_PAUSE_S))

    def too_many(self) -> None:
        """Half as many from now on, at least one. Calls that were refused together are one sign, not many."""
        now = time.monotonic()
        if now - self.halved_at > ONE_SIGN_S:
            self.limit, self.well, self.halved_at = max(1, min(self.limit, self.flying) // 2), 0, now

    def went_well(self) -> None:
        """After as many good calls as there may be at once, one more may be."""
        self.well += 1
        if self.well >= self.limit < self.most:
            self.limit, self.well = self.limit + 1, 0

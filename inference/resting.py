"""An engine that was silent until its limit is left alone for a while, so that one question waits for it and not every one."""

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(slots=True)
class Rest:
    """Counts from the last silence; `clock` gives seconds. The first call after the rest tries the engine again."""

    rest_s: float
    clock: Callable[[], float] = time.monotonic
    until: float = float("-inf")

    def begin(self) -> None:
        self.until = self.clock() + self.rest_s

    def end(self) -> None:
        """It has given a sign of life."""
        self.until = float("-inf")

    @property
    def is_on(self) -> bool:
        return self.clock() < self.until

    @property
    def left_s(self) -> float:
        """Seconds until it is tried again; 0 when it is not resting."""
        return max(0.0, self.until - self.clock())

"""What a look at one rule of the ledger found."""

from collections.abc import Callable
from dataclasses import dataclass

MOST_EXAMPLES = 10


@dataclass(frozen=True, slots=True)
class Finding:
    """How often a rule is broken, how many of these cases were mended, and some of them in words. `advice` says what to do where nothing mends by itself."""

    rule: str
    broken: int = 0
    mended: int = 0
    examples: tuple[str, ...] = ()
    advice: str = ""

    @property
    def is_well(self) -> bool:
        """Nothing is broken now."""
        return self.mended >= self.broken


Rule = Callable[[bool], Finding]
"""Looks, and mends what it can when it is asked to."""

"""What a storm over the ledger has done and found wrong."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from benchmarks.measure import say


@dataclass
class Tally:
    """What was done and what was found wrong."""

    kills: Counter[str] = field(default_factory=Counter)
    acknowledged: int = 0
    cut_off: int = 0
    refused: int = 0
    lost: int = 0
    doubled: int = 0
    out_of_step: int = 0
    left: int = 0
    starts: int = 0
    compared: int = 0
    examples: list[str] = field(default_factory=list)

    def compare(self, what: str, wanted: "Counter[Any]", found: "Counter[Any]") -> None:
        """Count what is missing and what is too much."""
        lost, doubled = wanted - found, found - wanted
        self.compared += wanted.total()
        self.lost += lost.total()
        self.doubled += doubled.total()
        for word, rest in (("lost", lost), ("doubled", doubled)):
            for each, count in rest.items():
                self.note(f"{word}: {what} {each} × {count}")

    def note(self, words: str) -> None:
        say(f"  !! {words}")
        self.examples.append(words)

"""A meter for tests that have no database: keeps what it is told."""

from dataclasses import dataclass, field

from inference.types import Usage


@dataclass
class ListMeter:
    """Plays Meter."""

    usages: list[Usage] = field(default_factory=list)

    def record(self, usage: Usage) -> None:
        self.usages.append(usage)

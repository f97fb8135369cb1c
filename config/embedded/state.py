"""What is remembered of a process that we started: its pid, when it began, and its ports, as one JSON file under `<data>/run`.

A pid alone proves nothing, since the system gives it out again; the process with that pid must also have begun at that time.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

START_TOLERANCE_S = 1.0


@dataclass(frozen=True, slots=True)
class RunState:
    """One process: `started` is its creation time in seconds since 1970, `ports` are its own, the main one first."""

    pid: int
    started: float
    ports: tuple[int, ...] = ()
    host: str = "127.0.0.1"

    @property
    def port(self) -> int:
        return self.ports[0]

    def is_alive(self) -> bool:
        """Whether this very process still runs; a zombie does not."""
        try:
            process = psutil.Process(self.pid)
            return (
                abs(process.create_time() - self.started) < START_TOLERANCE_S
                and process.status() != psutil.STATUS_ZOMBIE
            )
        except psutil.Error:
            return False


def state_file(data: Path, name: str) -> Path:
    """Where the state of the process called `name` is kept."""
    return data / "run" / f"{name}.json"


def read_state(data: Path, name: str) -> RunState | None:
    """The last known state, alive or not; None when there is none or the file is damaged."""
    try:
        kept = json.loads(state_file(data, name).read_text())
        return RunState(
            int(kept["pid"]), float(kept["started"]), tuple(int(port) for port in kept["ports"]), str(kept["host"])
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_state(data: Path, name: str, state: RunState) -> None:
    """Replace the state in one step, so that a reader never sees half of it."""
    target = state_file(data, name)
    fresh = target.with_suffix(".new")
    fresh.write_text(json.dumps(asdict(state)))
    fresh.replace(target)

"""The server that a storm rages on: `manage.py up` on a data folder of its own, its processes by what they are, and their sudden ends."""

import os
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import psutil

from benchmarks.measure import PROJECT, say
from config.embedded.state import read_state

READY_S = 240
PROGRAMS = {"worker": "indexing@", "projector": "short@", "beat": " beat "}
ENGINES = {"postmaster": "postgres", "valkey": "valkey", "graph": "graph"}
KINDS = (*PROGRAMS, *ENGINES, "postgres backend", "everything")
WEIGHTS = (6, 5, 1, 3, 3, 3, 4, 1)


class Server:
    """Started, killed in parts or whole, started again as an operator's init system would."""

    def __init__(self, data: Path, port: int) -> None:
        self.data, self.port = data, port
        self.up: subprocess.Popen[bytes] | None = None
        self.starts = 0

    def start(self) -> None:
        """Returns when it says that it is ready. Raises TimeoutError."""
        command = [sys.executable, "manage.py", "up", "--port", str(self.port)]
        log = self.data.parent / "up.log"
        with log.open("ab") as output:
            before = log.stat().st_size
            self.up = subprocess.Popen(command, cwd=PROJECT, stdout=output, stderr=output, start_new_session=True)
        self.starts += 1
        until = time.monotonic() + READY_S
        while b"is ready" not in log.read_bytes()[before:]:
            if self.up.poll() is not None or time.monotonic() > until:
                raise TimeoutError(f"The server did not start: {log.read_text(errors='replace')[-2000:]}")
            time.sleep(0.3)

    def keep_up(self) -> None:
        """Start it again when it has ended; its parts it starts itself."""
        if self.up is None or self.up.poll() is not None:
            say("  the server has ended and is started again")
            self.start()

    def stop(self) -> None:
        subprocess.run([sys.executable, "manage.py", "down"], cwd=PROJECT, check=False, stdout=subprocess.DEVNULL)
        if self.up is not None and self.up.poll() is None:
            self.up.kill()
        if self.up is not None:
            self.up.wait()

    def kill(self, kind: str, chance: random.Random) -> bool:
        """kill −9 for one of that kind, or for all; False when there is none at the moment."""
        found = self.everything() if kind == "everything" else self.of_kind(kind)
        if not found:
            return False
        for process in found if kind == "everything" else [chance.choice(found)]:
            try:
                process.kill()
            except psutil.Error:
                continue
        if kind == "everything" and self.up is not None:
            self.up.wait()
        return True

    def of_kind(self, kind: str) -> list[psutil.Process]:
        """Main processes and children alike."""
        if kind in ENGINES:
            return self.of_engine(ENGINES[kind])
        if kind == "postgres backend":
            return [one for main in self.of_engine("postgres") for one in below(main) if "trellis" in words(one)]
        return [one for one in self.supervised() if PROGRAMS[kind] in words(one)]

    def of_engine(self, name: str) -> list[psutil.Process]:
        state = read_state(self.data, name)
        return [psutil.Process(state.pid)] if state and state.is_alive() else []

    def supervised(self) -> list[psutil.Process]:
        return [one for main in self.of_engine("supervisor") for one in below(main)]

    def everything(self) -> list[psutil.Process]:
        """As when the power goes: the server first, so that it starts nothing again."""
        mine = [psutil.Process(self.up.pid)] if self.up is not None and self.up.poll() is None else []
        mains = [one for name in ("supervisor", *ENGINES.values()) for one in self.of_engine(name)]
        return [*mine, *mains, *(one for main in mains for one in below(main))]


def below(process: psutil.Process) -> list[psutil.Process]:
    try:
        found: Sequence[psutil.Process] = process.children(recursive=True)
    except psutil.Error:
        return []
    return list(found)


def words(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def environment(data: Path, embedder_url: str, embedder_key: str) -> dict[str, str]:
    """For the server and for who storms it. Stages may be tried often, since it is not their fault; leases are short, so that the storm is."""
    return {
        **os.environ,
        "TRELLIS_DATA_DIR": str(data),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "EMBEDDING_BASE_URL": embedder_url,
        "EMBEDDING_API_KEY": embedder_key,
        "EMBEDDING_PATIENCE_S": "5",
        "TRELLIS_ATTEMPTS": "50",
        "TRELLIS_LEASE_S": "10",
        "TRELLIS_HEARTBEAT_S": "2",
        "TRELLIS_SWEEP_S": "5",
        "TRELLIS_INDEXING_WORKERS": "1",
        "TRELLIS_SHORT_WORKERS": "1",
    }

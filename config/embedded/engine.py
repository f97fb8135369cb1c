"""What all embedded engines have in common: a server of its own in a folder of its own, on loopback, that outlives who started it.

Given the data folder; gives `start`, `stop`, `is_ready`, `url`, `version`. The server inherits a lock on its folder, so that the kernel knows whether it (or a
child of it) still runs, whatever became of our files. Who may stop it is decided in `sharing.py`.
"""

import os
import signal
import socket
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from enum import Enum, auto
from pathlib import Path
from typing import ClassVar

from common.errors import EngineUnavailable
from config.embedded.folders import private_folder
from config.embedded.locks import alone, open_lock, try_alone
from config.embedded.logs import log_file, log_tail
from config.embedded.processes import STRAYS_LEAVE_S, end, end_strays, runs, spawn
from config.embedded.secret_files import made_secret
from config.embedded.state import read_state, write_state

PORT_TRIES = 4
ORPHANS_LEAVE_S = 1.0  # children of a server that was killed notice it themselves


class Sign(Enum):
    """What a server says when it is asked whether it is ready."""

    READY = auto()
    STARTING = auto()  # it answers that it still recovers: as long as it says so, it is waited for
    SILENT = auto()


class Engine(ABC):
    """One embedded server. `start` and `stop` may be called by any process; the second start finds the first one's server."""

    name: ClassVar[str]
    title: ClassVar[str]
    port_count: ClassVar[int] = 1
    stop_signal: ClassVar[signal.Signals] = signal.SIGTERM
    silence_limit_s: ClassVar[float] = 90
    stop_limit_s: ClassVar[float] = 30

    def __init__(self, data: Path) -> None:
        self.data = data
        self.folder = data / self.name

    @property
    @abstractmethod
    def url(self) -> str:
        """The address, with the credentials where the protocol has a place for them."""

    @property
    @abstractmethod
    def version(self) -> str:
        """Version of the server program; known without starting it."""

    @abstractmethod
    def prepare(self) -> None:
        """Make what the server needs before its first start. The folder is ours alone meanwhile. Raises EngineUnavailable."""

    @abstractmethod
    def command(self, ports: Sequence[int]) -> list[str]:
        """The program and its arguments."""

    @abstractmethod
    def sign(self) -> Sign:
        """Ask the server, with its password, in a second or two."""

    def settle(self) -> None:  # noqa: B027 (most engines need nothing)
        """What has to be there in a server that has just become ready; may be called again."""

    def environment(self, ports: Sequence[int]) -> dict[str, str]:
        """Variables for the server, added to our own."""
        return {}

    @property
    def password(self) -> str:
        return made_secret(self.data, self.name)

    @property
    def ports(self) -> tuple[int, ...]:
        state = read_state(self.data, self.name)
        if state is None:
            raise EngineUnavailable(f"{self.title} has not been started in {self.data}.")
        return state.ports

    @property
    def port(self) -> int:
        return self.ports[0]

    def is_alive(self) -> bool:
        """Whether the server's process runs, ready or not."""
        return runs(read_state(self.data, self.name))

    def is_ready(self) -> bool:
        """Whether it answers with our password now."""
        return self.is_alive() and self.sign() is Sign.READY

    def start(self) -> None:
        """Return once it is ready, whoever started it. Raises EngineUnavailable with the end of its log."""
        with alone(self._lock("start")):
            if not (self.is_alive() and self._wait()):
                self._launch()
            self.settle()

    def stop(self) -> None:
        """End the server and what it left behind; the data stays."""
        with alone(self._lock("start")):
            if state := read_state(self.data, self.name):
                end(state, self.stop_signal, limit_s=self.stop_limit_s)
            end_strays(self.folder)

    def _lock(self, what: str) -> Path:
        return self.data / "run" / f"{self.name}.{what}"

    def _launch(self) -> None:
        private_folder(self.folder)
        held = open_lock(self.folder / "lock")
        try:
            if not try_alone(held, limit_s=ORPHANS_LEAVE_S):
                end_strays(self.folder)
                if not try_alone(held, limit_s=STRAYS_LEAVE_S):
                    raise EngineUnavailable(f"Another process uses {self.folder}. End it, then try again.")
            self.prepare()
            for _ in range(PORT_TRIES):
                self._spawn(held)
                if self._wait():
                    return
        finally:
            os.close(held)
        raise EngineUnavailable(f"{self.title} did not start. The end of {self._log}:\n{log_tail(self._log)}")

    def _spawn(self, held: int) -> None:
        last = read_state(self.data, self.name)
        ports = free_ports(last.ports if last else (), self.port_count)
        started = spawn(
            self.command(ports),
            folder=self.folder,
            log=self._log,
            environment=self.environment(ports),
            keeps=[held],
        )
        write_state(self.data, self.name, replace(started, ports=ports))

    def _wait(self) -> bool:
        """True once it is ready, False when it has ended. Raises EngineUnavailable when it says nothing for too long."""
        until = time.monotonic() + self.silence_limit_s
        while time.monotonic() < until:
            if not self.is_alive():
                return False
            sign = self.sign()
            if sign is Sign.READY:
                return True
            if sign is Sign.STARTING:
                until = time.monotonic() + self.silence_limit_s
            time.sleep(0.05)
        raise EngineUnavailable(
            f"{self.title} runs but has not answered for {self.silence_limit_s:.0f} s. Its log is {self._log}."
        )

    @property
    def _log(self) -> Path:
        return log_file(self.data, self.name)


def free_ports(wanted: Sequence[int], count: int) -> tuple[int, ...]:
    """That many free ports on loopback: the wanted ones as far as they are free, so that addresses stay."""
    found: list[int] = []
    sockets = []
    try:
        for port in [*wanted[:count], *[0] * (count - len(wanted))]:
            sockets.append(_bound(port))
            found.append(sockets[-1].getsockname()[1])
    finally:
        for bound in sockets:
            bound.close()
    return tuple(found)


def _bound(port: int) -> socket.socket:
    for wanted in (port, 0):
        bound = socket.socket()
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind(("127.0.0.1", wanted))
        except OSError:
            bound.close()
            continue
        return bound
    raise EngineUnavailable("No port is free on 127.0.0.1.")

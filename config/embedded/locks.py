"""Locks that the kernel keeps (flock): they end with the last process that holds them, however it ended."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from config.embedded.folders import private_folder


def open_lock(path: Path) -> int:
    """A descriptor for locking; the caller closes it, which also gives the lock back."""
    return os.open(private_folder(path.parent) / path.name, os.O_RDWR | os.O_CREAT, 0o600)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Wait until nobody else is in here, and keep everybody out."""
    descriptor = open_lock(path)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def try_alone(descriptor: int, *, limit_s: float = 0) -> bool:
    """Take the lock for oneself if that succeeds in time."""
    until = time.monotonic() + limit_s
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() >= until:
                return False
            time.sleep(0.05)


def share(descriptor: int) -> None:
    """Take the lock together with others, once nobody has it alone."""
    fcntl.flock(descriptor, fcntl.LOCK_SH)

"""Who holds a lease: a name for each process that no other ever has, by which it can be told whether it still lives, on this machine."""

import os
import socket
from functools import cache

import psutil


@cache
def _identity(pid: int) -> str:
    return f"{socket.gethostname()}:{pid}:{psutil.Process(pid).create_time():.2f}"


def this_worker() -> str:
    """A name for this process that no other process ever has."""
    return _identity(os.getpid())


def has_gone(worker: str) -> bool:
    """Whether a worker of this machine has certainly ended; of other machines nothing is known here."""
    host, _sep, rest = worker.partition(":")
    pid, _sep, _started = rest.partition(":")
    if host != socket.gethostname() or not pid.isdigit():
        return False
    try:
        process = psutil.Process(int(pid))
        return process.status() == psutil.STATUS_ZOMBIE or f"{host}:{pid}:{process.create_time():.2f}" != worker
    except psutil.NoSuchProcess:
        return True

"""Standard output whose reader goes before all is said, as `| head` does: the command ends like other tools, without a trace of Python's."""

import os
import select
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

UNREAD = 128 + signal.SIGPIPE
"""The exit code of a command that nobody reads any more, as a shell says it."""


@contextmanager
def ends_with_reader() -> Iterator[None]:
    """Raises SystemExit(UNREAD) in place of BrokenPipeError when it is our own output that nobody reads; any other broken pipe stays the fault that it is."""
    try:
        yield
        if sys.stdout:
            sys.stdout.flush()
    except (BrokenPipeError, SystemExit) as end:
        gone = [stream for stream in (sys.stdout, sys.stderr) if stream and is_unread(stream)]
        for stream in gone:
            discard(stream)
        if gone and isinstance(end, BrokenPipeError):
            raise SystemExit(UNREAD) from None
        raise


def is_unread(stream: TextIO) -> bool:
    """Whether it is a pipe whose other end is closed."""
    look = select.poll()
    look.register(stream.fileno(), 0)
    return any(seen & select.POLLERR for _file, seen in look.poll(0))


def discard(stream: TextIO) -> None:
    """What is still to be written goes nowhere, so that Python has nothing to complain of when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)

"""Who uses an engine. Each user holds a shared lock; the first one starts the engine, the last one to leave stops it.

The kernel gives up the lock of a user that is killed, so nobody is counted who is not there.
"""

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from config.embedded.engine import Engine
from config.embedded.locks import open_lock, share, try_alone

Item = TypeVar("Item")
ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def engines_in_use(engines: Sequence[Engine]) -> Iterator[None]:
    """Start what does not run yet, all at once; afterwards stop what nobody else uses. Raises EngineUnavailable."""
    users: list[tuple[Engine, int]] = []
    try:
        for engine in engines:
            users.append((engine, open_lock(users_file(engine.data, engine.name))))
            share(users[-1][1])  # waits while the one who was the last stops the engine
        _all_at_once(Engine.start, engines)
        yield
    finally:
        with undisturbed():
            _all_at_once(_leave, users)


def users_file(data: Path, name: str) -> Path:
    """The file whose lock the users of an engine share."""
    return data / "run" / f"{name}.users"


def has_users(engine: Engine) -> bool:
    """Whether some process, perhaps this one, uses the engine now."""
    users = open_lock(users_file(engine.data, engine.name))
    try:
        return not try_alone(users)
    finally:
        os.close(users)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Whoever presses Ctrl-C again waits for the clean end: nothing stays behind half stopped."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {end: signal.signal(end, signal.SIG_IGN) for end in ENDS}
    try:
        yield
    finally:
        for end, handler in before.items():
            signal.signal(end, handler)


def _leave(user: tuple[Engine, int]) -> None:
    engine, held = user
    try:
        if try_alone(held):
            engine.stop()
    finally:
        os.close(held)


def _all_at_once(act: Callable[[Item], None], items: Sequence[Item]) -> None:
    """Each in a thread of its own, since all of it is waiting; raises the first error when all are done."""
    with ThreadPoolExecutor(max_workers=max(len(items), 1)) as threads:
        list(threads.map(act, items))

"""The model that reads in this process. `config/wiring.py` says which; it is made when it is first needed."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from common.errors import Misconfigured
from inference.ports import ChatEngine


@dataclass(frozen=True, slots=True)
class Reader:
    """An engine; `let_go` closes what it holds in the running loop, `settle` returns when all that it used is on record."""

    engine: ChatEngine
    let_go: Callable[[], Awaitable[None]]
    settle: Callable[[], None]


_made: list[Callable[[], Reader]] = []


def bind(make: Callable[[], Reader]) -> None:
    """Say how the reader of this process is made."""
    _made[:] = [make]


def reader() -> Reader:
    """Raises Misconfigured when nobody has said."""
    if not _made:
        raise Misconfigured("Nobody has said which model reads: config.wiring binds that when the server starts.")
    return _made[0]()

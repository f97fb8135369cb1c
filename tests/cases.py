"""One test over many cases, where to arrange anew for each costs more than the case."""

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from django.db import transaction


def cases(
    names: str | Sequence[str], values: Sequence[Any], ids: Sequence[str] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Like `pytest.mark.parametrize` over fixtures made once: what a case does to the database is undone before the next. Not for tests with transactions of their own."""
    wanted = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)

    def decorated(test: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(test)

        @wraps(test)
        def over_all(**fixtures: Any) -> None:
            for number, value in enumerate(values):
                given = dict(zip(wanted, (value,) if len(wanted) == 1 else value, strict=True))
                try:
                    with transaction.atomic():
                        test(**fixtures, **given)
                        transaction.set_rollback(True)
                except BaseException as error:
                    error.add_note(f"case {ids[number] if ids else number}: {given!r}")
                    raise

        left = [parameter for name, parameter in signature.parameters.items() if name not in wanted]
        over_all.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        del over_all.__wrapped__  # type: ignore[attr-defined]
        return over_all

    return decorated

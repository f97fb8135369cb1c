#!/usr/bin/env python
"""The command line. Before Django reads its settings, the engines that the command needs are taken: a running one is used, else it is started for the command."""

import os
import signal
import sys
from types import FrameType

from common.errors import EngineUnavailable, Misconfigured
from common.standard_output import ends_with_reader
from config.conf import server_settings
from config.embedded.engine import Engine
from config.embedded.needs import engines_needed, gguf_named, wants_schema
from config.embedded.registry import embedded_engines
from config.embedded.sharing import engines_in_use

WRONG_USE, ENGINE_MISSING = 2, 3


def main() -> int:
    """The exit code; most commands leave by SystemExit with their own."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    for end in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(end, _leave)  # by the way of all exits, so that engines are given back
    try:
        with ends_with_reader(), engines_in_use(_engines(sys.argv[1:])):
            return _run()
    except EngineUnavailable as error:
        print(error, file=sys.stderr)  # noqa: T201
        return ENGINE_MISSING
    except Misconfigured as error:
        print(error, file=sys.stderr)  # noqa: T201
        return WRONG_USE
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


def _engines(arguments: list[str]) -> list[Engine]:
    return embedded_engines(server_settings().data, engines_needed(arguments), gguf_named(arguments))


def _run() -> int:
    from django.core.management import execute_from_command_line

    try:
        if wants_schema(sys.argv[1:]):
            _bring_schema_up_to_date()
        execute_from_command_line(sys.argv)
    finally:
        _close_connections()
    return 0


def _bring_schema_up_to_date() -> None:
    import django

    django.setup()
    from config.schema import bring_up_to_date

    bring_up_to_date(server_settings().data)


def _close_connections() -> None:
    """Before the last user of the database stops it."""
    from django.conf import settings
    from django.db import connections

    if settings.configured:
        for connection in connections.all(initialized_only=True):
            connection.close()
            if close_pool := getattr(connection, "close_pool", None):
                close_pool()


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


if __name__ == "__main__":
    sys.exit(main())

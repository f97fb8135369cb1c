"""`manage.py status`: does the server answer, and does each engine. Exit code 0 when all is ready, 1 when the server isn't, 3 when an engine is missing."""

import json
import sys
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from config.conf import server_settings
from config.embedded.http import status_of
from config.embedded.state import read_state
from config.engine_status import engine_statuses
from config.serve import NAME

NOT_READY, ENGINE_MISSING = 1, 3


class Command(BaseCommand):
    help = "Say whether the server and its engines are ready."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="one JSON object on standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        settings = server_settings()
        state = read_state(settings.data, NAME)
        here = (state.host, state.port) if state and state.is_alive() else (settings.host, settings.port)
        engines = engine_statuses(settings.data)
        ready = all(engine.ready for engine in engines) and status_of(here[1], "/health/ready", {}, host=here[0]) == 200
        url = settings.public_url or "http://{}:{}/".format(*here)
        if options["json"]:
            report = {"ready": ready, "url": url, "engines": [asdict(engine) for engine in engines]}
            self.stdout.write(json.dumps(report, ensure_ascii=False))
        else:
            self.stdout.write(f"{url} {'is ready' if ready else 'is not ready'}")
            for engine in engines:
                word = "ready" if engine.ready else "not running" if engine.kind == "embedded" else "does not answer"
                self.stdout.write(
                    f"  {engine.name:10} {engine.kind:9} {word:12} {engine.version:16} {engine.url}".rstrip()
                )
        if not ready:
            sys.exit(NOT_READY if all(engine.ready for engine in engines) else ENGINE_MISSING)

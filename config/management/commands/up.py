"""`manage.py up`: the whole server. `manage.py` has taken the engines and migrated; `config.serve` does the rest."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.checks import Tags
from django.core.management.base import BaseCommand

from common.commands import whole_number
from config.conf import server_settings
from config.serve import Server

PORT_MAX = 65535


class Command(BaseCommand):
    requires_system_checks = (Tags.security,)
    help = "Start the server with everything it needs, and keep it running until Ctrl-C."

    def add_arguments(self, parser: ArgumentParser) -> None:
        settings = server_settings()
        parser.add_argument("--host", default=settings.host, help="address to listen on (TRELLIS_HOST)")
        parser.add_argument(
            "--port", type=whole_number(most=PORT_MAX), default=settings.port, help="port to listen on (TRELLIS_PORT)"
        )
        parser.add_argument("--demo", action="store_true", help="load the demo on the first run and wait for it")
        parser.add_argument("--gguf", type=Path, help="GGUF file that an embedded llama.cpp serves")

    def handle(self, *args: Any, **options: Any) -> None:
        server = Server(
            server_settings(), host=options["host"], port=options["port"], gguf=options["gguf"], say=self._say
        )
        server.run(with_demo=options["demo"])

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()

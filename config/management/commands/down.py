"""`manage.py down`: end the server that runs in another terminal, and what a killed one left behind."""

import signal
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from config.conf import server_settings
from config.embedded.processes import end
from config.embedded.registry import embedded_engines
from config.embedded.sharing import has_users
from config.embedded.state import read_state
from config.serve import NAME
from config.supervised import Supervisor

LIMIT_S = 90  # the server drains, then its engines write what they hold


class Command(BaseCommand):
    help = "End the server on this data folder."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        data = server_settings().data
        server = read_state(data, NAME)
        was_up = server is not None and server.is_alive()
        if server is not None:
            end(server, signal.SIGTERM, limit_s=LIMIT_S)
        Supervisor(data).stop()
        for engine in embedded_engines(data, gguf=Path()):  # ending a model needs no file
            if has_users(engine):
                self.stderr.write(f"{engine.title} is still used by another command.")
            else:
                engine.stop()
        self.stdout.write("The server has ended." if was_up else "No server was running.")

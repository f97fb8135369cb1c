"""llama.cpp from the extra `llama` (`xllamacpp`): serves one GGUF file behind OpenAI's protocol, in a process of its own."""

import sys
from collections.abc import Sequence
from pathlib import Path

import psutil

from common.errors import EngineUnavailable
from config.embedded import llama_server
from config.embedded.addresses import embedded_model_address
from config.embedded.engine import Engine, Sign
from config.embedded.http import bearer, status_of
from config.embedded.secret_files import secret_file
from config.embedded.state import read_state
from config.embedded.wheels import wheel_file, wheel_version

INSTEAD = "Run `uv sync --extra llama`, or set LLM_BASE_URL to a server."


class LlamaEngine(Engine):
    """Listens on loopback, wants our key. Who finds one running uses it, whatever file it serves; `up` then sees to its own."""

    name = "llama"
    title = "The model (llama.cpp)"

    def __init__(self, data: Path, gguf: Path) -> None:
        super().__init__(data)
        self.gguf = gguf

    @property
    def url(self) -> str:
        return embedded_model_address(self.data, self.name).url

    @property
    def version(self) -> str:
        return wheel_version("xllamacpp")

    def prepare(self) -> None:
        assert self.password  # makes the file that the server reads
        wheel_file("xllamacpp", "__init__.py", instead=INSTEAD)
        try:
            with self.gguf.open("rb") as file:
                is_model = file.read(4) == b"GGUF"
        except OSError as error:
            raise EngineUnavailable(f"The model {self.gguf} can't be read: {error.strerror}.") from None
        if not is_model:
            raise EngineUnavailable(f"{self.gguf} is not a GGUF file.")

    def command(self, ports: Sequence[int]) -> list[str]:
        key = secret_file(self.data, self.name)
        return [sys.executable, "-I", llama_server.__file__, str(self.gguf), str(ports[0]), str(key)]

    def serves_another(self) -> bool:
        """Whether the running server was started with another file."""
        state = read_state(self.data, self.name)
        return state is not None and self.is_alive() and str(self.gguf) not in psutil.Process(state.pid).cmdline()

    def sign(self) -> Sign:
        return Sign.READY if status_of(self.port, "/v1/models", bearer(self.password)) == 200 else Sign.SILENT

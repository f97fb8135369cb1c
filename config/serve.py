"""What `manage.py up` does once the engines are there: programs under a supervisor, the demo, what to open, and watching until the end.

Given where to listen; returns when it was told to end (SIGINT or SIGTERM), with every program it started ended.
"""

import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import psutil

from common.errors import EngineUnavailable, Misconfigured
from config.administrator import administrator_line
from config.conf import ServerSettings
from config.demo import load_demo, suggested_questions
from config.embedded.addresses import llm_address
from config.embedded.engine import Engine
from config.embedded.http import near_host, status_of
from config.embedded.llama import LlamaEngine
from config.embedded.locks import open_lock, try_alone
from config.embedded.logs import log_file, log_tail, rotate
from config.embedded.registry import embedded_engines
from config.embedded.sharing import ENDS, has_users
from config.embedded.state import RunState, read_state, state_file, write_state
from config.exposure import refuse_exposure
from config.pages import collect_static
from config.supervised import Supervisor, programs

NAME = "up"
READY_LIMIT_S = 180
LOOKS_EVERY_S = 1.0


class Server:
    """One running server on one data folder."""

    def __init__(
        self, settings: ServerSettings, *, host: str, port: int, gguf: Path | None, say: Callable[[str], None]
    ) -> None:
        self.settings = settings
        self.data = settings.data
        self.host, self.port = host, port
        self.say = say
        self.engines = embedded_engines(self.data, gguf=gguf)
        self.supervisor = Supervisor(self.data)
        self.environment = {"TRELLIS_HOST": host, "TRELLIS_PORT": str(port), "TRELLIS_DATA_DIR": str(self.data)}
        if gguf:
            self.environment["TRELLIS_GGUF"] = str(gguf.expanduser().resolve())

    @property
    def url(self) -> str:
        """What a browser on this machine opens."""
        return f"http://{self._near_host}:{self.port}/"

    def run(self, *, with_demo: bool) -> None:
        """Serve until told to end. Raises Misconfigured or EngineUnavailable when it can't."""
        with self._only_one(), _ended_by_signal():
            try:
                administrator = self._prepare()
                self.supervisor.start(programs(self.data, self.settings), self.environment)
                self._wait_until_ready()
                suggested = self._load_demo() if with_demo else []
                self._tell(suggested, administrator)
                self._watch()
            finally:
                for end in ENDS:
                    signal.signal(end, signal.SIG_IGN)  # whoever presses Ctrl-C again waits for the clean end
                self.supervisor.stop()

    def _prepare(self) -> str | None:
        self._end_leftovers()
        self._refuse_taken_port()
        administrator = administrator_line(self.data)
        refuse_exposure(self.host)
        if collect_static():
            self.say("Collected the pages' files.")
        return administrator

    def _end_leftovers(self) -> None:
        """What an earlier `up` left behind when it was killed; also its model, which would be asked although this one serves none or another."""
        self.supervisor.stop()
        ours = {engine.name: engine for engine in self.engines}
        for engine in embedded_engines(self.data, ("llama",), gguf=Path()):
            if engine.name not in ours and not has_users(engine):
                engine.stop()
        model = ours.get("llama")
        if isinstance(model, LlamaEngine) and model.serves_another():
            model.stop()
            model.start()

    def _wait_until_ready(self) -> None:
        until = time.monotonic() + READY_LIMIT_S
        while time.monotonic() < until:
            if status_of(self.port, "/health/ready", {}, host=self._near_host) == 200:
                return
            if self.supervisor.has_given_up() or not self.supervisor.is_alive():
                break
            time.sleep(0.2)
        logs = "\n".join(
            f"{log}:\n{log_tail(log)}"
            for log in (self.supervisor.output, self.supervisor.log, log_file(self.data, "web"))
        )
        raise EngineUnavailable(f"The server did not become ready. The ends of its logs:\n{logs}")

    def _load_demo(self) -> list[str]:
        self.say("Loading the demo …")
        demo = load_demo(self.environment)
        if demo.fault:
            self.say(f"The demo is not as it should be: {demo.fault}")
        return suggested_questions() if demo.is_there else []

    def _tell(self, suggested: list[str], administrator: str | None) -> None:
        self.say(f"Trellis is ready: {self.url}")
        for question in suggested:
            self.say(f"Try: {question}")
        if self.settings.public_url:
            self.say(f"Behind its proxy: {self.settings.public_url}")
        if administrator:
            self.say(administrator)
        self.say(
            f"Answers are {'written by the model' if llm_address() else 'excerpts: no model is set (--gguf FILE, or LLM_BASE_URL)'}."
        )
        self.say("Ctrl-C ends it.")

    def _watch(self) -> None:
        told = False
        while self.supervisor.is_alive():
            time.sleep(LOOKS_EVERY_S)
            for engine in self.engines:
                rotate(log_file(self.data, engine.name))
                if not engine.is_alive():
                    self._start_again(engine)
            if not told and self.supervisor.has_given_up():
                self.say(f"A program ended again and again and is left out: see {self.supervisor.log}.")
                told = True
        raise EngineUnavailable(f"The supervisor has ended. The end of its log:\n{log_tail(self.supervisor.log)}")

    def _start_again(self, engine: Engine) -> None:
        self.say(f"{engine.title} has ended; starting it again.")
        before = engine.ports
        try:
            engine.start()
        except EngineUnavailable as error:
            self.say(str(error))
            return
        if engine.ports != before:  # somebody took its port meanwhile, and the programs know the old one
            self.supervisor.stop()
            self.supervisor.start(programs(self.data, self.settings), self.environment)

    def _refuse_taken_port(self) -> None:
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((self.host, self.port))
            except OSError as error:
                raise Misconfigured(
                    f"The server can't listen on {self.host}:{self.port} ({error.strerror}). Choose another with --port."
                ) from None

    @contextmanager
    def _only_one(self) -> Iterator[None]:
        lock = open_lock(self.data / "run" / f"{NAME}.lock")
        try:
            if not try_alone(lock):
                other = read_state(self.data, NAME)
                where = f" (pid {other.pid}, port {other.port})" if other and other.ports else ""
                raise Misconfigured(f"A server already runs on {self.data}{where}. End it with `manage.py down`.")
            mine = psutil.Process()
            write_state(self.data, NAME, RunState(mine.pid, mine.create_time(), (self.port,), self._near_host))
            yield
            state_file(self.data, NAME).unlink(missing_ok=True)
        finally:
            os.close(lock)

    @property
    def _near_host(self) -> str:
        return near_host(self.host)


@contextmanager
def _ended_by_signal() -> Iterator[None]:
    """What is inside ends with the first SIGINT, SIGTERM or SIGHUP, and that is a success."""
    for end in ENDS:
        signal.signal(end, _interrupt)
    try:
        yield
    except KeyboardInterrupt:
        return


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt

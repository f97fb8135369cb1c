"""`manage.py up` as an operator lives with it: it says what to open, is used by commands, mends its engines, and leaves nothing behind."""

import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from django.core.management import call_command

from config.conf import PROJECT, ServerSettings
from config.embedded.state import read_state

pytestmark = [pytest.mark.engine, pytest.mark.timeout(600)]

LIMIT_S = 240
ENGINES = ("postgres", "valkey", "graph", "embedder")


class Up:
    """One data folder and the server on it."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.output = data.parent / "output.txt"
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Return when it says that it is ready."""
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "up", "--port", str(self.port)],
                cwd=PROJECT,
                env=self.environment(),
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        wait_until(lambda: self.says("Trellis is ready") or self.has_ended())
        assert not self.has_ended(), self.output.read_text()

    def end(self, how: signal.Signals = signal.SIGINT) -> int:
        """The exit code."""
        assert self.process
        self.process.send_signal(how)
        return self.process.wait(LIMIT_S)

    def manage(self, *arguments: str, **variables: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=PROJECT,
            env=self.environment(**variables),
            capture_output=True,
            text=True,
            check=False,
            timeout=LIMIT_S,
        )

    def environment(self, **variables: str) -> dict[str, str]:
        few = {"TRELLIS_INDEXING_WORKERS": "1", "TRELLIS_SHORT_WORKERS": "1"}
        return {**os.environ, **few, "TRELLIS_DATA_DIR": str(self.data), **variables}

    def says(self, words: str) -> bool:
        return words in self.output.read_text()

    def has_ended(self) -> bool:
        return self.process is None or self.process.poll() is not None

    def is_ready(self) -> bool:
        try:
            return httpx.get(f"http://127.0.0.1:{self.port}/health/ready", timeout=5).status_code == 200
        except httpx.HTTPError:
            return False

    def left(self) -> list[str]:
        """Processes that work in the data folder."""
        found = []
        for process in psutil.process_iter(["cwd", "cmdline", "status"]):
            cwd = process.info["cwd"]
            if cwd and Path(cwd).is_relative_to(self.data) and process.info["status"] != psutil.STATUS_ZOMBIE:
                found.append(" ".join(process.info["cmdline"]))
        return found


def wait_until(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + LIMIT_S
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.1)


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    server = Up(tmp_path_factory.mktemp("server") / "our data, 100% 资料")
    yield server
    if not server.has_ended():
        server.end()
    assert server.left() == []


@pytest.fixture
def server(one: Up) -> Up:
    """The server, running."""
    if one.has_ended():
        one.start()
    return one


def test_it_says_what_to_open_and_how_to_sign_in(server: Up) -> None:
    said = server.output.read_text()
    assert f"Trellis is ready: http://127.0.0.1:{server.port}/\n" in said
    password = re.search(r"^Administrator: admin  password: (\S+)$", said, re.MULTILINE)
    assert password
    kept = server.data / "secrets" / "administrator_password"
    assert kept.read_text() == password[1]
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_health_tells_whether_it_lives_and_serves(server: Up) -> None:
    live = httpx.get(f"http://127.0.0.1:{server.port}/health/live")
    ready = httpx.get(f"http://127.0.0.1:{server.port}/health/ready")
    assert (live.status_code, ready.status_code) == (200, 200)
    assert ready.json() == {"ready": True, "missing": []}


def test_status_names_every_engine(server: Up) -> None:
    told = server.manage("status", "--json")
    status = json.loads(told.stdout)
    assert (told.returncode, status["ready"]) == (0, True)
    assert status["url"] == f"http://127.0.0.1:{server.port}/"
    assert {engine["name"]: engine["ready"] for engine in status["engines"]} == dict.fromkeys(ENGINES, True)
    assert "@" not in told.stdout


def test_the_doctor_finds_nothing_wrong(server: Up) -> None:
    """Also right after the start: it waits for workers that are on their way."""
    report: dict[str, Any] = json.loads(server.manage("doctor", "--json").stdout)

    assert [check for check in report["checks"] if not check["ok"]] == []
    assert report["ok"]
    assert {"pgvector:version", "queue:indexing", "queue:short", "vectors", "disk", "secret_key"} <= {
        check["name"] for check in report["checks"]
    }


def test_a_second_one_on_the_same_data_is_refused_and_leaves_the_engines_running(server: Up) -> None:
    """It uses them before it is refused: the schema is looked at first."""
    before = {name: read_state(server.data, name) for name in ENGINES}
    done = server.manage("up", "--port", "1")
    assert done.returncode == 2
    assert "manage.py down" in done.stderr
    assert {name: read_state(server.data, name) for name in ENGINES} == before
    assert server.is_ready()


def test_an_engine_that_is_killed_comes_back_with_the_same_address(server: Up) -> None:
    before = read_state(server.data, "valkey")
    assert before
    psutil.Process(before.pid).kill()
    wait_until(lambda: server.says("Valkey has ended") and server.is_ready())
    after = read_state(server.data, "valkey")
    assert after
    assert (after.ports, after.pid != before.pid) == (before.ports, True)


def test_what_a_killed_one_left_behind_is_ended_by_the_next(server: Up) -> None:
    supervisor = read_state(server.data, "supervisor")
    assert supervisor
    assert server.end(signal.SIGKILL) == -signal.SIGKILL
    assert supervisor.is_alive()

    server.start()
    assert not supervisor.is_alive()
    assert server.is_ready()
    assert server.says("administrator_password until you change it")


def test_down_ends_it_from_another_terminal(server: Up) -> None:
    assert server.manage("down").returncode == 0
    assert server.process
    assert server.process.wait(LIMIT_S) == 0
    assert server.left() == []


def test_without_it_status_says_so_by_its_exit_code(one: Up) -> None:
    if not one.has_ended():
        one.end()
    told = one.manage("status", "--json")
    assert told.returncode == 3
    assert not json.loads(told.stdout)["ready"]


def test_without_it_the_doctor_has_advice(
    one: Up, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not one.has_ended():
        one.end()
    monkeypatch.setenv("TRELLIS_DATA_DIR", str(one.data))
    monkeypatch.setattr("config.management.commands.doctor.server_settings", ServerSettings)
    with pytest.raises(SystemExit) as ended:
        call_command("doctor", "--json")
    report = json.loads(capsys.readouterr().out)
    assert (ended.value.code, report["ok"]) == (3, False)
    assert all(check["advice"] for check in report["checks"] if not check["ok"])


def test_it_does_not_listen_beyond_loopback_with_a_poor_key(one: Up) -> None:
    if not one.has_ended():
        one.end()
    elsewhere = {"NEO4J_URI": "bolt://127.0.0.1:1", "EMBEDDING_BASE_URL": "http://127.0.0.1:1/v1"}  # not started then
    done = one.manage("up", "--host", "0.0.0.0", "--port", str(one.port), TRELLIS_SECRET_KEY="changeme", **elsewhere)
    assert done.returncode == 2
    assert "TRELLIS_SECRET_KEY" in done.stderr
    assert one.left() == []

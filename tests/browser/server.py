"""A whole server of its own for a browser to look at: `manage.py up` on a free port, with its data in a temporary folder."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil
from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parents[2]
STOP_S = 120


END = "ended: "
RUN_EACH = f"""
import json, sys, traceback
for line in sys.stdin:
    fault = None
    try:
        exec(json.loads(line), {{}})
    except BaseException:
        fault = traceback.format_exc()
    print({END!r} + json.dumps(fault), flush=True)
"""


class Shell:
    """A `manage.py shell` that stays: each command of its own would take seconds to start."""

    def __init__(self, data: str) -> None:
        self.data = data
        self.process: subprocess.Popen[str] | None = None

    def run(self, program: str) -> None:
        """Returns when the program has ended."""
        if self.process is None:
            command = [sys.executable, "manage.py", "shell", "-v0", "-c", RUN_EACH]
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=environment(self.data), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        assert self.process.stdin
        assert self.process.stdout
        print(json.dumps(program), file=self.process.stdin, flush=True)
        ended = next((line for line in self.process.stdout if line.startswith(END)), f'{END}"The shell has ended."')
        if fault := json.loads(ended.removeprefix(END)):
            raise RuntimeError(fault)

    def close(self) -> None:
        if self.process:
            self.process.communicate(timeout=STOP_S)


@dataclass(frozen=True, slots=True)
class Server:
    """Where to look, and as whom; a shell on its data where it is our own."""

    url: str
    name: str
    password: str
    shell: Shell | None = None

    def run(self, program: str) -> None:
        """In `manage.py shell`."""
        assert self.shell
        self.shell.run(program)

    def ingest(self, path: Path, kb: str) -> None:
        """A file or folder into a knowledge base, which is made where there is none; returns when it is read."""
        self.run(
            f"from django.core.management import call_command\ncall_command('ingest', {str(path)!r}, kb={kb!r}, create=True, wait=True)"
        )


def environment(data: str) -> dict[str, str]:
    return {**os.environ, "TRELLIS_DATA_DIR": data}


@contextmanager
def own_server(*options: str) -> Iterator[Server]:
    """From nothing, with the options of `up`. Ctrl-C ends it well, and every process of it is gone afterwards."""
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "manage.py", "up", "--port", str(free_port()), *options]
        shell = Shell(data)
        with subprocess.Popen(command, cwd=ROOT, env=environment(data), stdout=subprocess.PIPE, text=True) as process:
            try:
                yield told_by(process, shell)
            finally:
                shell.close()
                process.send_signal(signal.SIGINT)
                process.communicate(timeout=STOP_S)
        assert process.returncode == 0
        assert left(data) == []


def left(data: str) -> list[str]:
    """Processes that work in the data folder."""
    found = []
    for process in psutil.process_iter(["cwd", "cmdline", "status"]):
        cwd = process.info["cwd"]
        if cwd and Path(cwd).is_relative_to(data) and process.info["status"] != psutil.STATUS_ZOMBIE:
            found.append(" ".join(process.info["cmdline"]))
    return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def told_by(process: "subprocess.Popen[str]", shell: Shell) -> Server:
    """Reads what `up` prints until it has said where it is and who may sign in."""
    printed = ""
    for line in process.stdout or ():
        printed += line
        url = re.search(r"ready: (http\S+)", printed)
        person = re.search(r"Administrator: (\S+)\s+password: (\S+)", printed)
        if url and person:
            return Server(url[1].rstrip("/"), person[1], person[2], shell)
    raise RuntimeError(f"The server ended before it was ready: {printed}")


def sign_in(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/accounts/login/")
    page.fill("#id_login", server.name)
    page.fill("#id_password", server.password)
    page.click("main button[type=submit], main form .button--primary")
    page.wait_for_selector("#question")


def cookies_of(server: Server) -> list[dict[str, str]]:
    """Of the administrator, signed in without a browser, for one to begin with."""
    with httpx.Client(base_url=server.url, follow_redirects=True) as client:
        client.get("/accounts/login/")
        form = {
            "login": server.name,
            "password": server.password,
            "csrfmiddlewaretoken": client.cookies["csrftoken"],
        }
        client.post("/accounts/login/", data=form, headers={"Referer": server.url}).raise_for_status()
        return [{"name": name, "value": value, "url": server.url} for name, value in client.cookies.items()]

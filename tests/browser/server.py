"""A whole server of its own for a browser to look at: `manage.py up` on a free port, with its data in a temporary folder."""

import os
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parents[2]
STOP_S = 120


@dataclass(frozen=True, slots=True)
class Server:
    """Where to look, and as whom."""

    url: str
    name: str
    password: str
    data: str = ""

    def manage(self, *arguments: str) -> str:
        """Run a command of `manage.py` on this server's data; gives what it printed."""
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, cwd=ROOT, env=environment(self.data), check=True, capture_output=True, text=True)
        return done.stdout


def environment(data: str) -> dict[str, str]:
    return {**os.environ, "TRELLIS_DATA_DIR": data}


@contextmanager
def own_server(*options: str) -> Iterator[Server]:
    """From nothing, with the options of `up`; every process of it is gone afterwards."""
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "manage.py", "up", "--port", str(free_port()), *options]
        with subprocess.Popen(command, cwd=ROOT, env=environment(data), stdout=subprocess.PIPE, text=True) as process:
            try:
                yield told_by(process, data)
            finally:
                process.terminate()
                process.communicate(timeout=STOP_S)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def told_by(process: "subprocess.Popen[str]", data: str) -> Server:
    """Reads what `up` prints until it has said where it is and who may sign in."""
    printed = ""
    for line in process.stdout or ():
        printed += line
        url = re.search(r"ready: (http\S+)", printed)
        person = re.search(r"Administrator: (\S+)\s+password: (\S+)", printed)
        if url and person:
            return Server(url[1].rstrip("/"), person[1], person[2], data)
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
        form = {"login": server.name, "password": server.password, "csrfmiddlewaretoken": client.cookies["csrftoken"]}
        client.post("/accounts/login/", data=form, headers={"Referer": server.url}).raise_for_status()
        return [{"name": name, "value": value, "url": server.url} for name, value in client.cookies.items()]

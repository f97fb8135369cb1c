"""From a bare clone to the first cited answer, and again the second time (goal S7). The clone has an empty home, so that everything is fetched and made anew.

Seconds, because the goal is in seconds; they depend on the network and on what else the machine does, and gate nothing.
"""

import argparse
import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks.measure import PROJECT, Figure, say, write

PATIENCE_S = 600
FIRST_S, SECOND_S = 180, 15


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def answered_after(clone: Path, environment: dict[str, str]) -> float:
    """Seconds from `make run` to a cited answer to its first question; the server is ended again. Raises RuntimeError when there is none."""
    begun = time.perf_counter()
    log = clone.parent / "run.log"
    with log.open("w") as output:
        server = subprocess.Popen(
            ["make", "run", f"PORT={free_port()}"],
            cwd=clone,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        question = first_question(log, server)
        command = [str(clone / ".venv" / "bin" / "python"), "manage.py", "ask", question, "--kb", "demo", "--json"]
        done = subprocess.run(command, cwd=clone, env=environment, stdout=subprocess.PIPE, text=True, check=True)
        if not json.loads(done.stdout)["citations"]:
            raise RuntimeError(f"no citation: {done.stdout[:300]}")
        return time.perf_counter() - begun
    finally:
        os.killpg(server.pid, signal.SIGINT)
        server.wait(60)


def first_question(log: Path, server: subprocess.Popen[bytes]) -> str:
    """The first `Try:` line, once the server says that it is ready."""
    for _ in range(PATIENCE_S * 5):
        text = log.read_text(errors="replace")
        if "Trellis is ready:" in text and (found := re.search(r"Try: (.*)", text)):
            return found[1]
        if server.poll() is not None:
            break
        time.sleep(0.2)
    raise RuntimeError(f"the server did not come up: {log.read_text(errors='replace')[-600:]}")


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_known_args()
    with tempfile.TemporaryDirectory(prefix="trellis-bench-") as folder:
        clone, home = Path(folder) / "clone", Path(folder) / "home"
        home.mkdir()
        subprocess.run(["git", "clone", "-q", str(PROJECT), str(clone)], check=True)
        dropped = ("VIRTUAL_ENV", "PYTHONPATH", "UV_PROJECT_ENVIRONMENT", "TRELLIS_DATA_DIR")
        kept = {name: value for name, value in os.environ.items() if name not in dropped}
        environment = {
            **kept,
            "HOME": str(home),
            "XDG_CACHE_HOME": str(home / ".cache"),
            "UV_CACHE_DIR": str(home / "uv"),
        }
        say("first run of a bare clone")
        first = answered_after(clone, environment)
        say("second run")
        second = answered_after(clone, environment)
    write(Figure("first cited answer from a bare clone", round(first, 1), "s", f"≤ {FIRST_S}", first <= FIRST_S))
    write(Figure("first cited answer the second time", round(second, 1), "s", f"≤ {SECOND_S}", second <= SECOND_S))


if __name__ == "__main__":
    main()

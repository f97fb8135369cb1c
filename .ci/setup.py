"""Sets the project up, with nothing but Python: fetches uv where it is missing, then installs what the lock names into .venv. Does nothing when that is done.

uv does not read pip's configuration, so an index that is set there is handed to it. Nothing is ever compiled, and no Python is downloaded.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
TOOLS = PROJECT / ".tools"
STAMP = PROJECT / ".venv" / "synced"
OLDEST_UV = (0, 8)
WHAT = ("--group", "dev", "--extra", "llama")


def main() -> None:
    """Leaves .venv as the lock says."""
    wanted = hashlib.sha256(
        (PROJECT / "uv.lock").read_bytes() + repr((WHAT, sys.version_info[:2])).encode()
    ).hexdigest()
    if STAMP.exists() and STAMP.read_text() == wanted:
        return
    uv = uv_on_path() or own_uv()
    say("Installing what the lock names …")
    sync(uv, pip_indexes())
    STAMP.write_text(wanted)


def uv_on_path() -> str | None:
    """A uv that is there already and new enough for the lock."""
    for found in filter(None, (shutil.which("uv"), str(TOOLS / "bin" / "uv"))):
        try:
            said = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError):
            continue
        numbers = re.search(r"(\d+)\.(\d+)", said)
        if numbers and (int(numbers[1]), int(numbers[2])) >= OLDEST_UV:
            return found
    return None


def own_uv() -> str:
    """uv in .tools, where nothing else of the machine sees it."""
    say("Fetching uv …")
    python = str(TOOLS / "bin" / "python")
    if subprocess.run([sys.executable, "-m", "venv", str(TOOLS)], capture_output=True, check=False).returncode == 0:
        run([python, "-m", "pip", "install", "--quiet", "uv"])
    elif subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, check=False).returncode == 0:
        run([sys.executable, "-m", "venv", "--without-pip", str(TOOLS)])
        run([sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "uv"])
    else:
        sys.exit(
            f"{sys.executable} can't make virtual environments and has no pip, so uv can't be fetched. "
            "Install uv, or your system's packages for venv and pip (on Debian: python3-venv), then try again."
        )
    return str(TOOLS / "bin" / "uv")


def pip_indexes() -> list[str]:
    """The indexes of packages that pip is told to use, the main one (or an empty string) first; only those on the network."""
    if "UV_DEFAULT_INDEX" in os.environ or "UV_INDEX_URL" in os.environ:
        return [""]
    said = subprocess.run([sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=False)
    found: dict[str, str] = {}
    for line in said.stdout.splitlines():  # the environment's lines come first and win
        name, _, value = line.partition("=")
        found.setdefault(name.rsplit(".", 1)[-1], value.strip("'\""))
    extra = found.get("extra-index-url", "").replace("\\n", " ").split()
    main_index = found.get("index-url", "")
    return [main_index if on_network(main_index) else "", *filter(on_network, extra)]


def sync(uv: str, indexes: list[str]) -> None:
    """Install into .venv. The lock names files on PyPI; where another index is set, the same versions with the same hashes come from there."""
    environment = {**os.environ, "UV_PYTHON_DOWNLOADS": "never", "UV_PROJECT_ENVIRONMENT": str(PROJECT / ".venv")}
    environment.pop("VIRTUAL_ENV", None)
    if not indexes[0]:
        run([uv, "sync", "--quiet", "--frozen", "--python", sys.executable, *WHAT], environment)
        return
    environment |= {"UV_DEFAULT_INDEX": indexes[0], "UV_INDEX": " ".join(indexes[1:])}
    listed = subprocess.run(
        [uv, "export", "--quiet", "--frozen", *WHAT], cwd=PROJECT, capture_output=True, check=True
    ).stdout
    run([uv, "venv", "--quiet", "--allow-existing", "--python", sys.executable, str(PROJECT / ".venv")], environment)
    listing = PROJECT / ".venv" / "listing.txt"
    listing.write_bytes(listed)
    python = str(PROJECT / ".venv" / "bin" / "python")
    run([uv, "pip", "sync", "--quiet", "--require-hashes", "--python", python, str(listing)], environment)


def on_network(index: str) -> bool:
    return index.startswith(("http://", "https://"))


def run(command: list[str], environment: dict[str, str] | None = None) -> None:
    """Run, or end with what to look at."""
    if code := subprocess.run(command, cwd=PROJECT, env=environment, check=False).returncode:
        sys.exit(
            f"Setting up failed at: {' '.join(command[:4])} … (exit {code}). Is the index of Python packages reachable?"
        )


def say(line: str) -> None:
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


if __name__ == "__main__":
    main()

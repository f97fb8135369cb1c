"""Log files of what we start: one file each under `<data>/log`, kept short."""

import shutil
from pathlib import Path

LONGEST_LOG_BYTES = 10_000_000


def log_file(data: Path, name: str) -> Path:
    """Where the process called `name` writes its log."""
    return data / "log" / f"{name}.log"


def log_tail(log: Path, lines: int = 8) -> str:
    """The last lines; empty when there is no log."""
    return "\n".join(log.read_text(errors="replace").splitlines()[-lines:]) if log.exists() else ""


def rotate(log: Path) -> None:
    """Move a long log aside, keeping one. Writers append, so the file is copied and emptied under them."""
    if log.exists() and log.stat().st_size > LONGEST_LOG_BYTES:
        shutil.copyfile(log, log.with_suffix(".log.1"))
        with log.open("r+b") as file:
            file.truncate()

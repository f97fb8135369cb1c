"""Secrets that the embedded engines keep for themselves: one file each under `<data>/secrets`, readable by the owner only."""

import os
import secrets
from pathlib import Path

from config.embedded.folders import private_folder


def secret_file(data: Path, name: str) -> Path:
    """Where the secret called `name` is kept."""
    return data / "secrets" / name


def read_secret(data: Path, name: str) -> str | None:
    """The secret, or None when it has not been made."""
    try:
        return secret_file(data, name).read_text().strip() or None
    except FileNotFoundError:
        return None


def write_secret(data: Path, name: str, value: str) -> Path:
    """Keep a secret with mode 0600; whole or not at all."""
    target = secret_file(data, name)
    private_folder(target.parent)
    fresh = target.with_name(f".{name}.{os.getpid()}")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(value)
    fresh.replace(target)
    return target


def made_secret(data: Path, name: str) -> str:
    """The secret; made first when there is none. Two processes that make it at once end with the same one."""
    kept = read_secret(data, name)
    if kept:
        return kept
    target = secret_file(data, name)
    private_folder(target.parent)
    fresh = write_secret(data, f"{name}.{os.getpid()}.new", secrets.token_urlsafe(32))
    try:
        target.hardlink_to(fresh)
    except FileExistsError:
        return target.read_text().strip()
    finally:
        fresh.unlink()
    return target.read_text().strip()

"""The storage port for originals and pictures, and a folder that plays it. Web and workers share one place.

Keys are made by us (`kb/document/…`), never by a caller; a key is written once and then only read or removed.
"""

import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Protocol

from django.utils.translation import gettext_lazy as _

from common.errors import NotFound

PIECE = 1024 * 1024


class Storage(Protocol):
    """Keeps bytes under keys."""

    def keep(self, key: str, pieces: Iterable[bytes]) -> None:
        """Store whole or not at all."""

    def open(self, key: str) -> BinaryIO:
        """Raises NotFound."""

    def remove(self, key: str) -> None:
        """Nothing happens when it is gone already."""

    def remove_below(self, prefix: str) -> None:
        """Remove every key that begins with `prefix` (a folder, without the slash)."""

    def keys_below(self, prefix: str) -> Iterator[str]:
        """Every key below a folder."""

    def local_path(self, key: str) -> Path | None:
        """The file itself where there is one, so that parsers need no copy."""


class FolderStorage:
    """Bytes as files below one folder."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def keep(self, key: str, pieces: Iterable[bytes]) -> None:
        target = self.path(key)
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh = target.with_name(target.name + ".part")
        try:
            with fresh.open("wb") as file:
                for piece in pieces:
                    file.write(piece)
                file.flush()
                os.fsync(file.fileno())  # the ledger's row outlives a power cut, so must its file
            fresh.replace(target)
        finally:
            fresh.unlink(missing_ok=True)

    def open(self, key: str) -> BinaryIO:
        try:
            return self.path(key).open("rb")
        except FileNotFoundError:
            raise NotFound(_("The stored file is missing; restore the data folder from a backup.")) from None

    def remove(self, key: str) -> None:
        path = self.path(key)
        path.unlink(missing_ok=True)
        self.drop_empty_folders(path.parent)

    def remove_below(self, prefix: str) -> None:
        shutil.rmtree(self.path(prefix), ignore_errors=True)
        self.drop_empty_folders(self.path(prefix).parent)

    def keys_below(self, prefix: str) -> Iterator[str]:
        folder = self.path(prefix)
        return (str(path.relative_to(self.root)) for path in sorted(folder.rglob("*")) if path.is_file())

    def local_path(self, key: str) -> Path | None:
        path = self.path(key)
        return path if path.exists() else None

    def path(self, key: str) -> Path:
        path = (self.root / key).resolve()
        if not path.is_relative_to(self.root.resolve()):
            raise NotFound(_("There is no such file."))
        return path

    def drop_empty_folders(self, folder: Path) -> None:
        while folder != self.root and folder.is_relative_to(self.root):
            try:
                folder.rmdir()
            except OSError:
                return
            folder = folder.parent


def pieces_of(file: BinaryIO) -> Iterator[bytes]:
    """The file's bytes in pieces of one mebibyte."""
    while piece := file.read(PIECE):
        yield piece

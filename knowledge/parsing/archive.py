"""The files of a ZIP archive, one by one: given an archive, gives each file on disk under a safe path, or why it is refused. Nothing is unpacked whole.

Each file is spooled to a folder of the caller's and removed when the next one is asked for, so that memory and disk stay flat. Names that the archive does
not mark as UTF-8 are decoded by plausibility (UTF-8, GB18030, then the old code page 437).
"""

import stat
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from uuid import uuid4

from common.errors import UnreadableFile
from knowledge.parsing import refusals
from knowledge.parsing.containers import open_container, refuse_bombs
from knowledge.parsing.decode import encoding_of
from knowledge.parsing.limits import ReadLimits
from knowledge.parsing.media import LABELS, MediaType, ending
from knowledge.parsing.paths import is_clutter, normalise_path
from knowledge.types import SourceFile

_PIECE = 1024 * 1024
_UTF8_NAME = 0x800
_ENCRYPTED = 0x1
_ARCHIVES = frozenset(["zip", "7z", "rar", "tar", "gz", "tgz", "bz2", "xz", "jar"])


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """A file of an archive: `file` is on disk until the next entry is asked for, or None with the `error` that says why it is refused.

    `is_skipped` says that it is clutter that nobody will miss (`__MACOSX`, hidden files): worth one notice for all, not one each.
    """

    path: str
    file: SourceFile | None = None
    error: UnreadableFile | None = None
    is_skipped: bool = False


def entries(source: SourceFile, limits: ReadLimits, *, folder: Path) -> Iterator[ArchiveEntry]:
    """The files of an archive in its order; folders are passed over. Raises UnreadableFile when the archive itself is refused."""
    archive = open_container(source.path)
    if archive is None:
        raise refusals.broken_file(source.name, label=LABELS[MediaType.ZIP])
    with archive:
        refuse_bombs(archive, source.size_bytes, limits, source.name)
        taken: set[str] = set()
        for info in archive.infolist():
            if not info.is_dir():
                yield from _entry(archive, info, limits, folder, taken)


def listing(source: SourceFile, limits: ReadLimits) -> list[str]:
    """The safe paths in an archive, without unpacking anything. Raises UnreadableFile when the archive itself is refused."""
    archive = open_container(source.path)
    if archive is None:
        raise refusals.broken_file(source.name, label=LABELS[MediaType.ZIP])
    with archive:
        refuse_bombs(archive, source.size_bytes, limits, source.name)
        return [path for info in archive.infolist() if not info.is_dir() and (path := _safe_name(info)) is not None]


def _safe_name(info: zipfile.ZipInfo) -> str | None:
    try:
        path = normalise_path(name_of(info))
    except UnreadableFile:
        return None
    return None if is_clutter(path) else path


def _entry(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, limits: ReadLimits, folder: Path, taken: set[str]
) -> Iterator[ArchiveEntry]:
    name = name_of(info)
    try:
        path = normalise_path(name)
    except UnreadableFile as error:
        yield ArchiveEntry(refusals.printable(name), error=error)
        return
    if is_clutter(path):
        yield ArchiveEntry(path, is_skipped=True)
        return
    if refusal := _why_not(info, path, limits, taken):
        yield ArchiveEntry(path, error=refusal)
        return
    taken.add(path)
    yield from _spooled(archive, info, path, folder)


def _why_not(info: zipfile.ZipInfo, path: str, limits: ReadLimits, taken: set[str]) -> UnreadableFile | None:
    """What an entry's record alone says against it."""
    if stat.S_ISLNK(info.external_attr >> 16):
        return refusals.is_link(path)
    if info.flag_bits & _ENCRYPTED:
        return refusals.encrypted(path)
    if ending(path) in _ARCHIVES:
        return refusals.nested_archive(path)
    if path in taken:
        return refusals.duplicate_name(path)
    if info.file_size > limits.file_bytes:
        return refusals.too_large(path, found=info.file_size, limit=limits.file_bytes)
    return None


def _spooled(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: str, folder: Path) -> Iterator[ArchiveEntry]:
    target = folder / uuid4().hex
    try:
        try:
            size = _unpack(archive, info, target)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError):
            yield ArchiveEntry(path, error=refusals.broken_file(path, label=LABELS[MediaType.ZIP]))
            return
        except (NotImplementedError, RuntimeError):
            yield ArchiveEntry(path, error=refusals.unknown_compression(path))
            return
        yield ArchiveEntry(path, file=SourceFile(target, path, size))
    finally:
        target.unlink(missing_ok=True)


def _unpack(archive: zipfile.ZipFile, info: zipfile.ZipInfo, target: Path) -> int:
    with archive.open(info) as packed, target.open("xb") as file:
        return sum(file.write(piece) for piece in _pieces(packed))


def _pieces(stream: IO[bytes]) -> Iterator[bytes]:
    while piece := stream.read(_PIECE):
        yield piece


def name_of(info: zipfile.ZipInfo) -> str:
    """The name of an entry as its maker wrote it."""
    if info.flag_bits & _UTF8_NAME or info.orig_filename.isascii():
        return info.orig_filename.split("\0")[0]
    raw = info.orig_filename.encode("cp437")
    try:
        return raw.decode(encoding_of(raw, ""))
    except (UnreadableFile, UnicodeDecodeError):
        return _lenient(raw)


def _lenient(raw: bytes) -> str:
    """A short name says too little to be sure of: GB18030 when it decodes, which is what Chinese Windows writes, else the old code page."""
    try:
        return raw.decode("gb18030")
    except UnicodeDecodeError:
        return raw.decode("cp437")

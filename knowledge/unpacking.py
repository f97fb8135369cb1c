"""Files as they are sent, with archives taken apart. A file of an archive is on disk until the next one is asked for."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from common.errors import UnreadableFile
from knowledge.parsing import archive
from knowledge.parsing.inspect import inspect
from knowledge.parsing.limits import ReadLimits
from knowledge.parsing.media import ending
from knowledge.types import SourceFile
from knowledge.uploading import IncomingFile


def unpacked(files: Iterable[IncomingFile], limits: ReadLimits, folder: Path) -> Iterator[IncomingFile]:
    """Each archive is replaced by what is in it, by the paths that the files have in there; clutter is passed over."""
    for file in files:
        if isinstance(file.content, bytes) or file.error:
            yield file
            continue
        source = SourceFile(file.content, file.name or file.path, file.content.stat().st_size)
        if ending(source.name) == "zip" and is_sound(source, limits):
            yield from files_in(file, source, limits, folder)
        else:
            yield file


def is_sound(source: SourceFile, limits: ReadLimits) -> bool:
    """What can't be read is refused where all files are looked at, with its reason."""
    try:
        return inspect(source, limits).is_archive
    except UnreadableFile:
        return False


def files_in(file: IncomingFile, source: SourceFile, limits: ReadLimits, folder: Path) -> Iterator[IncomingFile]:
    """The files of one archive, in the folder in which the archive was."""
    before = file.path.rpartition("/")[0]
    for entry in archive.entries(source, limits, folder=folder):
        if entry.is_skipped:
            continue
        path = f"{before}/{entry.path}" if before else entry.path
        content = entry.file.path if entry.file else b""
        yield IncomingFile(path, content, said=file.said, error=entry.error, container=source.name)

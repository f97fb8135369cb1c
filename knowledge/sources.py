"""What the command line names: files, folders, patterns, standard input, and lines of JSON. Each becomes incoming files with the paths that their documents will have."""

import glob
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import IO

from django.utils.translation import gettext as _

from common.errors import InvalidInput
from knowledge.parsing import refusals
from knowledge.parsing.paths import is_clutter
from knowledge.uploading import IncomingFile


def files_named(names: Sequence[str]) -> Iterator[IncomingFile]:
    """A file is called by its name, a folder's files by their paths from that folder on. Hidden files are left out. Raises InvalidInput when there is nothing."""
    for name in names:
        # Unlike Path.glob, it takes patterns as people type them, also from the root or a parent on.
        matches = [name] if Path(name).exists() else sorted(glob.glob(name, recursive=True))  # noqa: PTH207
        found = [Path(match) for match in matches]
        if not found:
            raise InvalidInput(_("There is no file or folder “%(name)s”.") % {"name": name})
        for path in found:
            yield from files_in(path) if path.is_dir() else [IncomingFile(path.name, path)]


def files_in(folder: Path) -> Iterator[IncomingFile]:
    """All files of a folder, sorted, with the folder's own name in front. A link that leads out of the folder is refused: what it shows was not meant to be sent."""
    root = folder.resolve()
    for path in sorted(root.rglob("*")):
        inner = path.relative_to(root)
        if not path.is_file() or is_clutter(inner.as_posix()):
            continue
        name = f"{root.name}/{inner.as_posix()}"
        if path.resolve().is_relative_to(root):
            yield IncomingFile(name, path)
        else:
            yield IncomingFile(name, b"", error=refusals.link_outside(name))


def file_from(stream: IO[bytes], name: str) -> IncomingFile:
    """Standard input as one file; `name` says what kind it is."""
    return IncomingFile(name, stream.read())


def files_of_lines(file: Path) -> Iterator[IncomingFile]:
    """`{"id", "title", "text"}` lines, one document each, from a file or (`-`) from standard input; a line that is none is refused, and the others go on."""
    with nullcontext(sys.stdin.buffer) if str(file) == "-" else file.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield file_of_line(line, number)


def file_of_line(line: bytes, number: int) -> IncomingFile:
    """The text is plain text, whatever its id looks like."""
    try:
        entry = json.loads(line.decode("utf-8-sig"))
        path, text = str(entry["id"]), str(entry["text"])
    except (ValueError, KeyError, TypeError):
        return IncomingFile(f"line {number}", b"", error=refusals.broken_line(number))
    return IncomingFile(path, text.encode(), name=f"{path}.txt", said={"title": entry.get("title") or ""})

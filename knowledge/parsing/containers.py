"""What a ZIP container holds, looked at without unpacking it: bombs by size, ratio and count, and XML parts that declare entities.

Python's own reader never gives out more than the size that an entry declares, so the declared sizes bound what can come.
"""

import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import IO
from xml.parsers import expat

from django.utils.functional import Promise

from knowledge.parsing import refusals
from knowledge.parsing.limits import ReadLimits

_PIECE = 16 * 1024
_ENCODING_ERRORS = (
    expat.errors.codes[expat.errors.XML_ERROR_UNKNOWN_ENCODING],
    expat.errors.codes[expat.errors.XML_ERROR_INCORRECT_ENCODING],
)
# What the libraries for Office files raise when a part is missing, cut off or other than its kind promises.
FAULTS = (
    zipfile.BadZipFile,
    zlib.error,
    ArithmeticError,
    AssertionError,
    AttributeError,
    EOFError,
    LookupError,
    NotImplementedError,
    OSError,
    RecursionError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
)
XML_ENDINGS = (".xml", ".rels", ".vml")


class _DoctypeFound(Exception):
    pass


class _PrologEnded(Exception):
    pass


def refuse_bombs(archive: zipfile.ZipFile, packed_bytes: int, limits: ReadLimits, name: str) -> None:
    """Raises UnreadableFile when the container would unpack to more than the limits allow."""
    entries = archive.infolist()
    expanded = sum(entry.file_size for entry in entries)
    is_swollen = expanded > limits.ratio_free_bytes and expanded > limits.ratio * max(packed_bytes, 1)
    if len(entries) > limits.entries or expanded > limits.expanded_bytes or is_swollen:
        raise refusals.zip_bomb(name)


def refuse_entities(archive: zipfile.ZipFile, name: str, label: str | Promise) -> None:
    """Raises UnreadableFile when an XML part has a document type declaration, the place where entities are declared, or can't be looked at."""
    for entry in _xml_parts(archive.infolist()):
        try:
            with archive.open(entry) as part:
                is_hostile = has_doctype(part)
        except FAULTS as error:
            raise refusals.broken_file(name, label=label) from error
        if is_hostile:
            raise refusals.xml_bomb(name)


def refuse_long_parts(archive: zipfile.ZipFile, limits: ReadLimits, name: str) -> None:
    """Raises UnreadableFile when an XML part is too long to be held as a tree in memory."""
    if any(entry.file_size > limits.part_bytes for entry in _xml_parts(archive.infolist())):
        raise refusals.too_much_inside(name)


def has_doctype(stream: IO[bytes]) -> bool:
    """Whether XML has a document type declaration before its root element; reads no further than that. Broken XML has none.

    Raises ValueError or LookupError for encodings other than those that Office files may have: behind one, a declaration could hide.
    """
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = _stop_at_doctype
    parser.StartElementHandler = _stop_at_root
    try:
        while piece := stream.read(_PIECE):
            parser.Parse(piece, False)
    except _DoctypeFound:
        return True
    except _PrologEnded:
        return False
    except expat.ExpatError as error:
        if error.code in _ENCODING_ERRORS:
            raise ValueError(str(error)) from error
        return False
    return False


def open_container(path: Path) -> zipfile.ZipFile | None:
    """The container, or None when it can't be opened as one."""
    try:
        return zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, NotImplementedError, ValueError):
        return None


def _xml_parts(entries: Iterable[zipfile.ZipInfo]) -> Iterable[zipfile.ZipInfo]:
    return (entry for entry in entries if entry.filename.lower().endswith(XML_ENDINGS))


def _stop_at_doctype(*_: object) -> None:
    raise _DoctypeFound


def _stop_at_root(*_: object) -> None:
    raise _PrologEnded

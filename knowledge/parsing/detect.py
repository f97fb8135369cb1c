"""What a file really is: given its bytes and name, gives its media type. The bytes decide; the name only tells texts apart and is held to its promise."""

import zipfile
from pathlib import Path

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from knowledge.parsing import refusals
from knowledge.parsing.containers import open_container
from knowledge.parsing.media import BINARY, ENDINGS, LABELS, MediaType, ending
from knowledge.types import SourceFile

_HEAD_BYTES = 4096
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
_OLE_SCAN_BYTES = 1024 * 1024
# Beginnings of files that are plainly something else; the sentence names what was found.
_FOREIGN: tuple[tuple[bytes, int, str | Promise], ...] = (
    (b"\x89PNG\r\n\x1a\n", 0, _("a PNG picture")),
    (b"\xff\xd8\xff", 0, _("a JPEG picture")),
    (b"GIF8", 0, _("a GIF picture")),
    (b"WEBP", 8, _("a WebP picture")),
    (b"II*\0", 0, _("a TIFF picture")),
    (b"MM\0*", 0, _("a TIFF picture")),
    (b"\x1f\x8b", 0, _("a gzip archive")),
    (b"7z\xbc\xaf\x27\x1c", 0, _("a 7-Zip archive")),
    (b"Rar!\x1a\x07", 0, _("a RAR archive")),
    (b"BZh", 0, _("a bzip2 archive")),
    (b"\xfd7zXZ\0", 0, _("an xz archive")),
    (b"ftyp", 4, _("a video or picture")),
    (b"ID3", 0, _("a sound file")),
    (b"OggS", 0, _("a sound or video file")),
    (b"\x7fELF", 0, _("a program")),
    (b"MZ\x90\0", 0, _("a program")),
    (b"SQLite format 3\0", 0, _("a database")),
    (b"{\\rtf", 0, _("an RTF document")),
)
_OFFICE_PARTS = {
    MediaType.DOCX: "word/document",
    MediaType.XLSX: "xl/workbook",
    MediaType.PPTX: "ppt/presentation",
}
_OTHER_PACKAGES: dict[str, str | Promise] = {
    "application/epub+zip": _("an EPUB book"),
    "application/vnd.oasis.opendocument.text": _("an OpenDocument text"),
    "application/vnd.oasis.opendocument.spreadsheet": _("an OpenDocument table"),
    "application/vnd.oasis.opendocument.presentation": _("an OpenDocument presentation"),
}


def detect(source: SourceFile) -> MediaType:
    """The media type of a file. Raises UnreadableFile when it is empty, of a type that we don't read, or not what its name promises."""
    if source.size_bytes == 0:
        raise refusals.empty_file(source.name)
    with source.path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    expected = ENDINGS.get(ending(source.name))
    found = _by_bytes(source, head, expected)
    if found is None:
        return _by_name(source, head, expected)
    if expected is not None and found is not expected:
        raise refusals.wrong_extension(source.name, found=LABELS[found], expected=LABELS[expected])
    return found


def _by_bytes(source: SourceFile, head: bytes, expected: MediaType | None) -> MediaType | None:
    """What the first bytes say; None when they may be text."""
    if b"%PDF-" in head[:1024]:
        return MediaType.PDF
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        return _package(source, expected)
    if head.startswith(_OLE):
        raise _ole(source)
    for signature, offset, label in _FOREIGN:
        if head[offset : offset + len(signature)] == signature:
            if expected is not None:
                raise refusals.wrong_extension(source.name, found=label, expected=LABELS[expected])
            raise refusals.unknown_type(source.name, found=label)
    return None


def _by_name(source: SourceFile, head: bytes, expected: MediaType | None) -> MediaType:
    """Which kind of text it is, by the ending of its name, or by its beginning where it has none."""
    if expected in BINARY:
        if not head.strip():
            raise refusals.empty_file(source.name)
        raise refusals.wrong_extension(source.name, found=_("something else"), expected=LABELS[expected])
    if expected is not None:
        return expected
    if ending(source.name):
        raise refusals.unknown_type(source.name)
    is_html = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith((b"<!doctype html", b"<html"))
    return MediaType.HTML if is_html else MediaType.PLAIN


def _package(source: SourceFile, expected: MediaType | None) -> MediaType:
    """Which Office document a ZIP container is, or that it is an archive."""
    archive = open_container(source.path)
    if archive is None:
        raise refusals.broken_file(source.name, label=LABELS[expected or MediaType.ZIP])
    with archive:
        names = set(archive.namelist())
        if label := _OTHER_PACKAGES.get(_mimetype(archive)):
            raise refusals.unknown_type(source.name, found=label)
    if "[Content_Types].xml" in names:
        for media_type, part in _OFFICE_PARTS.items():
            if any(name.startswith(part) and name.endswith(".xml") for name in names):
                return media_type
    return MediaType.ZIP


def _mimetype(archive: zipfile.ZipFile) -> str:
    try:
        with archive.open("mimetype") as file:
            return file.read(200).decode("ascii", "replace").strip()
    except (KeyError, zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError):
        return ""


def _ole(source: SourceFile) -> Exception:
    """An OLE file is an Office document with a password, or one from before 2007."""
    if _holds_encrypted_package(source.path):
        return refusals.encrypted(source.name)
    return refusals.unknown_type(
        source.name, found=_("an Office document in the format from before 2007 (DOC, XLS, PPT)")
    )


def _holds_encrypted_package(path: Path) -> bool:
    """Whether the directory names a stream called EncryptedPackage; directories stand near the beginning or the end."""
    with path.open("rb") as file:
        beginning = file.read(_OLE_SCAN_BYTES)
        size = file.seek(0, 2)
        file.seek(max(size - _OLE_SCAN_BYTES, 0))
        return _ENCRYPTED_PACKAGE in beginning or _ENCRYPTED_PACKAGE in file.read()

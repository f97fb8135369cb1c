"""Why a file can't be read, in sentences that say what was found and what to do. One function per reason; each gives the error to raise."""

from typing import TYPE_CHECKING

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from common.errors import UnreadableFile
from knowledge.parsing.media import READABLE_NAMES

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise


def _refuse(reason: str, sentence: "str | StrPromise", **facts: object) -> UnreadableFile:
    return UnreadableFile(format_lazy(sentence, **facts), reason=reason)


def empty_file(name: str) -> UnreadableFile:
    """Nothing in it, or nothing but white space."""
    return _refuse(
        "empty_file",
        _("“{name}” is empty. Check that it was saved and copied completely, then send it again."),
        name=name,
    )


def too_large(name: str, *, found: int, limit: int) -> UnreadableFile:
    """More bytes than a file may have."""
    return _refuse(
        "too_large",
        _("“{name}” has {found} MB; at most {limit} MB are read. Split it, or ask the operator to raise the limit."),
        name=name,
        found=megabytes(found),
        limit=megabytes(limit),
    )


def text_too_long(name: str, *, limit: int) -> UnreadableFile:
    """The canonical text would be longer than the ledger should hold as one document."""
    return _refuse(
        "too_large",
        _("“{name}” holds more than {limit} characters of text. Split it into several documents."),
        name=name,
        limit=f"{limit:,}",
    )


def too_much_inside(name: str) -> UnreadableFile:
    """A part of an Office file is longer than can be held in memory."""
    return _refuse(
        "too_large", _("“{name}” holds more text than can be read at once. Split it into several documents."), name=name
    )


def too_many_pages(name: str, *, limit: int) -> UnreadableFile:
    """A PDF with more pages than are read as one document."""
    return _refuse(
        "too_large",
        _("“{name}” has more than {limit} pages. Split it into several documents."),
        name=name,
        limit=f"{limit:,}",
    )


def wrong_extension(name: str, *, found: str | Promise, expected: str | Promise) -> UnreadableFile:
    """The bytes are something else than the name says."""
    return _refuse(
        "wrong_extension",
        _(
            "“{name}” is named like {expected} but is {found}. Give it the right ending, or save it again in the format that its name promises."
        ),
        name=name,
        found=found,
        expected=expected,
    )


def unknown_type(name: str, *, found: str | Promise | None = None) -> UnreadableFile:
    """Nothing that we read."""
    sentence = _("“{name}” is {found}, which can't be read. Save it as one of these: {readable}.")
    return _refuse("unknown_type", sentence, name=name, found=found or _("of an unknown type"), readable=READABLE_NAMES)


def unknown_encoding(name: str) -> UnreadableFile:
    """Text in bytes that can't be told apart with confidence."""
    return _refuse(
        "unknown_encoding",
        _(
            "The characters of “{name}” can't be decoded with certainty (UTF-8, UTF-16, GB18030 and Big5 were tried). Save it as UTF-8 and send it again."
        ),
        name=name,
    )


def binary_data(name: str) -> UnreadableFile:
    """Called text, but it is not."""
    return _refuse(
        "binary",
        _(
            "“{name}” is named like a text but holds binary data. Save it as text in UTF-8, or give it the ending of what it really is."
        ),
        name=name,
    )


def encrypted(name: str) -> UnreadableFile:
    """A password is needed to read it."""
    return _refuse(
        "encrypted",
        _("“{name}” is protected by a password. Open it with the password, save a copy without one, and send that."),
        name=name,
    )


def no_text(name: str) -> UnreadableFile:
    """Pages that are pictures only."""
    return _refuse(
        "no_text",
        _(
            "“{name}” holds no text: its pages are pictures, as from a scanner. Run text recognition (OCR) on it first and send the result."
        ),
        name=name,
    )


def nothing_to_read(name: str) -> UnreadableFile:
    """A sound file in which there is no text."""
    return _refuse(
        "no_text", _("“{name}” can be opened but holds no text. Check that it is the right file."), name=name
    )


def broken_file(name: str, *, label: str | Promise, detail: str = "") -> UnreadableFile:
    """It begins like what it should be and then isn't."""
    return _refuse(
        "broken_file",
        _(
            "“{name}” can't be opened as {label}: it is damaged or incomplete{detail}. Open it in the program that made it, save it again, and send that."
        ),
        name=name,
        label=label,
        detail=f" ({detail})" if detail else "",
    )


def zip_bomb(name: str) -> UnreadableFile:
    """It would unpack to far more than it seems to hold."""
    return _refuse(
        "zip_bomb",
        _(
            "“{name}” would unpack to far more than its size lets expect, so it was not opened. Send its files unpacked or in smaller parts."
        ),
        name=name,
    )


def xml_bomb(name: str) -> UnreadableFile:
    """Its XML declares entities, which no Office program writes."""
    return _refuse(
        "xml_bomb",
        _(
            "“{name}” holds XML with entity declarations, which can be used to attack readers, so it was not opened. Save it again with an Office program."
        ),
        name=name,
    )


def nested_archive(name: str) -> UnreadableFile:
    """An archive inside an archive."""
    return _refuse(
        "nested_archive",
        _("“{name}” is an archive inside an archive. Unpack it and send its files, or send it by itself."),
        name=name,
    )


def is_archive(name: str) -> UnreadableFile:
    """An archive where one document is expected."""
    return _refuse(
        "is_archive",
        _("“{name}” is an archive, not a document. Send it as an upload of several files, or unpack it first."),
        name=name,
    )


def unsafe_path(name: str) -> UnreadableFile:
    """A name that would lead outside its folder or hides what it is."""
    return _refuse(
        "unsafe_path",
        _(
            "The name “{name}” can't be used: it is empty, too long, leads outside its folder or holds control characters. Rename the file and send it again."
        ),
        name=printable(name),
    )


def is_link(name: str) -> UnreadableFile:
    """A symbolic link in an archive."""
    return _refuse(
        "is_link", _("“{name}” is a link to another file, not a file. Put the file itself into the archive."), name=name
    )


def duplicate_name(name: str) -> UnreadableFile:
    """Twice the same path among what was sent together."""
    return _refuse(
        "duplicate_name",
        _("“{name}” occurs twice among these files; the first one was taken. Give each file a name of its own."),
        name=name,
    )


def broken_line(number: int) -> UnreadableFile:
    """A line of JSON Lines that is no document."""
    return _refuse(
        "broken_line",
        _("Line {number} is not a JSON object with “id” and “text”. Write one object on each line."),
        number=number,
    )


def link_outside(name: str) -> UnreadableFile:
    """A symbolic link in a folder to a file that is not in it."""
    return _refuse(
        "link_outside",
        _(
            "“{name}” is a link to a file outside the folder. Send that file by its own name, or copy it into the folder."
        ),
        name=name,
    )


def unknown_compression(name: str) -> UnreadableFile:
    """An archive made in a way that Python's library does not know."""
    return _refuse(
        "unknown_compression",
        _("“{name}” is packed in a way that can't be read. Pack it as an ordinary ZIP (deflate) and send it again."),
        name=name,
    )


def megabytes(size: int) -> str:
    """Bytes as megabytes for people."""
    return f"{size / 1_000_000:,.1f}".removesuffix(".0")


def printable(name: str) -> str:
    """A name that may hold anything, safe to show."""
    return "".join(character if character.isprintable() else "�" for character in name[:120])

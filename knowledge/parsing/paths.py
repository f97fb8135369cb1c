"""The one form of a document's path: given the name of an uploaded file as browsers, archives and commands tell it, gives a safe relative path or refuses.

A path names a document and never touches a disk; it is still held to what every disk could take, because people download and export by it.
"""

import re
import unicodedata

from knowledge.parsing import refusals

PATH_CHARS = 500
NAME_BYTES = 255

_DRIVE = re.compile(r"\A[A-Za-z]:")
# Characters that turn the direction of what follows or can't be seen: with them "fdp.exe" can look like "exe.pdf".
_DECEIVING = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def normalise_path(name: str) -> str:
    """The path with "/" between its parts, in NFC. Raises UnreadableFile (`unsafe_path`) for names that lead outside or hide what they are."""
    path = unicodedata.normalize("NFC", name).replace("\\", "/")
    parts = [part.strip() for part in path.split("/")]
    if path.startswith("/") or _DRIVE.match(path) or ".." in parts or _DECEIVING.search(_joiners_dropped(path)):
        raise refusals.unsafe_path(name)
    kept = [part for part in parts if part not in ("", ".")]
    is_long = len("/".join(kept)) > PATH_CHARS or any(
        len(part.encode("utf-8", "replace")) > NAME_BYTES for part in kept
    )
    if not kept or is_long or any(_is_control(character) for character in path):
        raise refusals.unsafe_path(name)
    return "/".join(kept)


def is_clutter(path: str) -> bool:
    """Whether a file is what systems leave behind and nobody wrote: hidden files, Finder's and Explorer's notes, Office's locks."""
    parts = path.split("/")
    return (
        any(part.startswith(".") or part == "__MACOSX" for part in parts)
        or parts[-1].startswith("~$")
        or parts[-1] in ("Thumbs.db", "desktop.ini")
    )


def _joiners_dropped(path: str) -> str:
    """Without the joiners that emoji and some scripts are written with."""
    return path.replace("\u200d", "").replace("\u200c", "")


def _is_control(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cs") or character in "\u2028\u2029"

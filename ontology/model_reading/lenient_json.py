"""Read JSON as models write it. Given text that begins with `{` or `[`; gives the value, and whether all of it was there.

Repaired is only what leaves no doubt: commas too many or missing, raw line breaks and unescaped quotes inside strings, other quotes around them, Python's words. Where the text ends or
makes no sense, what was complete until there is kept: members of the outermost container and of the lists in it, never half a thing.
"""

import re
from dataclasses import dataclass
from typing import Any

_WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
_WORD = re.compile(r"[A-Za-z]+")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_SPACE = re.compile(r"\s*")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_CODE = re.compile(r"[0-9a-fA-F]{4}")
_LOW = re.compile(r"\\u(d[c-f][0-9a-f]{2})", re.IGNORECASE)
_STRING_GOES_ON = re.compile(r"""[^"\\]+""")
_AFTER_STRING = re.compile(r"""\s*(?:$|[}\]:]|,\s*(?:$|["“'{\[}\]\d-]|true|false|null)|["']\w+["']\s*:)""")
_OPEN_QUOTES = {'"': '"', "“": "”", "'": "'"}
SALVAGED_DEPTH = 2  # the object, and the lists in it
DEEPEST = 30


class _Broken(Exception):
    """From here on nothing can be read."""


@dataclass(frozen=True, slots=True)
class Read:
    """`is_whole` is false where something was cut off or left out."""

    value: Any
    is_whole: bool


def read_json(text: str) -> Read | None:
    """None where not even the beginning is JSON."""
    reader = _Reader(text)
    try:
        return Read(reader.value(0), not reader.is_cut)
    except _Broken:
        return None


@dataclass(slots=True)
class _Reader:
    text: str
    at: int = 0
    is_cut: bool = False

    def value(self, depth: int) -> Any:
        """Raises _Broken."""
        first = self._next()
        if depth > DEEPEST:
            raise _Broken
        if first == "{":
            return self._object(depth)
        if first == "[":
            return self._list(depth)
        if first in _OPEN_QUOTES:
            return self._string(_OPEN_QUOTES[first])
        if number := _NUMBER.match(self.text, self.at):
            self.at = number.end()
            return float(number[0]) if re.search("[.eE]", number[0]) else int(number[0][:300])
        word = _WORD.match(self.text, self.at)
        if word is None or word[0] not in _WORDS or word.end() == len(self.text):
            raise _Broken
        self.at = word.end()
        return _WORDS[word[0]]

    def _object(self, depth: int) -> dict[str, Any]:
        members: dict[str, Any] = {}
        self.at += 1
        try:
            while not self._closes("}"):
                first = self._next()
                if first not in _OPEN_QUOTES:
                    raise _Broken
                key = self._string(_OPEN_QUOTES[first])
                if self._next() != ":":
                    raise _Broken
                self.at += 1
                members[key] = self.value(depth + 1)
                if self.is_cut and depth:
                    raise _Broken
        except _Broken:
            self._salvage(depth)
        return members

    def _list(self, depth: int) -> list[Any]:
        items: list[Any] = []
        self.at += 1
        try:
            while not self._closes("]"):
                items.append(self.value(depth + 1))
        except _Broken:
            self._salvage(depth)
        return items

    def _salvage(self, depth: int) -> None:
        """Keep what there is of an outer container, and read no further."""
        if depth >= SALVAGED_DEPTH:
            raise _Broken
        self.is_cut = True
        self.at = len(self.text)

    def _closes(self, mark: str) -> bool:
        """Past commas, however many; whether the container ends here. The end of all text after a cut closes what is open."""
        while self._next() == ",":
            self.at += 1
        if self._next() == mark:
            self.at += 1
            return True
        if self.at >= len(self.text):
            if self.is_cut:
                return True
            raise _Broken
        return False

    def _next(self) -> str:
        space = _SPACE.match(self.text, self.at)
        assert space is not None
        self.at = space.end()
        return self.text[self.at : self.at + 1]

    def _string(self, closing: str) -> str:
        """A quote that is not followed by what may stand after a string belongs to it."""
        self.at += 1
        pieces: list[str] = []
        while self.at < len(self.text):
            character = self.text[self.at]
            if character == closing and _AFTER_STRING.match(self.text, self.at + 1):
                self.at += 1
                return "".join(pieces)
            if character == "\\":
                pieces.append(self._escaped())
                continue
            plain = _STRING_GOES_ON.match(self.text, self.at) if closing == '"' else None
            pieces.append(plain[0] if plain else character)
            self.at += len(pieces[-1])
        raise _Broken

    def _escaped(self) -> str:
        mark = self.text[self.at + 1 : self.at + 2]
        if mark == "u" and (code := _CODE.match(self.text, self.at + 2)):
            self.at = code.end()
            first = int(code[0], 16)
            low = _LOW.match(self.text, self.at)
            if 0xD800 <= first < 0xDC00 and low:
                self.at = low.end()
                return chr(0x10000 + ((first - 0xD800) << 10) + int(low[1], 16) - 0xDC00)
            return chr(first) if not 0xD800 <= first < 0xE000 else "�"
        self.at += 2
        return _ESCAPES.get(mark, mark)

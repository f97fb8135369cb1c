"""What a paragraph's style makes of it: given a style's id, says its heading depth, its numbering, whether it is a title, a caption or part of a contents list."""

import re
from dataclasses import dataclass
from typing import Any

from knowledge.parsing.docx.names import value_of, w

_HEADING = re.compile(r"(?:heading|标题|標題|überschrift|titre|título)\s*(?P<level>[1-9])", re.IGNORECASE)
_TITLES = frozenset(["title", "标题", "標題", "文档标题"])
_CAPTIONS = frozenset(["caption", "题注", "標號", "图注"])
_CONTENTS = re.compile(r"(?:toc|目录|目錄)\s*\d|toc heading|table of figures", re.IGNORECASE)
_CODE = re.compile(r"code|source|preformatted|代码|程式碼", re.IGNORECASE)
_CHAIN = 12


@dataclass(frozen=True, slots=True)
class Style:
    """What matters of a paragraph style."""

    name: str = ""
    level: int = 0
    number: tuple[str, int] | None = None
    is_title: bool = False

    @property
    def is_caption(self) -> bool:
        """Whether it stands under or over pictures and tables."""
        return self.name.casefold() in _CAPTIONS

    @property
    def is_contents(self) -> bool:
        """Whether it is an entry of a table of contents, which only repeats headings."""
        return bool(_CONTENTS.match(self.name))

    @property
    def is_code(self) -> bool:
        """Whether spaces count in it."""
        return bool(_CODE.search(self.name))


class Styles:
    """The paragraph styles of one document, each with what it takes over from those that it is based on."""

    def __init__(self, root: Any) -> None:
        self._elements = {style.get(w("styleId")): style for style in root.iter(w("style"))} if root is not None else {}
        self._known: dict[str | None, Style] = {}

    def of(self, style_id: str | None) -> Style:
        """The style with this id; a plain one when there is none."""
        if style_id not in self._known:
            self._known[style_id] = self._read(style_id)
        return self._known[style_id]

    def _read(self, style_id: str | None) -> Style:
        chain = self._chain(style_id)
        name = (value_of(chain[0], "name") or "") if chain else ""
        number = next((found for style in chain if (found := number_of(style.find(w("pPr"))))), None)
        names = [value_of(style, "name") or "" for style in chain]
        is_title = any(found.casefold() in _TITLES for found in names)
        return Style(name, 0 if is_title else _level(chain, names), number, is_title)

    def _chain(self, style_id: str | None) -> list[Any]:
        chain: list[Any] = []
        while style_id in self._elements and len(chain) < _CHAIN:
            chain.append(self._elements[style_id])
            style_id = value_of(chain[-1], "basedOn")
        return chain


def number_of(properties: Any) -> tuple[str, int] | None:
    """The list and level that paragraph properties name; list "0" takes a paragraph out of its style's list."""
    numbering = properties.find(w("numPr")) if properties is not None else None
    if numbering is None:
        return None
    level = value_of(numbering, "ilvl") or "0"
    return value_of(numbering, "numId") or "", int(level) if level.isdecimal() else 0


def outline_level(properties: Any) -> int:
    """The depth 1–9 that properties give a paragraph in the outline; 0 for body text."""
    level = value_of(properties, "outlineLvl")
    return int(level) + 1 if level is not None and level.isdecimal() and int(level) < 9 else 0


def _level(chain: list[Any], names: list[str]) -> int:
    for style, name in zip(chain, names, strict=True):
        if found := _HEADING.match(name):
            return int(found["level"])
        if level := outline_level(style.find(w("pPr"))):
            return level
    return 0

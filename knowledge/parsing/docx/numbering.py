"""The numbers before list items and headings, counted as Word counts them: given a list and level, gives the marker that people see."""

import re
from collections.abc import Callable
from typing import Any

from knowledge.parsing.docx.names import value_of, w

_PLACE = re.compile(r"%([1-9])")
_DIGITS = "〇一二三四五六七八九"
_ROMAN = (
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
)


class Numbering:
    """The running numbers of one document."""

    def __init__(self, root: Any) -> None:
        elements = list(root) if root is not None else []
        abstract = {element.get(w("abstractNumId")): element for element in elements if element.tag == w("abstractNum")}
        self._lists = {
            element.get(w("numId")): (value_of(element, "abstractNumId") or "", element)
            for element in elements
            if element.tag == w("num")
        }
        self._levels = {
            key: {level.get(w("ilvl")): level for level in element.iter(w("lvl"))} for key, element in abstract.items()
        }
        self._counts: dict[str, dict[int, int]] = {}
        self._begun: set[str] = set()

    def marker(self, list_id: str, level: int) -> str:
        """The next marker of a list at a level: "-" for bullets, "" where the list shows nothing or does not exist."""
        abstract_id, element = self._lists.get(list_id, ("", None))
        levels = self._levels.get(abstract_id, {})
        definition = levels.get(str(level))
        if definition is None:
            return "-" if list_id not in ("", "0") else ""
        self._restart(list_id, abstract_id, element)
        counts = self._counts.setdefault(abstract_id, {})
        counts[level] = counts[level] + 1 if level in counts else _start(definition)
        for deeper in [key for key in counts if key > level]:
            del counts[deeper]
        return self._text(definition, levels, counts)

    def _restart(self, list_id: str, abstract_id: str, element: Any) -> None:
        """The first use of a list that overrides where its levels start."""
        if list_id in self._begun:
            return
        self._begun.add(list_id)
        for override in element.iter(w("lvlOverride")):
            start = value_of(override, "startOverride")
            if start is not None and start.isdecimal():
                self._counts.setdefault(abstract_id, {})[int(override.get(w("ilvl"), "0"))] = int(start) - 1

    def _text(self, definition: Any, levels: dict[str, Any], counts: dict[int, int]) -> str:
        if value_of(definition, "numFmt") in ("bullet", None):
            return "-"
        if value_of(definition, "numFmt") == "none":
            return ""
        is_legal = definition.find(w("isLgl")) is not None

        def number(found: re.Match[str]) -> str:
            place = int(found[1]) - 1
            style = value_of(levels.get(str(place)), "numFmt") or "decimal"
            return _written(counts.get(place, 1), "decimal" if is_legal else style)

        return _PLACE.sub(number, value_of(definition, "lvlText") or "").strip()


def _start(definition: Any) -> int:
    start = value_of(definition, "start") or "1"
    return int(start) if start.isdecimal() else 1


def _written(number: int, style: str) -> str:
    return _STYLES.get(style, str)(number)


def _letters(number: int) -> str:
    # a … z, aa, bb …, as Word goes on
    return chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1) if number > 0 else str(number)


def _roman(number: int) -> str:
    written = ""
    for value, letters in _ROMAN:
        written += letters * (number // value)
        number %= value
    return written


def _chinese(number: int) -> str:
    if not 0 < number < 100:
        return "".join(_DIGITS[int(digit)] for digit in str(number)) if number >= 0 else str(number)
    tens, ones = divmod(number, 10)
    return ("" if tens == 0 else "十" if tens == 1 else f"{_DIGITS[tens]}十") + (_DIGITS[ones] if ones else "")


_STYLES: dict[str, Callable[[int], str]] = {
    "lowerLetter": _letters,
    "upperLetter": lambda number: _letters(number).upper(),
    "lowerRoman": _roman,
    "upperRoman": lambda number: _roman(number).upper(),
    "decimalZero": lambda number: f"{number:02d}",
    "chineseCounting": _chinese,
    "chineseCountingThousand": _chinese,
    "japaneseCounting": _chinese,
    "taiwaneseCountingThousand": _chinese,
    "ideographDigital": _chinese,
    "decimalEnclosedCircle": lambda number: chr(0x245F + number) if 1 <= number <= 20 else str(number),
    "decimalEnclosedCircleChinese": lambda number: chr(0x245F + number) if 1 <= number <= 20 else str(number),
    "decimalFullWidth": lambda number: str(number).translate({48 + digit: 0xFF10 + digit for digit in range(10)}),
}

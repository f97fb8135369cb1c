"""Codes of products, parts and faults: P-100, RTX4090, E-07. A question that names one is about that one, and not about its neighbour P-160."""

import re

from common.text import fold

_CODE = re.compile(r"\b([A-Z]{1,6})-?(\d{1,6}[A-Z]?)\b", re.ASCII)
_SEPARATORS = re.compile(r"[-\s]")


def codes_in(text: str) -> frozenset[tuple[str, str]]:
    """Each code as its letters and its number, folded, whatever its hyphen."""
    return frozenset((fold(letters), fold(number)) for letters, number in _CODE.findall(text))


def holds_all(codes: frozenset[tuple[str, str]], text: str) -> bool:
    """Whether each code stands in the text, however it is written there."""
    held = _SEPARATORS.sub("", fold(text))
    return all(letters + number in held for letters, number in codes)


def is_about_others(codes: frozenset[tuple[str, str]], text: str) -> bool:
    """Whether the text names codes of the same letters, and none of these."""
    named = codes_in(text)
    letters = {each for each, _number in codes}
    return not codes & named and any(each in letters for each, _number in named)

"""A second name in brackets after the first, in the other script: "Lin Yuhan (林予涵)", "澜玛（Quellmar）"."""

import re

from common.text import HAN

_HELD = re.compile(r"\s?[(（]\s*([^()（）\n]{2,60}?)\s*[)）]")
_HAN_NAME = re.compile(rf"[{HAN}·]{{2,12}}")
_LATIN_NAME = re.compile(r"[A-Z][\w.&'’-]*(?: [\w.&'’-]+){0,5}")
_HAN = re.compile(f"[{HAN}]")


def alias_after(words: str, start: int, end: int) -> tuple[str, int]:
    """The other name that follows the name at `start:end`, and where its brackets end; ("", end) where there is none."""
    held = _HELD.match(words, end)
    if held is None:
        return "", end
    other = _LATIN_NAME if _HAN.search(words, start, end) else _HAN_NAME
    return (held[1], held.end()) if other.fullmatch(held[1]) else ("", end)

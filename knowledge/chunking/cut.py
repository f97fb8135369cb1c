"""Cut what is too long to be kept whole. Given a stretch of text and a limit in tokens, gives pieces below it that cover the stretch.

It breaks, best first, at a line's end, a sentence's end, a clause's end, a space or a cell's border, between two characters; never inside a character with its marks,
a flag or a joined emoji unless that alone is too long.
"""

import re
import unicodedata
from collections.abc import Iterator

from knowledge.chunking.types import CountTokens

_BREAKS = tuple(
    re.compile(pattern)
    for pattern in (r"\n", r"[。！？；…]|[.!?;](?=\s)", r"[，、,:：)）」』”]", r"[\s|]", r"[/&?=\-_.]")
)
_CHARACTERS_A_TOKEN = 6
_LONGEST_CLUSTER = 32
_JOINER = "\u200d"


def cut_to_fit(text: str, start: int, end: int, *, limit: int, count_tokens: CountTokens) -> Iterator[tuple[int, int]]:
    """Pieces of `text[start:end]` in order, each at most `limit` tokens by `count_tokens` (a single code point may be more)."""
    while start < end:
        stop = min(end, start + _CHARACTERS_A_TOKEN * limit)
        tokens = count_tokens([text[start:stop]])[0]
        while tokens > limit and stop - start > 1:
            wanted = start + max(1, int((stop - start) * limit / tokens * 0.95))
            stop = _break_before(text, start, min(wanted, stop - 1))
            tokens = count_tokens([text[start:stop]])[0]
        if stop < end and stop == start + _CHARACTERS_A_TOKEN * limit:
            stop = _break_before(text, start, stop)
        yield start, stop
        start = stop


def _break_before(text: str, start: int, stop: int) -> int:
    """The best place to break in the second half of `text[start:stop]`, or `stop` itself moved back to a whole character."""
    half = start + (stop - start) // 2
    for pattern in _BREAKS:
        ends = [found.end() for found in pattern.finditer(text, half, stop)]
        if ends and _is_boundary(text, ends[-1]):
            return ends[-1]
    for position in range(stop, max(start, stop - _LONGEST_CLUSTER), -1):
        if _is_boundary(text, position):
            return position
    return stop


def _is_boundary(text: str, position: int) -> bool:
    """Whether a reader sees two characters on the two sides (the common part of Unicode's rules for grapheme clusters, UAX 29)."""
    if position <= 0 or position >= len(text):
        return True
    before, after = text[position - 1], text[position]
    if (
        unicodedata.category(after).startswith("M")
        or _JOINER in (before, after)
        or "\U0001f3fb" <= after <= "\U0001f3ff"
    ):
        return False
    return not (_is_flag_half(before) and _is_flag_half(after) and _flag_halves_before(text, position) % 2)


def _is_flag_half(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _flag_halves_before(text: str, position: int) -> int:
    first = position
    while first > 0 and _is_flag_half(text[first - 1]):
        first -= 1
    return position - first

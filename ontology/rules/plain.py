"""A stretch of canonical text as people read it: without Markdown's marks, link targets, tags and addresses, and with the way back to the source's offsets.

Names and phrases are looked for here, so that `**GPT-4**` and `[GPT-4](https://…)` both hold the name GPT-4 and an address holds none.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass

_MARKS = re.compile(
    r"""
    !?\[(?P<words>[^\[\]\n]{1,300})\]\((?:[^()\s]|\([^()\s]{0,80}\)){0,300}(?:\s+"[^"\n]{0,200}")?\)   # a link or picture: its words stay
    | <?https?://[^\s<>()\[\]（），。；]{1,500}>?                                                        # an address
    | </?(?:a|abbr|b|br|code|div|em|font|i|img|kbd|li|mark|p|small|span|strong|sub|sup|td|th|tr|u|ul)(?:\s[^<>\n=]{0,60}=[^<>\n]{0,300})?\s?/?>
    | \\(?=[\\`*_{}\[\]()\#+.!|<>~-])
    | (?<![\d*])\*{1,3}(?=\S) | (?<=\S)\*{1,3}(?![\d*])                      # not the sign of multiplication
    | (?<!\w)_{1,3}(?=\w) | (?<=[\w.。!?）)])_{1,3}(?!\w)
    | `{1,3} | ~~
    """,
    re.VERBOSE,
)


_ADDRESS = re.compile(r"\s*<?(?P<address>https?://[^\s<>|]{1,500})>?\s*")


@dataclass(frozen=True, slots=True)
class Plain:
    """Words of `source[start:end]`; `cuts[i]` is where the i-th kept stretch begins in `text`, `shifts[i]` what leads from there to the source."""

    text: str
    cuts: tuple[int, ...]
    shifts: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the source that holds `text[start:end]`, which must not be empty."""
        return self._offset(start), self._offset(end - 1) + 1

    def _offset(self, position: int) -> int:
        return position + self.shifts[bisect_right(self.cuts, position) - 1]


def address_in(source: str, start: int, end: int) -> tuple[int, int] | None:
    """Where the address stands in a stretch that holds nothing else: as a value it is one, as plain words it is left out."""
    found = _ADDRESS.fullmatch(source, start, end)
    return found.span("address") if found else None


def plain(source: str, start: int = 0, end: int | None = None) -> Plain:
    """The words between two offsets of the source; time and memory are in proportion to them."""
    stop = len(source) if end is None else end
    pieces: list[str] = []
    cuts: list[int] = []
    shifts: list[int] = []
    length = 0

    def keep(first: int, last: int) -> None:
        nonlocal length
        if first < last:
            pieces.append(source[first:last])
            cuts.append(length)
            shifts.append(first - length)
            length += last - first

    after = start
    for mark in _MARKS.finditer(source, start, stop):
        keep(after, mark.start())
        if mark["words"] is not None:
            keep(*mark.span("words"))
        after = mark.end()
    keep(after, stop)
    if not cuts:
        return Plain("", (0,), (start,))
    return Plain("".join(pieces), tuple(cuts), tuple(shifts))

"""A place's words and some around them as people read them: cut between words with an ellipsis, a table's row as its cells. Given the words of its line, gives before, quote and after."""

import re

from common.text import HAN

AROUND = 90
"""Characters that are read on either side."""
Parts = tuple[str, str, str]
_FIRST_WORD = re.compile(rf"[^\W{HAN}]+(?:['’-][^\W{HAN}]+)*[^\w\s]*(?:\s+|(?=[{HAN}]))|[^\w\s]*\s+")
_LAST_WORD = re.compile(rf"(?:\s+|(?<=[{HAN}，。；：、]))[^\W{HAN}]+$|\s+$")
_BAR = re.compile(r"[ \t]*(?<!\\)(?:\|[ \t]*)+")
_RULE = re.compile(r"(?:^|(?<=\n))[ \t]*\|?(?:[ \t]*:?-{3,}:?[ \t]*\|?)+[ \t]*(?:\n|$)")


def shown_words(before: str, quote: str, after: str, *, start: int) -> Parts:
    """`start` is the quote's offset in the text: what stands in the middle of a line is cut where `AROUND` characters were read and more were there."""
    is_cut_before = len(before) == AROUND < start
    is_cut_after = len(after) == AROUND
    is_row = is_row_of_table(before, quote, after, is_cut=is_cut_before)
    if is_cut_before:
        before = "…" + _FIRST_WORD.sub("", before, count=1) if _FIRST_WORD.match(before) else f"…{before}"
    if is_cut_after:
        after = _LAST_WORD.sub("", after) + "…"
    return in_cells(before, quote, after) if is_row else (before, quote, after)


def is_row_of_table(before: str, quote: str, after: str, *, is_cut: bool) -> bool:
    """A row begins with a bar; of one whose beginning was cut away, more bars are seen."""
    line = f"{before}{quote}"
    return line.lstrip().startswith("|") or (is_cut and f"{line}{after}".count(" | ") > 1)


def in_cells(before: str, quote: str, after: str) -> Parts:
    """Dots between the cells; the rule under a header holds none."""
    before, quote, after = (_BAR.sub(" · ", _RULE.sub("", part)) for part in (before, quote, after))
    return before.lstrip(" ·"), quote.strip(" ·") or quote, after.rstrip(" ·")

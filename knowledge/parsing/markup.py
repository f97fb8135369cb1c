"""The smallest parts of canonical Markdown: what a heading's line, a paragraph, an item and a table's row are made of."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from common.text import canonical

_SPACES = re.compile(r"\s+")
_BLANK_LINES = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+")
_ROOM_AROUND_LINES = re.compile(r"[^\S\n]*\n[^\S\n]*")


@dataclass(frozen=True, slots=True)
class Item:
    """A list's item: `marker` as the reader sees it ("-", "3.", "(a)"), its text, and the items under it."""

    text: str
    marker: str = "-"
    children: Sequence["Item"] = ()


def one_line(text: str) -> str:
    """Text on a single line with single spaces: for headings and titles."""
    return _SPACES.sub(" ", canonical(text)).strip()


def few_lines(text: str) -> str:
    """Text whose line breaks are kept and whose empty lines are not: for paragraphs, items and answers."""
    return _ROOM_AROUND_LINES.sub("\n", _BLANK_LINES.sub("\n", canonical(text))).strip()


def cell_text(text: str) -> str:
    """What stands in a table's cell: lines are joined with " / ", bars are escaped."""
    lines = (" ".join(line.split()) for line in canonical(text).split("\n"))
    return " / ".join(line for line in lines if line).replace("|", "\\|")


def item_lines(item: Item) -> Iterable[str]:
    """The lines of an item with what is under it, indented by the width of its marker."""
    marker = one_line(item.marker) or "-"
    text = few_lines(item.text)
    below = [line for child in item.children for line in item_lines(child)]
    if not text and not below:
        return
    indent = " " * (len(marker) + 1)
    first, *more = text.split("\n")
    yield f"{marker} {first}".rstrip()
    for line in chain(more, below):
        yield indent + line


def rule_line(width: int) -> str:
    """The line between a table's header and its body."""
    return "| " + " | ".join(["---"] * width) + " |"


def row_line(row: Sequence[str], width: int) -> str:
    """A table's row of at least `width` cells; "" when nothing stands in it."""
    cells = [cell_text(cell) for cell in row]
    if not any(cells):
        return ""
    cells += [""] * (width - len(cells))
    return "| " + " | ".join(cells) + " |"

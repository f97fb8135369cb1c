"""The pieces of which a page's text is made, before they are written; and how lines and paragraphs are joined into running text."""

import re
from dataclasses import dataclass, field

from knowledge.parsing.pdf.places import CJK, Box
from knowledge.types import BlockKind

SOFT_HYPHEN = "\u00ad"
_ENDS_SENTENCE = re.compile(r"[.!?…。！？：:；;][\"'”’」』）)\]]*$")
_PLAIN_WORD_END = re.compile(r"(?:^|\s)[^\W\d_-]{2,}$")
_GOES_ON = re.compile(r"[a-zà-öø-ÿ,;)\]，、；）]")


@dataclass(frozen=True, slots=True)
class Piece:
    """One block to be: its kind and place; `reaches_edge` says that its last line is full, so that it may go on elsewhere."""

    kind: BlockKind
    box: Box
    text: str = ""
    level: int = 0
    rows: list[list[str]] = field(default_factory=list)
    items: list[tuple[int, str, str]] = field(default_factory=list)
    reaches_edge: bool = False
    picture: bytes | None = None


def joint(before: str, after: str) -> tuple[str, str]:
    """How two lines of one paragraph join: the first line as it then ends, and what stands between them.

    A hyphen at the end of a plain word goes when the next line begins in lower case; Chinese lines join without a space.
    """
    if before.endswith((SOFT_HYPHEN, "-", "‐")):
        stem = before[:-1]
        if before.endswith(SOFT_HYPHEN) and not stem:
            return "", ""
        is_word_cut = after[:1].islower() and bool(_PLAIN_WORD_END.search(stem))
        return (stem, "") if is_word_cut else (f"{stem}-" if before.endswith(SOFT_HYPHEN) else before, "")
    if before and after and CJK.match(before[-1]) and CJK.match(after[0]):
        return before, ""
    return before, " "


def goes_on(first: Piece, second: Piece) -> bool:
    """Whether a paragraph is continued by the first one of the next column or page."""
    if first.kind is not BlockKind.PARAGRAPH or second.kind is not BlockKind.PARAGRAPH:
        return False
    if first.text.endswith((SOFT_HYPHEN, "-")) and second.text[:1].islower():
        return True
    if not first.reaches_edge or _ENDS_SENTENCE.search(first.text):
        return False
    is_chinese = bool(CJK.match(first.text[-1]) and CJK.match(second.text[0]))
    return is_chinese or bool(_GOES_ON.match(second.text))

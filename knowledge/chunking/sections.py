"""Sections from headings. Given a text and its blocks, gives one SectionDraft a heading, and section 0 for the whole.

Section n belongs to the n-th heading (counted from 1), so that the chunker can name sections without being given them.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from knowledge.types import Block, BlockKind, SectionDraft

TITLE_CHARACTERS = 200
_READ_CHARACTERS = 1000
_MARKS = re.compile(r"^\s*#{1,6}\s+|\s+#+\s*$|(?<!\w)[*_`]+|[*_`]+(?!\w)|\s*\{#[^}]*\}\s*$")


def heading_title(text: str, block: Block) -> str:
    """The words of a heading without Markdown's marks, on one line, at most 200 characters."""
    line = text[block.start : min(block.end, block.start + _READ_CHARACTERS)].strip().split("\n", 1)[0]
    title = " ".join(_MARKS.sub("", line).split())
    return title if len(title) <= TITLE_CHARACTERS else title[: TITLE_CHARACTERS - 1] + "…"


def sections(text: str, blocks: Iterable[Block], *, title: str) -> list[SectionDraft]:
    """A section reaches from its heading to the next heading of the same or a higher level; `title` names section 0."""
    drafts = [SectionDraft(ordinal=0, parent=None, level=0, title=title, start=0, end=len(text))]
    open_ones = [0]
    for block in blocks:
        if block.kind is not BlockKind.HEADING:
            continue
        while drafts[open_ones[-1]].level >= max(block.level, 1):
            closed = open_ones.pop()
            drafts[closed] = replace(drafts[closed], end=block.start)
        drafts.append(
            SectionDraft(
                ordinal=len(drafts),
                parent=open_ones[-1],
                level=max(block.level, 1),
                title=heading_title(text, block),
                start=block.start,
                end=len(text),
            )
        )
        open_ones.append(len(drafts) - 1)
    return drafts

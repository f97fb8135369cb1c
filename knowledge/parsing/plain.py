"""Plain text: the source itself is the canonical text. Paragraphs are parted by empty lines; headings and lists are marked where they are plain to see.

A line is a heading when it stands alone and is underlined, or is numbered like one ("第三章 …", "2.1 Scope"). Lines that begin with the same kind of
mark are a list.
"""

import re
from collections.abc import Iterator

from knowledge.parsing.sources import text_of
from knowledge.parsing.writer import Span, Writer
from knowledge.types import BlockKind, SourceFile

_TITLE_CHARS = 60

_PARAGRAPH = re.compile(r"[^\S\n]*\S.*(?:\n[^\S\n]*\S.*)*")
_LINE = re.compile(r"[^\n]+")
_UNDERLINED = re.compile(r"\A\s*\S[^\n]{0,100}\n\s*(?P<rule>={3,}|-{3,})\s*\Z")
_CHINESE_HEADING = re.compile(
    r"\A\s*第\s*[一二三四五六七八九十百零〇\d]+\s*(?P<unit>[篇编編章节節])[\s:：、.]*[^\n。；;]{0,40}\Z"
)
_COUNTED_HEADING = re.compile(
    r"\A\s*(?:[一二三四五六七八九十]{1,3}、|[（(][一二三四五六七八九十]{1,3}[）)])\s*[^\n。；;，,：:]{1,30}\Z"
)
_NUMBERED_HEADING = re.compile(r"\A\s*(?P<number>\d{1,2}(?:\.\d{1,2}){1,4})\.?\s+(?=\S)[^\n.。！!?？；;]{1,60}\Z")
_MARK = re.compile(
    r"\s*(?:(?P<bullet>[-*+•●▪◦‣·])|(?P<number>\(?\d{1,3}[.)、）]|[（(][一二三四五六七八九十]{1,3}[）)]))\s*(?=\S)"
)
_BULLET_ROOM = re.compile(r"\s*[-*+·]\S")


def parse(source: SourceFile, writer: Writer) -> None:
    """Write a text file's words and blocks."""
    text = text_of(source, writer.limits).strip("\n").rstrip()
    writer.title = _title(text)
    base = writer.verbatim(text)
    for found in _PARAGRAPH.finditer(text):
        _mark_paragraph(writer, base, text, found.start(), found.end())


def _title(text: str) -> str:
    """A short first line that stands alone above the rest and is no sentence; "" without one."""
    first = text.lstrip().split("\n\n", 1)[0].split("\n")
    is_alone = len(first) == 1 or bool(_UNDERLINED.match("\n".join(first)))
    line = first[0].strip()
    is_sentence = line.endswith((".", "。", "！", "!", "?", "？", ":", "：", ";", "；", ",", "，"))
    return line if is_alone and len(line) <= _TITLE_CHARS and not is_sentence and line != text.strip() else ""


def _mark_paragraph(writer: Writer, base: int, text: str, start: int, end: int) -> None:
    words = text[start:end].rstrip()
    first = base + start + len(words) - len(words.lstrip())
    if level := _heading_level(words):
        # The line under a heading is no part of it.
        writer.mark(BlockKind.HEADING, first, first + len(words.strip().split("\n")[0].rstrip()), level=level)
        return
    for kind, (part_start, part_end), items in _lists_and_prose(words):
        parts = [(base + start + item_start, base + start + item_end) for item_start, item_end in items]
        writer.mark(kind, max(base + start + part_start, first), base + start + part_end, parts=parts)


def _heading_level(words: str) -> int:
    """The depth of a heading; 0 for what is none."""
    if found := _UNDERLINED.match(words):
        return 1 if found["rule"].startswith("=") else 2
    if found := _CHINESE_HEADING.match(words):
        return 2 if found["unit"] in "节節" else 1
    if _COUNTED_HEADING.match(words):
        return 2
    if found := _NUMBERED_HEADING.match(words):
        return min(found["number"].count(".") + 1, 6)
    return 0


def _lists_and_prose(words: str) -> Iterator[tuple[BlockKind, Span, list[Span]]]:
    """A paragraph's lines as stretches of prose and lists of two and more items; lines without a mark go on with the item above them."""
    lines = [found.span() for found in _LINE.finditer(words)]
    marked = [_is_item(words[start:end]) for start, end in lines]
    if sum(marked) < 2:
        yield BlockKind.PARAGRAPH, (0, len(words)), []
        return
    first_item = marked.index(True)
    if first_item:
        yield BlockKind.PARAGRAPH, (0, lines[first_item - 1][1]), []
    starts = [line[0] for line, is_item in zip(lines, marked, strict=True) if is_item]
    ends = [*(start - 1 for start in starts[1:]), len(words)]
    yield BlockKind.LIST, (starts[0], len(words)), list(zip(starts, ends, strict=True))


def _is_item(line: str) -> bool:
    return bool(_MARK.match(line)) and not _BULLET_ROOM.match(line)

"""The text of a shape on a slide: given its body in XML, gives paragraphs and lists, with levels as nesting and numbers as people see them."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from knowledge.parsing.markup import Item
from knowledge.parsing.scripts import lowered, raised

DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
_A = f"{{{DRAWING}}}"
_NO_BULLET = f"{_A}buNone"
_BULLETS = (f"{_A}buChar", f"{_A}buBlip")
_NUMBERED = f"{_A}buAutoNum"


def frame_parts(body: Any, *, is_list: bool) -> Iterator[str | list[Item]]:
    """Paragraphs as texts and runs of bulleted ones as lists. `is_list` says that bullets are the shape's rule."""
    lines = [(_bullet(paragraph, is_list), _level(paragraph), _words(paragraph)) for paragraph in body.iter(f"{_A}p")]
    written = [line for line in lines if line[2].strip()]
    if len(written) == 1:
        yield written[0][2]
        return
    for has_bullet, run in groupby(written, key=lambda line: bool(line[0])):
        if has_bullet:
            yield nested([(level, marker, words) for marker, level, words in run])
        else:
            yield from (words for _marker, _level_of, words in run)


def nested(lines: list[tuple[int, str, str]]) -> list[Item]:
    """Lines of (level, marker, words) as items within items; the marker "#" counts."""
    items: list[Item] = []
    index = 0
    count = 0
    while index < len(lines):
        level, marker, words = lines[index]
        end = index + 1
        while end < len(lines) and lines[end][0] > level:
            end += 1
        count = count + 1 if marker == "#" else 0
        items.append(Item(words, f"{count}." if marker == "#" else marker, nested(lines[index + 1 : end])))
        index = end
    return items


def _words(paragraph: Any) -> str:
    pieces: list[str] = []
    for element in paragraph:
        if element.tag in (f"{_A}r", f"{_A}fld"):
            text = "".join(found.text or "" for found in element.iter(f"{_A}t"))
            shift = int(
                (element.find(f"{_A}rPr").get("baseline") if element.find(f"{_A}rPr") is not None else None) or 0
            )
            pieces.append(raised(text) if shift > 0 else lowered(text) if shift < 0 else text)
        elif element.tag == f"{_A}br":
            pieces.append("\n")
        elif not element.tag.startswith(_A):
            pieces.append("".join(element.itertext()))
    return "".join(pieces)


def _bullet(paragraph: Any, is_list: bool) -> str:
    """The marker before a paragraph; "" for none, "#" for a counted one."""
    properties = paragraph.find(f"{_A}pPr")
    if properties is not None:
        if properties.find(_NO_BULLET) is not None:
            return ""
        if properties.find(_NUMBERED) is not None:
            return "#"
        if any(properties.find(tag) is not None for tag in _BULLETS):
            return "-"
    return "-" if is_list else ""


def _level(paragraph: Any) -> int:
    properties = paragraph.find(f"{_A}pPr")
    return int(properties.get("lvl") or 0) if properties is not None else 0

"""The words of a paragraph: given its XML, gives its text, the pictures and text boxes in it and the notes it refers to.

Insertions are kept and deletions dropped; hidden text, field codes and comments are left out; of alternative content the first choice is taken.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from knowledge.parsing.docx.equations import equation_text
from knowledge.parsing.docx.names import COMPATIBILITY, DRAWING, MATH, RELATIONS, VML, is_on, value_of, w
from knowledge.parsing.scripts import lowered, raised

_DROPPED = frozenset(
    w(name)
    for name in (
        "del",
        "moveFrom",
        "instrText",
        "delText",
        "pPr",
        "rPr",
        "annotationRef",
        "footnoteRef",
        "endnoteRef",
        "rt",
    )
)
_SYMBOLS = {
    "F0FE": "☑",
    "F0A8": "☐",
    "F06F": "☐",
    "F0FD": "☒",
    "F0E0": "→",
    "F0DF": "←",
    "F0FC": "✓",
    "F0FB": "✗",
    "F0B0": "°",
    "F0B1": "±",
    "F0B3": "≥",
    "F0A3": "≤",
    "F0B4": "×",
    "F06D": "μ",
    "F057": "Ω",
}


@dataclass(frozen=True, slots=True)
class PlacedPicture:
    """A picture in a paragraph: the relation that names its bytes and its alternative text."""

    relation: str
    alternative: str


@dataclass(slots=True)
class Words:
    """What a paragraph holds."""

    text: str = ""
    pictures: list[PlacedPicture] = field(default_factory=list)
    boxes: list[Any] = field(default_factory=list)


NoteMark = Callable[[str, str], str]


def words_of(paragraph: Any, note_mark: NoteMark) -> Words:
    """Read a paragraph; `note_mark` gives the mark for a note's kind ("footnote" or "endnote") and id."""
    words = Words()
    words.text = "".join(_pieces(paragraph, words, note_mark))
    return words


def _pieces(element: Any, words: Words, note_mark: NoteMark) -> Iterator[str]:
    for child in element:
        tag = child.tag
        if not isinstance(tag, str) or tag in _DROPPED:
            continue
        if tag == w("r"):
            yield _run(child, words, note_mark)
        elif tag in (f"{{{MATH}}}oMath", f"{{{MATH}}}oMathPara"):
            yield equation_text(child)
        elif tag == f"{{{COMPATIBILITY}}}AlternateContent":
            yield from _choice(child, words, note_mark)
        elif tag in (w("drawing"), w("pict"), w("object")):
            _take_drawing(child, words)
        else:
            yield _sign(child, note_mark)
            yield from _pieces(child, words, note_mark)


def _run(run: Any, words: Words, note_mark: NoteMark) -> str:
    properties = run.find(w("rPr"))
    if properties is not None and is_on(properties, "vanish"):
        return ""
    text = "".join(_pieces(run, words, note_mark))
    if text.startswith("[^"):
        return text
    place = value_of(properties, "vertAlign")
    return raised(text) if place == "superscript" else lowered(text) if place == "subscript" else text


def _sign(element: Any, note_mark: NoteMark) -> str:
    """The text of an element without children of interest."""
    tag = element.tag.removeprefix(w(""))
    match tag:
        case "t":
            return element.text or ""
        case "tab" | "ptab":
            return "\t"
        case "cr":
            return "\n"
        case "br":
            return "" if element.get(w("type")) in ("page", "column") else "\n"
        case "noBreakHyphen":
            return "-"
        case "sym":
            return _symbol(element.get(w("char")) or "")
        case "footnoteReference":
            return note_mark("footnote", element.get(w("id"), ""))
        case "endnoteReference":
            return note_mark("endnote", element.get(w("id"), ""))
    return ""


def _symbol(code: str) -> str:
    if code.upper() in _SYMBOLS:
        return _SYMBOLS[code.upper()]
    try:
        character = chr(int(code, 16))
    except (ValueError, OverflowError):
        return ""
    return "" if "\ue000" <= character <= "\uf8ff" else character


def _choice(element: Any, words: Words, note_mark: NoteMark) -> Iterator[str]:
    """The first choice says the same as the fallback, for newer programs."""
    branches = [child for child in element if isinstance(child.tag, str)]
    if branches:
        yield from _pieces(branches[0], words, note_mark)


def _take_drawing(drawing: Any, words: Words) -> None:
    boxes = [box for box in drawing.iter(w("txbxContent")) if not _is_inside_box(box, drawing)]
    words.boxes += boxes
    alternative = _alternative(drawing)
    for blip in drawing.iter(f"{{{DRAWING}}}blip"):
        if (relation := blip.get(f"{{{RELATIONS}}}embed")) and not _is_inside_box(blip, drawing):
            words.pictures.append(PlacedPicture(relation, alternative))
    for data in drawing.iter(f"{{{VML}}}imagedata"):
        if relation := data.get(f"{{{RELATIONS}}}id"):
            words.pictures.append(PlacedPicture(relation, alternative))


def _is_inside_box(element: Any, drawing: Any) -> bool:
    parent = element.getparent()
    while parent is not None and parent is not drawing:
        if parent.tag in (w("txbxContent"), f"{{{COMPATIBILITY}}}Fallback"):
            return True
        parent = parent.getparent()
    return False


def _alternative(drawing: Any) -> str:
    """The alternative text that somebody wrote; programs put a file's name there."""
    for properties in drawing.iter():
        if isinstance(properties.tag, str) and properties.tag.endswith("}docPr"):
            words = (properties.get("descr") or "").strip()
            return "" if "." in words[-5:] and " " not in words else words
    return ""

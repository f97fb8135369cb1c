"""DOCX: the body of a Word document in order, by python-docx. Headers, footers, comments and the table of contents are left out.

Title and heading styles (also localised ones and outline levels) become headings, numbered paragraphs lists with the numbers that people see, notes stand
at the end of the section that refers to them, pictures in their place with the caption beside them.
"""

import re
from collections.abc import Iterator
from typing import Any

import docx
from docx.opc.exceptions import OpcError
from docx.oxml.exceptions import InvalidXmlError

from knowledge.parsing import refusals
from knowledge.parsing.containers import FAULTS, open_container, refuse_long_parts
from knowledge.parsing.docx.inline import PlacedPicture, Words, words_of
from knowledge.parsing.docx.names import value_of, w
from knowledge.parsing.docx.notes import Notes
from knowledge.parsing.docx.numbering import Numbering
from knowledge.parsing.docx.styles import Style, Styles, number_of, outline_level
from knowledge.parsing.docx.tables import cells_of, grid_of, header_rows, rows_of
from knowledge.parsing.media import LABELS, MediaType
from knowledge.parsing.slide_text import nested
from knowledge.parsing.tables import write_table
from knowledge.parsing.writer import Writer
from knowledge.types import SourceFile

_FAULTS = (*FAULTS, OpcError, InvalidXmlError)
_CONTAINERS = frozenset(w(name) for name in ("sdt", "sdtContent", "ins", "moveTo", "smartTag", "customXml"))
_PARTS = ("styles", "numbering")
CAPTION = re.compile(r"\s*(?:图|圖|附图|Figure|Fig\.?|FIG\.?)\s*[\dA-Z][\d.\-–]*", re.IGNORECASE)


def parse(source: SourceFile, writer: Writer) -> None:
    """Write what a Word document says."""
    archive = open_container(source.path)
    if archive is None:
        raise refusals.broken_file(source.name, label=LABELS[MediaType.DOCX])
    with archive:
        refuse_long_parts(archive, writer.limits, source.name)
    try:
        document = docx.Document(str(source.path))
        _Body(writer, document).write()
    except _FAULTS as error:
        raise refusals.broken_file(source.name, label=LABELS[MediaType.DOCX]) from error


class _Body:
    """Walks the body: list items, code lines and pictures wait until it is clear what follows them."""

    def __init__(self, writer: Writer, document: Any) -> None:
        self.writer = writer
        self.part = document.part
        self.body = document.element.body
        roots = {name: _part_root(document.part, name) for name in _PARTS}
        self.styles = Styles(roots["styles"])
        self.numbering = Numbering(roots["numbering"])
        self.notes = Notes(document.part)
        self.list_lines: list[tuple[int, str, str]] = []
        self.code_lines: list[str] = []
        self.pictures: list[PlacedPicture] = []
        self.level_shift = 0
        writer.title = document.core_properties.title or ""

    def write(self) -> None:
        """Write everything."""
        self._blocks(self.body)
        self._settle()
        self._write_notes()

    def _blocks(self, parent: Any) -> None:
        for element in parent:
            if element.tag == w("p"):
                self._paragraph(element)
            elif element.tag == w("tbl"):
                self._table(element)
            elif element.tag in _CONTAINERS:
                self._blocks(element)

    def _paragraph(self, paragraph: Any) -> None:
        properties = paragraph.find(w("pPr"))
        style = self.styles.of(value_of(properties, "pStyle"))
        if style.is_contents:
            return
        words = words_of(paragraph, self.notes.mark)
        level = outline_level(properties) or style.level
        if words.text.strip():
            self._write_words(words.text, style, level, number_of(properties) or style.number)
        self._take_pictures(words, style)
        for box in words.boxes:
            self._settle()
            self._blocks(box)

    def _write_words(self, text: str, style: Style, level: int, number: tuple[str, int] | None) -> None:
        if style.is_title or level:
            self._settle()
            self._write_notes()
            self._heading(text, style, level, number)
        elif self.pictures and (style.is_caption or CAPTION.match(text)):
            self._write_pictures(caption=text)
        elif number and number[0] not in ("", "0"):
            self._settle(keep="list")
            marker = self.numbering.marker(*number)
            self.list_lines.append((number[1], marker or "-", text))
        elif style.is_code:
            self._settle(keep="code")
            self.code_lines.append(text)
        else:
            self._settle()
            self.writer.paragraph(text)

    def _heading(self, text: str, style: Style, level: int, number: tuple[str, int] | None) -> None:
        """A title stands above the headings of level 1, where a document has one."""
        if style.is_title:
            self.writer.title = self.writer.title or text
            self.level_shift = 1
            self.writer.heading(text, 1)
            return
        marker = self.numbering.marker(*number) if number and number[0] not in ("", "0") else ""
        self.writer.heading(f"{marker} {text}" if marker not in ("", "-") else text, level + self.level_shift)

    def _take_pictures(self, words: Words, style: Style) -> None:
        if not words.pictures:
            return
        self._settle()
        self.pictures += words.pictures
        if words.text.strip() and not style.is_caption:
            self._write_pictures(caption="")

    def _table(self, table: Any) -> None:
        self._settle()
        rows = list(rows_of(table))
        cells = [cell for row in rows for cell in cells_of(row)]
        if len(cells) == 1:
            self._blocks(cells[0])
            return
        write_table(self.writer, grid_of(table, self._cell_words), header_rows(table) or None)
        for cell in cells:
            self._cell_pictures(cell)

    def _cell_words(self, cell: Any) -> str:
        """Paragraphs as lines; a table inside is flattened to a line per row."""
        return "\n".join(line for line in self._cell_lines(cell) if line)

    def _cell_lines(self, cell: Any) -> Iterator[str]:
        for element in cell:
            if element.tag == w("p"):
                properties = element.find(w("pPr"))
                number = number_of(properties) or self.styles.of(value_of(properties, "pStyle")).number
                marker = self.numbering.marker(*number) if number and number[0] not in ("", "0") else ""
                words = words_of(element, self.notes.mark)
                yield f"{marker} {words.text}".strip() if words.text.strip() else ""
                for box in words.boxes:
                    yield from self._cell_lines(box)
            elif element.tag == w("tbl"):
                for row in rows_of(element):
                    yield ", ".join(self._cell_words(inner).replace("\n", " / ") for inner in cells_of(row))
            elif element.tag in _CONTAINERS:
                yield from self._cell_lines(element)

    def _cell_pictures(self, cell: Any) -> None:
        for paragraph in cell.iter(w("p")):
            self.pictures += words_of(paragraph, self._no_mark).pictures
        self._write_pictures(caption="")

    def _no_mark(self, kind: str, note_id: str) -> str:
        return ""

    def _settle(self, keep: str = "") -> None:
        """Write what was waiting, but for what the next paragraph may go on with."""
        if keep != "list" and self.list_lines:
            self.writer.list(nested(self.list_lines))
            self.list_lines = []
        if keep != "code" and self.code_lines:
            self.writer.code("\n".join(self.code_lines))
            self.code_lines = []
        if self.pictures:
            self._write_pictures(caption="")

    def _write_pictures(self, caption: str) -> None:
        waiting, self.pictures = self.pictures, []
        if not waiting:
            return
        for picture in waiting[:-1]:
            self._write_picture(picture, "")
        self._write_picture(waiting[-1], caption)

    def _write_picture(self, picture: PlacedPicture, caption: str) -> None:
        related = self.part.related_parts.get(picture.relation)
        self.writer.image(related.blob if related is not None else None, caption, picture.alternative)

    def _write_notes(self) -> None:
        for note in self.notes.take():
            self.writer.paragraph(note)


def _part_root(main_part: Any, name: str) -> Any:
    """The root element of a part beside the body, such as its styles; None when there is none."""
    for relation in main_part.rels.values():
        if relation.reltype.endswith(f"/{name}") and not relation.is_external:
            part = relation.target_part
            return part.element if hasattr(part, "element") else docx.oxml.parse_xml(part.blob)
    return None

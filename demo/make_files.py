"""Makes the demo's DOCX, XLSX, PPTX, PDF and GB18030 files from the readable texts in `sources/`; writes them into `corpus/`.

Given `sources/hr/a.docx.md`, gives `corpus/hr/a.docx`. The Markdown is plain: headings, paragraphs, lists, tables, and `---` for a new page
or slide. Titles and dates come from `corpus/metadata.yaml`, so the same sources always give the same bytes. Run it after editing a source:
`uv run python demo/make_files.py [FOLDER]`.
"""

import re
import sys
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from io import BytesIO
from pathlib import Path
from typing import Any

import yaml
from docx import Document
from docx.oxml import OxmlElement
from docx.shared import Pt as DocxPt
from fpdf import FPDF
from markdown_it import MarkdownIt
from markdown_it.token import Token
from openpyxl import Workbook
from openpyxl.styles import Font
from pptx import Presentation
from pptx.util import Inches
from pptx.util import Pt as PptxPt

HERE = Path(__file__).parent
AUTHOR = "Quellmar"
ZIP_TIME = (2026, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Part:
    """One block of a source: `kind` is heading, paragraph, bullet, number, table or break; a table has rows, the rest has text."""

    kind: str
    text: str = ""
    level: int = 0
    rows: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """A source that has been read: its parts in order, and the title and time that the file is to carry."""

    parts: tuple[Part, ...]
    title: str
    made_at: datetime


def read_parts(markdown: str) -> Iterator[Part]:
    """The blocks of a source in order; list items come out one by one."""
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
    lists: list[str] = []
    for at, token in enumerate(tokens):
        if token.type in ("bullet_list_open", "ordered_list_open"):
            lists.append("bullet" if token.type == "bullet_list_open" else "number")
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            lists.pop()
        elif token.type == "heading_open":
            yield Part("heading", tokens[at + 1].content, level=int(token.tag[1:]))
        elif token.type == "paragraph_open":
            yield Part(lists[-1] if lists else "paragraph", tokens[at + 1].content)
        elif token.type == "table_open":
            yield Part("table", rows=tuple(read_rows(tokens[at:])))
        elif token.type == "hr":
            yield Part("break")


def read_rows(tokens: Sequence[Token]) -> Iterator[tuple[str, ...]]:
    """The rows of the table that begins at the first token, header first."""
    row: list[str] = []
    for token in tokens:
        if token.type == "inline":
            row.append(token.content)
        elif token.type == "tr_close":
            yield tuple(row)
            row = []
        elif token.type == "table_close":
            return


def make_docx(source: Source) -> bytes:
    document = Document()
    document.styles["Normal"].font.size = DocxPt(11)
    styles = {"bullet": "List Bullet", "number": "List Number"}
    for part in source.parts:
        if part.kind == "heading":
            document.add_heading(part.text, level=part.level)
        elif part.kind == "table":
            fill_docx_table(document.add_table(len(part.rows), len(part.rows[0]), style="Table Grid"), part.rows)
        else:
            document.add_paragraph(part.text, style=styles.get(part.kind))
    sign(document.core_properties, source)
    return repacked(document.save, source.made_at)


def fill_docx_table(table: Any, rows: Sequence[Sequence[str]]) -> None:
    for row, texts in zip(table.rows, rows, strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    table.rows[0]._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))  # python-docx has no name for a header row


def make_xlsx(source: Source) -> bytes:
    book = Workbook()
    del book["Sheet"]
    for part in source.parts:
        if part.kind == "heading":
            sheet = book.create_sheet(part.text)
        elif part.kind == "table":
            for row in part.rows:
                sheet.append([number_or_text(cell) for cell in row])
            for cell in sheet[1]:
                cell.font = Font(bold=True)
            sheet.freeze_panes = "A2"
    book.properties.creator, book.properties.title = AUTHOR, source.title
    return repacked(book.save, source.made_at)


def number_or_text(cell: str) -> int | float | str:
    if re.fullmatch(r"\d+", cell):
        return int(cell)
    return float(cell) if re.fullmatch(r"\d+\.\d+", cell) else cell


def make_pptx(source: Source) -> bytes:
    deck = Presentation()
    slide: Any = None
    for part in source.parts:
        if part.kind == "heading":
            slide = deck.slides.add_slide(deck.slide_layouts[0 if part.level == 1 else 1])
            slide.shapes.title.text = part.text
        elif part.kind == "table":
            body = slide.placeholders[1]
            body.element.getparent().remove(body.element)
            add_slide_table(slide, part.rows)
        elif part.kind != "break":
            frame = slide.placeholders[1].text_frame
            line = frame.paragraphs[0] if not frame.text else frame.add_paragraph()
            line.text = part.text
            line.font.size = PptxPt(24)
    sign(deck.core_properties, source)
    return repacked(deck.save, source.made_at)


def add_slide_table(slide: Any, rows: Sequence[Sequence[str]]) -> None:
    shape = slide.shapes.add_table(
        len(rows), len(rows[0]), Inches(0.6), Inches(1.8), Inches(8.8), Inches(0.5 * len(rows))
    )
    for row, texts in zip(shape.table.rows, rows, strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text


def make_pdf(source: Source) -> bytes:
    """English only: the PDF core fonts know Latin-1, and no font file needs to travel with the demo."""
    pdf = FPDF(format="A4")
    pdf.set_title(source.title)
    pdf.set_author(AUTHOR)
    pdf.set_creation_date(source.made_at)
    pdf.add_page()
    count = 0
    for part in source.parts:
        count = count + 1 if part.kind == "number" else 0
        add_pdf_part(pdf, part, mark={"bullet": "\u00b7  ", "number": f"{count}.  "}.get(part.kind, ""))
    return bytes(pdf.output())


def add_pdf_part(pdf: FPDF, part: Part, *, mark: str) -> None:
    pdf.set_font("Helvetica", style="B" if part.kind == "heading" else "", size={1: 18, 2: 13}.get(part.level, 10.5))
    if part.kind == "break":
        pdf.add_page()
    elif part.kind == "table":
        with pdf.table([list(row) for row in part.rows], text_align="LEFT"):
            pass
        pdf.ln(3)
    else:
        pdf.multi_cell(0, 6 if not part.level else 10, mark + part.text, new_x="LMARGIN", new_y="NEXT", align="L")
        pdf.ln(0 if mark else 2)


def sign(properties: Any, source: Source) -> None:
    """Puts title, author and the fixed time into the core properties of a DOCX or PPTX."""
    properties.title, properties.author, properties.last_modified_by = source.title, AUTHOR, AUTHOR
    properties.comments, properties.revision = "", 1
    properties.created = properties.modified = source.made_at


def repacked(save: Callable[[BytesIO], Any], made_at: datetime) -> bytes:
    """The saved file with every time in it replaced, because the libraries write the moment of saving."""
    saved, fixed = BytesIO(), BytesIO()
    save(saved)
    moment = made_at.strftime("%Y-%m-%dT%H:%M:%SZ").encode()
    with zipfile.ZipFile(saved) as old, zipfile.ZipFile(fixed, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "docProps/core.xml":
                data = re.sub(rb"(?<=W3CDTF\">)[^<]+", moment, data)
            entry = zipfile.ZipInfo(name, date_time=ZIP_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(entry, data)
    return fixed.getvalue()


MAKERS: dict[str, Callable[[Source], bytes]] = {
    ".docx": make_docx,
    ".xlsx": make_xlsx,
    ".pptx": make_pptx,
    ".pdf": make_pdf,
}


def make_file(source: Path, metadata: dict[str, Any]) -> bytes:
    """The bytes of the file that a source stands for; a source without a maker of its own is text for GB18030."""
    text = source.read_text(encoding="utf-8")
    maker = MAKERS.get(Path(source.stem).suffix)
    if maker is None:
        return text.encode("gb18030")
    made_at = datetime.combine(metadata["effective_on"], time(9), tzinfo=UTC)
    return maker(Source(parts=tuple(read_parts(text)), title=metadata["title"], made_at=made_at))


def make_all(target: Path) -> list[Path]:
    """Writes every file below `target` and returns their paths, relative to it."""
    metadata = yaml.safe_load((HERE / "corpus" / "metadata.yaml").read_text(encoding="utf-8"))
    made = []
    for source in sorted((HERE / "sources").rglob("*.*")):
        path = source.relative_to(HERE / "sources")
        path = path.with_suffix("") if path.suffix == ".md" else path
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_bytes(make_file(source, metadata[path.as_posix()]))
        made.append(path)
    return made


if __name__ == "__main__":
    for made_path in make_all(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "corpus"):
        sys.stdout.write(f"{made_path}\n")

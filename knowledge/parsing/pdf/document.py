"""PDF: its text in reading order with page numbers, page by page, by PDFium; tables with rules by pdfplumber; pictures of useful size with their captions.

Running headers and footers are left out. A PDF without any text (a scan) is refused, and pages without text are named in a notice.
"""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from django.utils.translation import gettext as _

from knowledge.parsing import refusals
from knowledge.parsing.media import LABELS, MediaType
from knowledge.parsing.pdf.captions import place_picture
from knowledge.parsing.pdf.direction import is_backwards, turned
from knowledge.parsing.pdf.drawings import Drawings, has_images
from knowledge.parsing.pdf.flow import Flow
from knowledge.parsing.pdf.headings import learn, outline_of
from knowledge.parsing.pdf.layout import Aligned, Column, Ruled, regions
from knowledge.parsing.pdf.paragraphs import pieces_of
from knowledge.parsing.pdf.pdfium import Document, Page, opened, pdfium
from knowledge.parsing.pdf.pieces import Piece
from knowledge.parsing.pdf.places import Box, PageText
from knowledge.parsing.pdf.ruled import RuledTables, suggests_grid
from knowledge.parsing.pdf.running import PageLines, without_contents, without_running
from knowledge.parsing.pdf.words import page_text
from knowledge.parsing.writer import Writer
from knowledge.types import BlockKind, SourceFile

_SAMPLED_PAGES = 24
_NEIGHBOURS = 3
_PROGRAM_TITLE = re.compile(
    r"\A(?:microsoft \w+ - |untitled|无标题|未命名|document\d*\Z|slide \d+)|\.(?:docx?|xlsx?|pptx?|pdf|indd|tex|dvi)\Z",
    re.IGNORECASE,
)


def parse(source: SourceFile, writer: Writer) -> None:
    """Write what a PDF says. Raises UnreadableFile for a scan without text."""
    with opened(source) as document:
        if len(document) > writer.limits.pages:
            raise refusals.too_many_pages(source.name, limit=writer.limits.pages)
        writer.title = _title(document)
        _Reading(source, document, writer).run()


def _title(document: Document) -> str:
    """The title that the file names, unless it is only what a program puts there."""
    title = (document.get_metadata_value("Title") or "").strip()
    return "" if _PROGRAM_TITLE.search(title) else title


@dataclass(slots=True)
class _Content:
    """A page that was read: its lines, the tables on it and its pictures; the page itself is closed again."""

    lines: PageLines
    has_grid: bool
    pictures: list[tuple[bytes, Box]]


class _Reading:
    """Reads one document with a few pages in memory at a time."""

    def __init__(self, source: SourceFile, document: Document, writer: Writer) -> None:
        self.source = source
        self.document = document
        self.writer = writer
        self.count = len(document)
        self.drawings = Drawings()
        self.tables = RuledTables(source.path)
        sample = self._sample()
        self.is_backwards = is_backwards(sample)
        self.headings = learn(sample, outline_of(document))
        self.blank: list[int] = []
        self.broken: list[int] = []
        self.flow = Flow(writer)

    def run(self) -> None:
        """Write all pages."""
        try:
            for content, neighbours in self._with_neighbours():
                self.flow.write_page(self._pieces(content, neighbours))
            self.flow.flush()
        finally:
            self.tables.close()
        if len(self.broken) == self.count:
            raise refusals.broken_file(self.source.name, label=LABELS[MediaType.PDF])
        if len(self.blank) + len(self.broken) == self.count:
            raise refusals.no_text(self.source.name)
        if self.broken:
            self.writer.notice(_("Pages that are damaged were left out: %(pages)s.") % {"pages": ranges(self.broken)})
        if self.blank:
            self.writer.notice(
                _("Pages without text, as from a scanner: %(pages)s. Run text recognition (OCR) to read them.")
                % {"pages": ranges(self.blank)}
            )

    def _sample(self) -> list[PageText]:
        """Some pages from all over the document, to learn from what it looks like."""
        step = -(-self.count // _SAMPLED_PAGES)
        return [self._text(index) for index in range(0, self.count, step)]

    def _text(self, index: int) -> PageText:
        page = self._page(index)
        if page is None:
            return PageText(index + 1, 0.0, 0.0, ())
        try:
            return page_text(page, index + 1)
        finally:
            page.close()

    def _page(self, index: int) -> Page | None:
        """An open page; None for one that is damaged."""
        try:
            return self.document[index]
        except pdfium.PdfiumError:
            return None

    def _content(self, index: int) -> _Content:
        page = self._page(index)
        if page is None:
            self.broken.append(index + 1)
            return _Content(PageLines.of(PageText(index + 1, 0.0, 0.0, ())), has_grid=False, pictures=[])
        try:
            text = page_text(page, index + 1)
            pictures = list(self.drawings.on(page, text)) if not text.is_blank and has_images(page) else []
            if text.is_blank:
                self.blank.append(index + 1)
            if self.is_backwards:
                text = turned(text)
            return _Content(PageLines.of(text), not text.is_blank and suggests_grid(page), pictures)
        finally:
            page.close()

    def _with_neighbours(self) -> Iterator[tuple[_Content, list[PageLines]]]:
        """Each page with those around it, a few ahead and a few behind."""
        window: deque[_Content] = deque(maxlen=2 * _NEIGHBOURS + 1)
        coming = map(self._content, range(self.count))
        window.extend(islice(coming, _NEIGHBOURS + 1))
        for index in range(self.count):
            at = next(place for place, content in enumerate(window) if content.lines.page.number == index + 1)
            content = window[at]
            yield content, [other.lines for other in window if other is not content]
            if (ahead := next(coming, None)) is not None:
                window.append(ahead)

    def _pieces(self, content: _Content, neighbours: Sequence[PageLines]) -> list[Piece]:
        page = without_contents(without_running(content.lines, neighbours))
        tables: list[Ruled] = []
        segments = list(page.segments)
        if content.has_grid:
            tables, segments = self.tables.find(page.number, page.segments)
        pieces: list[Piece] = []
        for region in regions([*segments, *tables]):
            if isinstance(region, Column):
                pieces += pieces_of(region.segments, self.headings, page.number)
            elif isinstance(region, (Aligned, Ruled)):
                pieces.append(Piece(BlockKind.TABLE, region.box, rows=region.rows))
        if page.sideways:
            pieces.append(Piece(BlockKind.PARAGRAPH, Box(0, page.height, 0, page.height), page.sideways))
        for data, box in content.pictures:
            place_picture(pieces, data, box)
        return pieces


def ranges(numbers: Sequence[int]) -> str:
    """Page numbers for people: "3, 5–7"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ", ".join("–".join(map(str, run)) for run in runs)

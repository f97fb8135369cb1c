"""`read`, the first step of the way in: a file becomes canonical Markdown text with blocks, by the parser of its type.

It decides what the file is, refuses what can't be read with a sentence that says what to do, and leaves the reading itself to the parsers.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol

from knowledge.parsing import refusals
from knowledge.parsing.inspect import inspect
from knowledge.parsing.limits import ReadLimits
from knowledge.parsing.media import MediaType
from knowledge.parsing.writer import Writer
from knowledge.types import ParsedDocument, PictureSink, SourceFile


class Parse(Protocol):
    """Reads one kind of file and writes what it says."""

    def __call__(self, source: SourceFile, writer: Writer) -> None: ...


@dataclass(frozen=True, slots=True)
class Parser:
    """A parser: the name and version that its results carry, and its module, which is loaded with the first file: libraries for Office and PDF files take
    more than a second, and most processes never read one."""

    name: str
    version: int
    module: str

    @property
    def parse(self) -> Parse:
        """Reads a file into a writer."""
        parse: Parse = import_module(f"knowledge.parsing.{self.module}").parse
        return parse

    def __str__(self) -> str:
        return f"{self.name}/{self.version}"


# A version grows when a parser gives other text or blocks for the same file; documents can then be read again.
PARSERS: Mapping[MediaType, Parser] = {
    MediaType.MARKDOWN: Parser("markdown", 1, "markdown"),
    MediaType.PLAIN: Parser("plain", 1, "plain"),
    MediaType.HTML: Parser("html", 1, "html"),
    MediaType.CSV: Parser("delimited", 1, "delimited"),
    MediaType.TSV: Parser("delimited", 1, "delimited"),
    MediaType.JSON: Parser("json", 1, "json_records"),
    MediaType.JSON_LINES: Parser("jsonl", 1, "json_lines"),
    MediaType.PDF: Parser("pdf", 1, "pdf.document"),
    MediaType.DOCX: Parser("docx", 1, "docx.document"),
    MediaType.XLSX: Parser("xlsx", 1, "xlsx"),
    MediaType.PPTX: Parser("pptx", 1, "pptx"),
}


def read(source: SourceFile, sink: PictureSink, limits: ReadLimits) -> ParsedDocument:
    """The canonical text of a file, its blocks, pictures and notices. Raises UnreadableFile with a `reason` and advice."""
    media_type = inspect(source, limits).media_type
    if media_type is MediaType.ZIP:
        raise refusals.is_archive(source.name)
    parser = PARSERS[media_type]
    writer = Writer(source.name, sink, limits)
    parser.parse(source, writer)
    return writer.document(parser=str(parser), media_type=media_type)

"""The kinds of file there are for us: their media types, the endings of their names, and what people call them."""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import PurePosixPath

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class MediaType(StrEnum):
    """What a file is, by IANA's names."""

    MARKDOWN = "text/markdown"
    PLAIN = "text/plain"
    HTML = "text/html"
    CSV = "text/csv"
    TSV = "text/tab-separated-values"
    JSON = "application/json"
    JSON_LINES = "application/x-ndjson"
    PDF = "application/pdf"
    DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
    ZIP = "application/zip"


ENDINGS: Mapping[str, MediaType] = {
    "md": MediaType.MARKDOWN,
    "markdown": MediaType.MARKDOWN,
    "mdown": MediaType.MARKDOWN,
    "mkd": MediaType.MARKDOWN,
    "txt": MediaType.PLAIN,
    "text": MediaType.PLAIN,
    "log": MediaType.PLAIN,
    "rst": MediaType.PLAIN,
    "adoc": MediaType.PLAIN,
    "html": MediaType.HTML,
    "htm": MediaType.HTML,
    "xhtml": MediaType.HTML,
    "csv": MediaType.CSV,
    "tsv": MediaType.TSV,
    "tab": MediaType.TSV,
    "json": MediaType.JSON,
    "jsonl": MediaType.JSON_LINES,
    "ndjson": MediaType.JSON_LINES,
    "pdf": MediaType.PDF,
    "docx": MediaType.DOCX,
    "xlsx": MediaType.XLSX,
    "xlsm": MediaType.XLSX,
    "pptx": MediaType.PPTX,
    "zip": MediaType.ZIP,
}

OFFICE = frozenset([MediaType.DOCX, MediaType.XLSX, MediaType.PPTX])
BINARY = frozenset([MediaType.PDF, MediaType.ZIP]) | OFFICE

LABELS: Mapping[MediaType, str | Promise] = {
    MediaType.MARKDOWN: _("a Markdown file"),
    MediaType.PLAIN: _("a text file"),
    MediaType.HTML: _("an HTML page"),
    MediaType.CSV: _("a CSV table"),
    MediaType.TSV: _("a TSV table"),
    MediaType.JSON: _("a JSON file"),
    MediaType.JSON_LINES: _("a JSON Lines file"),
    MediaType.PDF: _("a PDF"),
    MediaType.DOCX: _("a Word document (DOCX)"),
    MediaType.XLSX: _("an Excel workbook (XLSX)"),
    MediaType.PPTX: _("a PowerPoint presentation (PPTX)"),
    MediaType.ZIP: _("a ZIP archive"),
}

READABLE_NAMES = "Markdown, TXT, HTML, PDF, DOCX, XLSX, PPTX, CSV, TSV, JSON, JSON Lines, ZIP"


def ending(name: str) -> str:
    """The ending of a name in lower case without its dot, or ""."""
    return PurePosixPath(name.replace("\\", "/")).suffix.lower().lstrip(".")

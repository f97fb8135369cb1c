"""CSV and TSV: the delimiter is found from the first lines, the header from the first rows; rows become a table or FAQ pairs, one by one."""

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager

from django.utils.translation import gettext as _

from knowledge.parsing import refusals
from knowledge.parsing.media import LABELS, MediaType, ending
from knowledge.parsing.sources import text_of
from knowledge.parsing.tables import filled, write_table
from knowledge.parsing.writer import Writer
from knowledge.types import SourceFile

DELIMITERS = ",;\t|"
_SAMPLE_LINES = 50
_FIELD_CHARS = 10_000_000


def parse(source: SourceFile, writer: Writer) -> None:
    """Write the rows of a CSV or TSV file."""
    text = text_of(source, writer.limits)
    last: list[str] = []
    with _long_fields():
        try:
            delimiter = "\t" if ending(source.name) in ("tsv", "tab") else find_delimiter(text)
            write_table(
                writer, filled(_remembered(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), last))
            )
        except csv.Error as error:
            raise refusals.broken_file(source.name, label=LABELS[MediaType.CSV], detail=str(error)) from error
    if text.count('"') % 2 and any("\n" in cell for cell in last):
        writer.notice(
            _(
                "A quotation mark is not closed; rows after it may have been joined. Check the file in a spreadsheet program."
            )
        )


def find_delimiter(text: str) -> str:
    """The delimiter that cuts the first rows into the same number of fields, more than one; the comma when none does."""
    sample = "".join(text.splitlines(keepends=True)[:_SAMPLE_LINES]) if len(text) < 1_000_000 else text[:100_000]
    best = (0.0, 1, ",")
    for delimiter in DELIMITERS:
        widths = [len(row) for row in csv.reader(io.StringIO(sample), delimiter=delimiter) if row]
        usual = max(set(widths), key=widths.count, default=1)
        if usual > 1:
            agreement = widths.count(usual) / len(widths)
            best = max(best, (round(agreement, 1), usual, delimiter), key=lambda found: found[:2])
    return best[2]


def _remembered(rows: Iterator[list[str]], last: list[str]) -> Iterator[list[str]]:
    """The rows; `last` holds the latest of them."""
    for row in rows:
        last[:] = row
        yield row


@contextmanager
def _long_fields() -> Iterator[None]:
    """A field may be longer than the 128 KB that the library allows unless told otherwise."""
    before = csv.field_size_limit(_FIELD_CHARS)
    try:
        yield
    finally:
        csv.field_size_limit(before)

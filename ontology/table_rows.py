"""A table of entities from a CSV or XLSX file: rows of words by column. Columns: class, name, aliases (parted by |), and attributes by name, label or key."""

import csv
import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from django.utils.translation import gettext_lazy as _

from common.errors import InvalidInput
from common.text import canonical, fold
from knowledge.parsing.containers import FAULTS, refuse_bombs, refuse_entities, refuse_long_parts
from knowledge.parsing.limits import MIB, ReadLimits
from knowledge.parsing.media import LABELS, MediaType

ROWS_MAX, COLUMNS_MAX, FILE_MAX = 5000, 200, 10_000_000
# A table of this size has a few MB of XML; it is read while somebody waits, in a process that serves others too.
LIMITS = ReadLimits(expanded_bytes=128 * MIB, part_bytes=64 * MIB)
CLASS, NAME, ALIASES = "class", "name", "aliases"
SPELLINGS = {
    CLASS: ("class", "type", "类", "类别", "类型"),
    NAME: ("name", "entity", "名称", "名字", "实体"),
    ALIASES: ("aliases", "alias", "other names", "别名", "其他名称"),
}


@dataclass(frozen=True, slots=True)
class TableRow:
    """One line of the file, by its number there. `values` are the words of the other columns by their headers."""

    number: int
    class_name: str
    name: str
    aliases: tuple[str, ...]
    values: Mapping[str, str]


def rows_in(file: Path) -> list[TableRow]:
    """Of a file on this machine. Raises OSError when it can't be opened, and as `rows_of`."""
    with file.open("rb") as opened:
        return rows_of(opened.read(FILE_MAX + 1), file.name)


def rows_of(data: bytes, file_name: str) -> list[TableRow]:
    """Raises InvalidInput for a file that is no such table."""
    if len(data) > FILE_MAX:
        raise InvalidInput(_("The file is larger than 10 MB."))
    lines = xlsx_lines(data, file_name) if file_name.lower().endswith(".xlsx") else csv_lines(data)
    header = next(lines, [])
    columns = [column_of(each) for each in header]
    if NAME not in columns or CLASS not in columns:
        raise InvalidInput(_("The first line must name the columns, among them “class” and “name”."))
    filled = (row_of(number, columns, cells) for number, cells in enumerate(lines, start=2) if any(cells))
    rows = list(islice(filled, ROWS_MAX + 1))
    if not rows:
        raise InvalidInput(_("The file has no lines below its first."))
    if len(rows) > ROWS_MAX:
        raise InvalidInput(_("The file has more than %(count)d lines. Split it.") % {"count": ROWS_MAX})
    return rows


def row_of(number: int, columns: list[str], cells: list[str]) -> TableRow:
    found = {column: words for column, words in zip(columns, cells, strict=False) if column and words}
    aliases = tuple(dict.fromkeys(each.strip() for each in found.get(ALIASES, "").split("|") if each.strip()))
    values = {column: words for column, words in found.items() if column not in SPELLINGS}
    return TableRow(number, found.get(CLASS, ""), found.get(NAME, ""), aliases, values)


def column_of(header: str) -> str:
    """What a header means: one of the three, or itself."""
    folded = " ".join(fold(header).split())
    return next((column for column, spellings in SPELLINGS.items() if folded in spellings), header)


def csv_lines(data: bytes) -> Iterator[list[str]]:
    """With commas, semicolons or tabs."""
    text = decoded(data)
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    try:
        yield from tidied(csv.reader(io.StringIO(text), delimiter=delimiter))
    except csv.Error as error:
        raise InvalidInput(_("The file can't be read as CSV: %(reason)s.") % {"reason": error}) from None


def decoded(data: bytes) -> str:
    """UTF-8, or GB 18030 as Chinese spreadsheets write it."""
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            return data.decode(encoding).replace("\x00", "")
        except UnicodeDecodeError:
            continue
    raise InvalidInput(_("The file can't be read as UTF-8 text."))


def xlsx_lines(data: bytes, file_name: str) -> Iterator[list[str]]:
    """Of the first sheet. Raises UnreadableFile, before anything is unpacked, for a container that would fill the memory."""
    refuse_dangers(data, file_name)
    try:
        import openpyxl  # loaded with the first workbook

        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        sheet = book.worksheets[0]
        yield from tidied(
            [worded(cell) for cell in row]
            for row in sheet.iter_rows(max_row=ROWS_MAX + 2, max_col=COLUMNS_MAX, values_only=True)
        )
    except FAULTS as error:
        raise InvalidInput(_("The file can't be read as XLSX: %(reason)s.") % {"reason": error}) from None


def refuse_dangers(data: bytes, file_name: str) -> None:
    """What documents are refused for too: zip bombs, parts too long for memory, XML that declares entities. A file that is no container is left to its reader."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except FAULTS:
        return
    with archive:
        refuse_bombs(archive, len(data), LIMITS, file_name)
        refuse_long_parts(archive, LIMITS, file_name)
        refuse_entities(archive, file_name, LABELS[MediaType.XLSX])


def worded(cell: object) -> str:
    """As it is written: a whole number without .0, a day without midnight."""
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell).removesuffix(" 00:00:00")


def tidied(lines: Iterable[list[str]]) -> Iterator[list[str]]:
    for line in lines:
        yield [canonical(cell).strip() for cell in line[:COLUMNS_MAX]]

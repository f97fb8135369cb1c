"""What a stretch of spreadsheet rows is: a table with its title and header, a form of labels and values, or notes. Given rows, writes it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, islice

from knowledge.parsing.tables import has_header, write_table
from knowledge.parsing.writer import Writer

_SAMPLE_ROWS = 40
_LABEL_CHARS = 60
_HEADER_ROWS_AT_MOST = 4
_COLONS = (":", "：")


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its cells with merged ones filled, whether an empty row stands before it, whether some cells are merged across, and the height of the
    tallest one that begins here."""

    cells: list[str]
    is_after_gap: bool = False
    is_merged_across: bool = False
    height: int = 1

    @property
    def values(self) -> list[str]:
        """What stands in it; a value that merging repeated counts once."""
        return [value for value, _ in groupby(cell.strip() for cell in self.cells if cell.strip())]


def write_stretch(writer: Writer, rows: Iterator[Row]) -> None:
    """Write rows that have no empty row between them; all of them are taken."""
    sample = list(islice(rows, _SAMPLE_ROWS))
    while sample and len(sample[0].values) == 1 and any(len(row.values) > 1 for row in sample):
        writer.paragraph(sample.pop(0).values[0])
    if not sample:
        return
    rest = chain(sample, rows)
    if all(len(row.values) == 1 for row in sample) and not has_header([row.cells for row in sample]):
        for row in rest:
            writer.paragraph(" ".join(row.values))
    elif _is_form(sample):
        _write_form(writer, rest)
    else:
        left = min(_first_column(row.cells) for row in sample)
        write_table(writer, (_trimmed(row.cells, left) for row in rest), _header_rows(sample, left))


def _is_form(sample: Sequence[Row]) -> bool:
    """Whether most rows begin with a label that ends in a colon."""
    labelled = sum(_is_label(row.values[0]) for row in sample)
    return labelled >= 0.6 * len(sample)


def _is_label(text: str) -> bool:
    return text.endswith(_COLONS) and len(text) <= _LABEL_CHARS


def _write_form(writer: Writer, rows: Iterator[Row]) -> None:
    lines: list[str] = []
    for row in rows:
        pieces: list[str] = []
        for value in row.values:
            is_value = bool(pieces) and not _is_label(value)
            pieces[-1:] = [f"{pieces[-1]} {value}"] if is_value else [*pieces[-1:], value]
        lines += pieces
    writer.paragraph("\n".join(lines))


def _first_column(cells: Sequence[str]) -> int:
    return next((index for index, cell in enumerate(cells) if cell.strip()), 0)


def _trimmed(cells: Sequence[str], left: int) -> list[str]:
    # What stands to the left of the table further down is kept: cells are only cut off when they are empty.
    kept = list(cells[left:]) if not any(cell.strip() for cell in cells[:left]) else list(cells)
    while kept and not kept[-1].strip():
        kept.pop()
    return kept


def _header_rows(sample: Sequence[Row], left: int) -> int | None:
    """How many rows head the table when merged cells tell it: those under which others stand, or as many as the tallest covers."""
    first = sample[0]
    if not first.is_merged_across and first.height == 1:
        return None
    depth = max(first.height, 2 if first.is_merged_across else 1)
    header_and_body = [_trimmed(row.cells, left) for row in sample[depth - 1 :]]
    return depth if depth <= _HEADER_ROWS_AT_MOST and has_header(header_and_body) else None

"""What rows of cells mean: whether the first is a header, whether columns are questions and answers. Given rows, writes the table or the pairs."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, islice

from knowledge.parsing import faq
from knowledge.parsing.writer import Writer

_SAMPLE_ROWS = 30
_NUMBER = re.compile(
    r"[-+−(]?[¥$€£￥]?\s*\d[\d,，. ]*(?:[eE][-+]?\d+)?\)?\s*(?:[%‰°℃℉]|[A-Za-zμµΩ²³/]{1,6})?|\d{1,4}[-/年.]\d{1,2}(?:[-/月.]\d{1,4}日?)?(?:[ T]\d{1,2}:\d{2}.*)?"
)
_YEAR = re.compile(r"(?:19|20)\d\d年?")
_HEADER_CELL_CHARS = 80


def write_table(writer: Writer, rows: Iterable[Sequence[str]], header_rows: int | None = None) -> None:
    """Write rows as a table, or as FAQ pairs when the header says so. Without `header_rows` it is found out from the first rows."""
    rest = iter(rows)
    sample = list(islice(rest, _SAMPLE_ROWS))
    if header_rows is None:
        header_rows = 1 if has_header(sample) else 0
    pair = faq.columns(sample[0]) if header_rows == 1 and sample else None
    if pair:
        _write_pairs(writer, sample[0], pair, chain(sample[1:], rest))
    else:
        writer.table(chain(sample, rest), header_rows)


def has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names the columns: short, distinct words above rows, with numbers only where the column has none or as years."""
    if len(rows) < 2:
        return False
    first = [cell.strip() for cell in rows[0]]
    while first and not first[-1]:
        first.pop()
    # A name over several columns stands in each of them.
    names = [name for name, _ in groupby(cell for cell in first if cell)]
    is_full = len([cell for cell in first if cell]) >= len(first) - 1
    is_named = is_full and len(names) >= min(len(first), 2) and len(set(names)) == len(names)
    if not is_named or any(len(name) > _HEADER_CELL_CHARS for name in names):
        return False
    if faq.columns(first):
        return True
    return not any(is_number(name) and not _is_year_column(first, column) for column, name in enumerate(first) if name)


def is_number(text: str) -> bool:
    """Whether a cell holds a number, an amount with its unit or a date."""
    return bool(_NUMBER.fullmatch(text.strip()))


def _is_year_column(first: Sequence[str], column: int) -> bool:
    return bool(_YEAR.fullmatch(first[column])) and column > 0 and not is_number(first[0])


def _write_pairs(writer: Writer, header: Sequence[str], pair: tuple[int, int], rows: Iterable[Sequence[str]]) -> None:
    for row in rows:
        cells = [*row, *[""] * (len(header) - len(row))]
        more = [(name, cells[index]) for index, name in enumerate(header) if index not in pair]
        if any(cell.strip() for cell in cells):
            writer.faq(cells[pair[0]], cells[pair[1]], more)


def filled(rows: Iterable[Sequence[str]]) -> Iterator[Sequence[str]]:
    """Rows that hold something."""
    return (row for row in rows if any(cell.strip() for cell in row))

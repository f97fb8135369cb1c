"""What a table's rows say. A column that names a class holds the row's entity; the other columns hold its attributes and relations. A table of two columns may
instead be a list of keys and values about what stands above it.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from knowledge.types import Block
from ontology.names import NAME_CHARACTERS
from ontology.rules.keys import folded_key
from ontology.rules.plain import address_in, plain
from ontology.rules.statements import CONFIDENCE, Said, Statements
from ontology.types import EntityFound, Extractor, Found, Named, Where

_BAR = re.compile(r"(?<!\\)\|")
MOST_CELLS = 200


@dataclass(frozen=True, slots=True)
class Cell:
    """Words of a cell, and where they stand in the text (the row's start for an empty cell)."""

    words: str
    where: Where


@dataclass(frozen=True, slots=True)
class Row:
    cells: tuple[Cell, ...]
    where: Where


def found_in_table(text: str, block: Block, about: Sequence[Named], statements: Statements) -> Iterator[Found]:
    """Row by row; `about` is, the nearest first, what a table of keys and values speaks of."""
    parts = block.parts or ((block.start, block.end),)
    header = [row_of(text, start, end) for start, end in parts[: block.header_parts]]
    columns = column_keys(header)
    subject = next((index for index, key in enumerate(columns) if folded_key(key)[0] in statements.keys.classes), None)
    rows = parts[block.header_parts :]
    if subject is not None:
        class_name = statements.keys.classes[folded_key(columns[subject])[0]]
        for start, end in rows:
            row, here = row_of(text, start, end), statements.within(text[start:end].strip())
            yield from said_by_row(row, columns, subject, class_name, here)
    elif about:
        for row in (*header, *(row_of(text, start, end) for start, end in rows)):
            here = statements.within(text[row.where.start : row.where.end])
            yield from said_by_pair(row, about, here)


def column_keys(header: Sequence[Row]) -> tuple[str, ...]:
    """The last row of the header that says something for each column."""
    width = max((len(row.cells) for row in header), default=0)
    return tuple(
        next(
            (row.cells[index].words for row in reversed(header) if index < len(row.cells) and row.cells[index].words),
            "",
        )
        for index in range(width)
    )


def said_by_row(
    row: Row, columns: Sequence[str], subject: int, class_name: str, statements: Statements
) -> Iterator[Found]:
    """The row's entity and what its other cells say of it; of a row whose words can't be a name only those, which the check refuses where people see it."""
    if subject >= len(row.cells):
        return
    cell = row.cells[subject]
    who = statements.one_named(cell.words, (class_name,))
    if who is None:
        if statements.says_no_name(cell.words):
            broken = Named(cell.words[: NAME_CHARACTERS + 1], class_name)
            yield EntityFound(broken, cell.where, Extractor.TABLE, CONFIDENCE)
        return
    aliases, last = other_names(row, columns, who, cell, statements)
    yield EntityFound(who, Where(cell.where.start, last), Extractor.TABLE, CONFIDENCE, aliases)
    for index, (key, each) in enumerate(zip(columns, row.cells, strict=False)):
        if index != subject and key:
            yield from statements.about(who, Said(key, each.words, row.where, each.where), Extractor.TABLE)


def other_names(
    row: Row, columns: Sequence[str], who: Named, cell: Cell, statements: Statements
) -> tuple[tuple[str, ...], int]:
    """Other names of the row's entity, in brackets or in columns of their own, and where the last of them ends."""
    found, last = list(statements.other_names(who, cell.words)), cell.where.end
    for key, each in zip(columns, row.cells, strict=False):
        is_named_so = each is not cell and folded_key(key)[0] in statements.keys.also_named[who.class_name]
        if is_named_so and statements.is_other_name(each.words, who):
            found.append(each.words)
            last = max(last, each.where.end)
    return tuple(found), last


def said_by_pair(row: Row, about: Sequence[Named], statements: Statements) -> Iterator[Found]:
    """A row of two cells whose first names something of what the table is about."""
    if len(row.cells) == 2 and row.cells[0].words:
        key, value = row.cells
        if who := statements.who_knows(about, key.words):
            yield from statements.about(who, Said(key.words, value.words, row.where, value.where), Extractor.TABLE)


def row_of(text: str, start: int, end: int) -> Row:
    """The cells between the bars of one row; the outer bars hold none."""
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    edges = [start - 1, *(bar.start() for bar in _BAR.finditer(text, start, end)), end]
    spans = [(first + 1, last) for first, last in itertools.pairwise(edges)][:MOST_CELLS]
    if spans and text[start : start + 1] == "|":
        spans = spans[1:]
    if len(spans) > 1 and not text[slice(*spans[-1])].strip():
        spans = spans[:-1]
    return Row(tuple(cell_of(text, first, last) for first, last in spans), Where(start, max(end, start)))


def cell_of(text: str, start: int, end: int) -> Cell:
    words = plain(text, start, end)
    stripped = words.text.strip()
    if not stripped:
        address = address_in(text, start, end)
        return Cell(text[slice(*address)], Where(*address)) if address else Cell("", Where(start, end))
    first = words.text.index(stripped[0])
    return Cell(stripped, Where(*words.span(first, first + len(stripped))))

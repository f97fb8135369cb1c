"""Tables in PDF: how many cells come out in their row and column, with rules and without, by our reading and by pdfplumber alone.

Tables of several shapes are typeset with known contents; a cell counts when a found row holds its text at its place. `python -m benchmarks.pdf_tables`.
"""

import argparse
import random
import tempfile
from collections.abc import Callable
from pathlib import Path

import django
import pdfplumber
from django.conf import settings
from fpdf import FPDF

from benchmarks.measure import Figure, say, write

Rows = list[list[str]]
Draw = Callable[[FPDF, Rows], None]

WORDS = [
    "pump",
    "seal",
    "bearing",
    "oil",
    "level",
    "flow",
    "head",
    "motor",
    "valve",
    "gasket",
    "pressure",
    "limit",
    "steel",
    "bronze",
    "weekly",
    "monthly",
    "check",
    "replace",
    "clean",
]
PROSE = "The pump stops when the temperature of the bearing exceeds its limit and the operator has to check the level of the oil. "
PLUMBER_TEXT = {"vertical_strategy": "text", "horizontal_strategy": "text"}


class MemorySink:
    """Pictures are of no interest here."""

    def keep(self, data: bytes, media_type: str) -> str:
        return "kept"


def short_rows(source: random.Random, columns: int) -> Rows:
    """A header and rows of a name, numbers with units and a word or two."""
    header = ["Model", *[f"{source.choice(WORDS).title()} {index}" for index in range(1, columns)]]
    body = [
        [f"P-{100 + row * 10}", *[_value(source) for _ in range(1, columns)]] for row in range(source.randint(3, 9))
    ]
    return [header, *body]


def long_rows(source: random.Random, columns: int) -> Rows:
    """The same with a last column of some words, which are set on several lines."""
    rows = short_rows(source, columns)
    return [
        rows[0],
        *[[*row[:-1], " ".join(source.choices(WORDS, k=source.randint(6, 16))).capitalize()] for row in rows[1:]],
    ]


def _value(source: random.Random) -> str:
    return source.choice(
        [
            f"{source.uniform(0.1, 900):.1f}",
            f"{source.randint(1, 99)} bar",
            f"<{source.randint(10, 5000)}",
            source.choice(WORDS),
            f"{source.randint(1, 99)} %",
        ]
    )


def ruled(pdf: FPDF, rows: Rows) -> None:
    """Rules around every cell."""
    with pdf.table() as table:
        for row in rows:
            table.row(row)


def shaded(pdf: FPDF, rows: Rows) -> None:
    """Rules between rows only, every other row shaded."""
    with pdf.table(borders_layout="HORIZONTAL_LINES", cell_fill_color=235, cell_fill_mode="ROWS") as table:
        for row in rows:
            table.row(row)


def bare(pdf: FPDF, rows: Rows) -> None:
    """No rules at all."""
    with pdf.table(borders_layout="NONE") as table:
        for row in rows:
            table.row(row)


def headed(pdf: FPDF, rows: Rows) -> None:
    """One rule under the header, as in papers."""
    with pdf.table(borders_layout="SINGLE_TOP_LINE") as table:
        for row in rows:
            table.row(row)


SHAPES: dict[str, Draw] = {"ruled": ruled, "shaded": shaded, "single rule": headed, "no rules": bare}
CONTENTS = {"short cells": short_rows, "long cells": long_rows}


def make(path: Path, draw: Draw, rows: Rows) -> None:
    """A page with prose, the table and prose."""
    pdf = FPDF()
    pdf.add_page()
    pdf.set_font("Helvetica", size=10)
    pdf.multi_cell(0, 5, PROSE * 3, new_x="LMARGIN", new_y="NEXT")
    pdf.ln(5)
    draw(pdf, rows)
    pdf.ln(5)
    pdf.multi_cell(0, 5, PROSE * 3, new_x="LMARGIN", new_y="NEXT")
    pdf.output(str(path))


def ours(path: Path) -> list[Rows]:
    """The tables that our reading finds."""
    from knowledge.parsing.limits import ReadLimits
    from knowledge.parsing.read import read
    from knowledge.types import BlockKind, SourceFile

    document = read(SourceFile(path, path.name, path.stat().st_size), MemorySink(), ReadLimits())
    tables = [block for block in document.blocks if block.kind is BlockKind.TABLE]
    return [
        [[cell.strip() for cell in document.text[start:end].strip("| ").split(" | ")] for start, end in table.parts]
        for table in tables
    ]


def plumber(path: Path, options: dict[str, str]) -> list[Rows]:
    """The tables that pdfplumber finds by itself."""
    with pdfplumber.open(path) as pdf:
        tables = pdf.pages[0].extract_tables(options)
    return [[[" ".join((cell or "").split()) for cell in row] for row in table] for table in tables]


def cells_found(rows: Rows, tables: list[Rows]) -> int:
    """How many cells stand in one found row at their place: each row is held against the found row that fits it best."""
    found_rows = [row for table in tables for row in table]
    return sum(
        max((sum(cell == other for cell, other in zip(row, found, strict=False)) for found in found_rows), default=0)
        for row in rows
    )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--sample", type=int, default=25, help="tables of each shape")
    sample: int = arguments.parse_args().sample
    settings.configure(USE_I18N=False)
    django.setup()
    source = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.pdf"
        for shape, draw in SHAPES.items():
            for content, rows_of in CONTENTS.items():
                found = {"ours": 0, "pdfplumber by lines": 0, "pdfplumber by text": 0}
                total = 0
                for _ in range(sample):
                    rows = rows_of(source, source.randint(3, 6))
                    make(path, draw, rows)
                    total += sum(map(len, rows))
                    found["ours"] += cells_found(rows, ours(path))
                    found["pdfplumber by lines"] += cells_found(rows, plumber(path, {}))
                    found["pdfplumber by text"] += cells_found(rows, plumber(path, PLUMBER_TEXT))
                say(f"{shape}, {content}: {found} of {total}")
                _write(shape, content, found, total, sample)


def _write(shape: str, content: str, found: dict[str, int], total: int, sample: int) -> None:
    best = max(count for reader, count in found.items() if reader != "ours")
    for reader, count in found.items():
        is_ours = reader == "ours"
        write(
            Figure(
                f"cells found, {shape}, {content}, {reader}",
                round(100 * count / total, 1),
                "%",
                goal=f"≥ {100 * best / total:.1f} (the library alone)" if is_ours else "",
                met=count >= best if is_ours else None,
                note=f"{sample} tables, {total} cells",
            )
        )


if __name__ == "__main__":
    main()

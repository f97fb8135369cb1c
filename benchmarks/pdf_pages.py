"""A long PDF: pages read in a second of processor time, and how much memory that takes. A PDF of 2,000 pages of text is written and read in a process of its own, as is one of a
tenth of it; what the long one takes beyond the short one, less the text itself, shows whether memory is flat. `python -m benchmarks.pdf_pages`.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import django
from django.conf import settings

from benchmarks.measure import PROJECT, Figure, say, write

WORDS = [
    "the",
    "pump",
    "stops",
    "when",
    "temperature",
    "of",
    "bearing",
    "exceeds",
    "limit",
    "value",
    "and",
    "operator",
    "should",
    "check",
    "oil",
    "level",
    "before",
    "restart",
    "of",
    "machine",
]
PARAGRAPHS = 7
MIB = 1024 * 1024


def make(path: Path, pages: int) -> None:
    """A book of so many pages of about 3,000 characters with a running header and page numbers, written by hand: typesetting takes longer than reading."""
    source = random.Random(5)
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(pages))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {pages} /Kids [{kids}] >>",
        "<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> /F2 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >> >> >>",
    ]
    for number in range(pages):
        stream = "\n".join(_lines(source, number + 1))
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources 3 0 R /Contents {5 + 2 * number} 0 R >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    _save(path, objects)


def _lines(source: random.Random, number: int) -> Iterator[str]:
    yield _shown("F1", 8, 810, "Manual, third edition")
    yield _shown("F2", 14, 770, f"{number} Section about {source.choice(WORDS)}")
    top = 740
    for _ in range(PARAGRAPHS):
        for line in textwrap.wrap(" ".join(source.choices(WORDS, k=75)).capitalize() + ".", 100):
            yield _shown("F1", 10, top, line)
            top -= 14
        top -= 10
    yield _shown("F1", 8, 30, f"Page {number}")


def _shown(font: str, size: int, top: int, words: str) -> str:
    return f"BT /{font} {size} Tf 50 {top} Td ({words}) Tj ET"


def _save(path: Path, objects: list[str]) -> None:
    """Objects with the table of their places that a PDF ends with."""
    body = "%PDF-1.4\n"
    pieces, places, length = [body], [], len(body)
    for number, content in enumerate(objects, start=1):
        places.append(length)
        pieces.append(f"{number} 0 obj\n{content}\nendobj\n")
        length += len(pieces[-1])
    rows = "".join(f"{place:010d} 00000 n \n" for place in places)
    trailer = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{length}\n%%EOF\n"
    path.write_text(
        f"{''.join(pieces)}xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{rows}{trailer}", encoding="ascii"
    )


class NoSink:
    """There are no pictures."""

    def keep(self, data: bytes, media_type: str) -> str:
        return "kept"


def measure(path: Path) -> None:
    """Read one file and print what it took; runs in a process of its own."""
    from knowledge.parsing.limits import ReadLimits
    from knowledge.parsing.read import read
    from knowledge.types import SourceFile

    start = time.process_time()
    document = read(SourceFile(path, path.name, path.stat().st_size), NoSink(), ReadLimits())
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    found = {
        "pages": len(document.page_starts),
        "seconds": seconds,
        "peak": peak,
        "chars": len(document.text),
        "blocks": len(document.blocks),
    }
    sys.stdout.write(json.dumps(found))


def measured(path: Path) -> dict[str, float]:
    """What reading a file takes."""
    command = [sys.executable, "-m", "benchmarks.pdf_pages", "--read", str(path)]
    done = subprocess.run(command, cwd=PROJECT, stdout=subprocess.PIPE, check=True)
    result: dict[str, float] = json.loads(done.stdout)
    return result


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--sample", type=int, default=2_000, help="pages of the long book")
    arguments.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    given = arguments.parse_args()
    settings.configure(USE_I18N=False)
    django.setup()
    if given.read:
        measure(given.read)
        return
    with tempfile.TemporaryDirectory() as folder:
        books = []
        for pages in (max(given.sample // 10, 20), given.sample):
            path = Path(folder) / f"{pages}.pdf"
            make(path, pages)
            books.append(measured(path))
            say(f"{pages} pages: {books[-1]}")
    short, long = books
    rate = long["pages"] / long["seconds"]
    growth = (long["peak"] - short["peak"]) / MIB
    text = (long["chars"] - short["chars"]) / MIB
    note = f"{long['pages']:.0f} pages, {long['chars'] / long['pages']:.0f} characters each, one process"
    write(Figure("pages read", round(rate, 1), "pages/s of processor time", goal="≥ 50", met=rate >= 50, note=note))
    write(Figure("peak memory", round(long["peak"] / MIB, 1), "MiB", note=note))
    flat = growth - 3 * text
    write(
        Figure(
            "memory beyond three times the text",
            round(flat, 1),
            "MiB",
            goal="≤ 40",
            met=flat <= 40,
            note=f"{growth:.1f} MiB more than a tenth of the pages; {text:.1f} MiB of text",
        )
    )


if __name__ == "__main__":
    main()

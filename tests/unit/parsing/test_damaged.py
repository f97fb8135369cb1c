"""Files damaged at random are read or refused: no error of a library comes through, and what is read keeps the rules."""

import io
import random
import zipfile
from collections.abc import Callable
from contextlib import suppress

import pytest
from fpdf import FPDF

from common.errors import UnreadableFile
from tests.unit.parsing.conftest import ReadBytes
from tests.unit.parsing.test_hostile import office


def pdf() -> bytes:
    document = FPDF()
    document.add_page()
    document.set_font("Helvetica", size=10)
    document.multi_cell(0, 5, "Words to read. " * 30)
    with document.table() as table:
        for row in [["a", "b"], ["1", "2"], ["3", "4"]]:
            table.row(row)
    return bytes(document.output())


WHOLE: dict[str, Callable[[], bytes]] = {
    "a.pdf": pdf,
    "a.docx": lambda: office("docx"),
    "a.xlsx": lambda: office("xlsx"),
    "a.pptx": lambda: office("pptx"),
    "a.html": lambda: b"<table><tr><td>a<td rowspan=2>b<tr><td>c</table><ul><li>x<ol><li>y</ul><p>words" * 3,
    "a.json": lambda: b'[{"question": "a?", "answer": "b"}, {"x": [1, {"y": null}], "title": "t"}]',
    "a.csv": lambda: b'a,b\n1,"2, 3"\n4,5\n' * 5,
}


def damaged(data: bytes, source: random.Random) -> bytes:
    """Some bytes changed, lost or doubled."""
    body = bytearray(data)
    for _ in range(source.choice([1, 3, 10])):
        place = source.randrange(len(body))
        match source.randrange(3):
            case 0:
                body[place] = source.randrange(256)
            case 1:
                del body[place : place + source.randint(1, min(40, len(body) - 1))]
            case _:
                body[place:place] = body[place // 2 : place // 2 + 40]
    return bytes(body)


def damaged_part(data: bytes, source: random.Random) -> bytes:
    """A container with one of its XML parts damaged or lost."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as whole, zipfile.ZipFile(target, "w") as copy:
        parts = [entry for entry in whole.infolist() if entry.filename.endswith((".xml", ".rels"))]
        victim = source.choice(parts).filename
        for entry in whole.infolist():
            body = whole.read(entry)
            if entry.filename != victim:
                copy.writestr(entry, body)
            elif source.random() > 0.2:
                copy.writestr(entry, damaged(body, source))
    return target.getvalue()


@pytest.mark.parametrize("name", WHOLE)
def test_a_damaged_file_is_read_or_refused(read_bytes: ReadBytes, name: str) -> None:
    whole = WHOLE[name]()
    source = random.Random(name)
    for turn in range(25):
        is_container = name.endswith(("docx", "xlsx", "pptx")) and turn % 4
        data = damaged_part(whole, source) if is_container else damaged(whole, source)
        with suppress(UnreadableFile):
            read_bytes(name, data)

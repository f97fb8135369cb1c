"""Tables of entities: what is refused before it can fill the memory, and what is read."""

import io
import zipfile

import openpyxl
import pytest

from common.errors import InvalidInput, UnreadableFile
from ontology import table_rows
from ontology.table_rows import FILE_MAX, ROWS_MAX, rows_in, rows_of

LAUGHS = b'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><l>&b;</l>'


def book():
    made = openpyxl.Workbook()
    made.active.append(["类别", "名称"])
    made.active.append(["系统", "邮件网关"])
    target = io.BytesIO()
    made.save(target)
    return target.getvalue()


def changed(change):
    """The workbook with its first sheet changed."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book())) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, change(data) if name.endswith("sheet1.xml") else data)
    return target.getvalue()


def test_a_workbook_is_read():
    (row,) = rows_of(book(), "系统.XLSX")
    assert (row.number, row.class_name, row.name) == (2, "系统", "邮件网关")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda data: data.replace(b"</sheetData>", b" " * 40_000_000 + b"</sheetData>"), "zip_bomb"),
        (lambda _data: LAUGHS, "xml_bomb"),
    ],
)
def test_a_workbook_that_would_swell_is_refused_before_it_is_unpacked(change, reason, monkeypatch):
    monkeypatch.setattr(openpyxl, "load_workbook", lambda *_given, **_named: pytest.fail("it was opened"))
    with pytest.raises(UnreadableFile) as refused:
        rows_of(changed(change), "a.xlsx")
    assert refused.value.reason == reason


def test_a_part_too_long_for_memory_is_refused(monkeypatch):
    monkeypatch.setattr(table_rows, "LIMITS", table_rows.ReadLimits(part_bytes=100))
    with pytest.raises(UnreadableFile) as refused:
        rows_of(book(), "a.xlsx")
    assert refused.value.reason == "too_large"


@pytest.mark.parametrize("data", [b"", b"PK", b"no workbook", book()[:900], changed(lambda data: data[:200])])
def test_what_is_no_workbook_is_refused_in_a_sentence(data):
    with pytest.raises(InvalidInput):
        rows_of(data, "a.xlsx")


def test_lines_beyond_the_most_are_not_kept(monkeypatch):
    kept = []
    row_of = table_rows.row_of
    monkeypatch.setattr(table_rows, "row_of", lambda *given: kept.append(given[0]) or row_of(*given))
    with pytest.raises(InvalidInput, match="5000"):
        rows_of(b"class,name\n" + "系统,甲\n".encode() * (ROWS_MAX * 3), "a.csv")
    assert len(kept) == ROWS_MAX + 1


def test_no_more_of_a_file_is_read_than_a_table_may_have(tmp_path):
    file = tmp_path / "a.csv"
    with file.open("wb") as hole:
        hole.truncate(FILE_MAX * 1000)
    with pytest.raises(InvalidInput, match="10 MB"):
        rows_in(file)

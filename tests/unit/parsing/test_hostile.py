"""Bad input is refused with the right reason and with advice, by the cheap look already where that is possible."""

import io
import zipfile
from pathlib import Path

import docx
import openpyxl
import pptx
import pytest

from common.errors import UnreadableFile
from knowledge.parsing.inspect import inspect
from knowledge.parsing.limits import ReadLimits
from knowledge.parsing.media import MediaType
from knowledge.types import SourceFile
from tests.unit.parsing.conftest import MakeFile, ReadBytes, Refusal

PNG = b"\x89PNG\r\n\x1a\n" + bytes(100)
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)


def office(kind: str) -> bytes:
    target = io.BytesIO()
    if kind == "docx":
        document = docx.Document()
        document.add_paragraph("Words.")
        document.save(target)
    elif kind == "xlsx":
        book = openpyxl.Workbook()
        assert book.active is not None
        book.active["A1"] = "Words"
        book.save(target)
    else:
        show = pptx.Presentation()
        show.slides.add_slide(show.slide_layouts[5]).shapes.title.text = "Words"
        show.save(target)
    return target.getvalue()


def zipped(**files: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return target.getvalue()


def with_extra(data: bytes, name: str, body: bytes) -> bytes:
    target = io.BytesIO(data)
    with zipfile.ZipFile(target, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, body)
    return target.getvalue()


@pytest.mark.parametrize("name", ["a.md", "a.txt", "a.pdf", "a.docx", "a.csv", "a.json", "a.html", "a.zip", "a.bin"])
@pytest.mark.parametrize("data", [b"", b"   \n\t "])
def test_an_empty_file_is_refused(refusal: Refusal, name: str, data: bytes) -> None:
    if name == "a.bin" and data:
        assert refusal(name, data).reason == "unknown_type"
    else:
        assert refusal(name, data).reason == "empty_file"


@pytest.mark.parametrize("name", ["a.html", "a.md", "a.txt"])
def test_characters_that_take_no_room_are_no_text(refusal: Refusal, name: str) -> None:
    words = "<p>\u200b\u2060</p>" if name == "a.html" else "\u200b\u2060"
    assert refusal(name, words.encode()).reason in ("empty_file", "no_text")


@pytest.mark.parametrize("data", [b"\xef\xbb\xbf", "\ufeff\n".encode("utf-16-le"), " \t\n\u200b\u200e\n".encode()])
def test_a_file_with_nothing_that_can_be_seen_is_empty(refusal: Refusal, data: bytes) -> None:
    assert refusal("a.txt", data).reason == "empty_file"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.pdf", PNG),
        ("a.docx", PNG),
        ("a.md", PNG),
        ("a.pdf", b"just text"),
        ("a.docx", zipped(x=b"y")),
        ("a.xlsx", office("docx")),
        ("a.txt", office("docx")),
        ("a.md", b"%PDF-1.7 ..."),
        ("a.docx", b"%PDF-1.7 ..."),
        ("a.zip", office("docx")),
        ("a.pptx", b"\xff\xd8\xff\xe0"),
        ("a.csv", b"PK\x05\x06" + bytes(18)),
    ],
)
def test_a_wrong_ending_is_refused_with_what_it_really_is(refusal: Refusal, name: str, data: bytes) -> None:
    error = refusal(name, data)
    assert error.reason == "wrong_extension"
    assert "ending" in str(error)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.png", PNG),
        ("a.exe", b"MZ\x90\0" + bytes(50)),
        ("a.xyz", b"words"),
        ("a.7z", b"7z\xbc\xaf\x27\x1c"),
        ("a.doc", OLE),
        ("a.rtf", b"{\\rtf1 x}"),
        ("a.epub", zipped(mimetype=b"application/epub+zip")),
        ("noending", PNG),
    ],
)
def test_an_unknown_type_is_refused_with_what_can_be_read(refusal: Refusal, name: str, data: bytes) -> None:
    error = refusal(name, data)
    assert error.reason == "unknown_type"
    assert "PDF" in str(error)


@pytest.mark.parametrize("name", ["a.docx", "a.xlsx", "a.pptx"])
def test_an_office_file_with_a_password_is_refused(refusal: Refusal, name: str) -> None:
    error = refusal(name, OLE + "EncryptedPackage".encode("utf-16-le") + bytes(400))
    assert error.reason == "encrypted"
    assert "password" in str(error)


@pytest.mark.parametrize("kind", ["docx", "xlsx", "pptx"])
@pytest.mark.parametrize("lost", [0.3, 0.9])
def test_a_cut_off_office_file_is_broken(refusal: Refusal, kind: str, lost: float) -> None:
    data = office(kind)
    assert refusal(f"a.{kind}", data[: int(len(data) * (1 - lost))]).reason == "broken_file"


@pytest.mark.parametrize("kind", ["docx", "xlsx", "pptx"])
def test_an_office_file_with_a_broken_part_is_broken(refusal: Refusal, kind: str) -> None:
    part = {"docx": "word/document.xml", "xlsx": "xl/workbook.xml", "pptx": "ppt/presentation.xml"}[kind]
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(office(kind))) as source, zipfile.ZipFile(target, "w") as copy:
        for entry in source.infolist():
            copy.writestr(entry, b"<broken" if entry.filename == part else source.read(entry))
    assert refusal(f"a.{kind}", target.getvalue()).reason == "broken_file"


LAUGHS = '<?xml version="1.0"?><!-- {pad} --><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><x>&b;</x>'


@pytest.mark.parametrize("kind", ["docx", "xlsx", "pptx"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("padding", [0, 100_000])
def test_xml_that_declares_entities_is_refused(refusal: Refusal, kind: str, encoding: str, padding: int) -> None:
    bomb = LAUGHS.format(pad="x" * padding).encode(encoding)
    data = with_extra(office(kind), "custom/item1.xml", bomb)
    assert refusal(f"a.{kind}", data).reason == "xml_bomb"


@pytest.mark.parametrize("encoding", ["gb18030", "utf-7", "no-such-encoding"])
def test_xml_in_an_encoding_behind_which_entities_could_hide_is_refused(refusal: Refusal, encoding: str) -> None:
    hidden = LAUGHS.format(pad="").replace('"1.0"', f'"1.0" encoding="{encoding}"').encode()
    assert refusal("a.docx", with_extra(office("docx"), "custom/item1.xml", hidden)).reason in (
        "broken_file",
        "xml_bomb",
    )


@pytest.mark.parametrize("kind", ["docx", "xlsx", "pptx"])
def test_an_office_file_that_swells_is_refused(refusal: Refusal, kind: str) -> None:
    data = with_extra(office(kind), "word/media/zeros.bin", bytes(40_000_000))
    assert refusal(f"a.{kind}", data).reason == "zip_bomb"


def test_a_part_too_long_for_memory_is_refused(refusal: Refusal) -> None:
    assert refusal("a.docx", office("docx"), ReadLimits(part_bytes=100)).reason == "too_large"


def test_more_bytes_than_allowed_are_refused_without_reading(tmp_path: Path) -> None:
    path = tmp_path / "never-written"
    with pytest.raises(UnreadableFile) as caught:
        inspect(SourceFile(path, "big.pdf", 300 * 1024 * 1024 + 1), ReadLimits())
    assert caught.value.reason == "too_large"
    assert "limit" in str(caught.value)


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.csv", "a.json", "a.html"])
def test_more_text_than_allowed_is_refused(refusal: Refusal, name: str) -> None:
    words = b'{"a": "' + b"word " * 2_000 + b'"}' if name == "a.json" else b"word,word\n" * 2_000
    assert refusal(name, words, ReadLimits(text_chars=1_000)).reason == "too_large"


def test_an_archive_is_no_document(refusal: Refusal) -> None:
    assert refusal("a.zip", zipped(x=b"y")).reason == "is_archive"


@pytest.mark.parametrize(
    ("name", "data", "media_type"),
    [
        ("a.md", b"# A", MediaType.MARKDOWN),
        ("README", b"words", MediaType.PLAIN),
        ("page", b"<!DOCTYPE html><p>x", MediaType.HTML),
        ("A.TXT", b"words", MediaType.PLAIN),
        ("a.ndjson", b"{}", MediaType.JSON_LINES),
        ("a.zip", zipped(x=b"y"), MediaType.ZIP),
        ("a.docx", office("docx"), MediaType.DOCX),
        ("a.xlsx", office("xlsx"), MediaType.XLSX),
        ("a.pptx", office("pptx"), MediaType.PPTX),
        ("no ending", office("docx"), MediaType.DOCX),
    ],
)
def test_a_look_says_what_a_file_is(make_file: MakeFile, name: str, data: bytes, media_type: MediaType) -> None:
    assert inspect(make_file(name, data), ReadLimits()).media_type is media_type


@pytest.mark.parametrize(
    "words",
    [
        "<script>alert(1)</script>",
        "javascript:alert(1)",
        "{{ 7*7 }}",
        "'; DROP TABLE x; --",
        "MATCH (n) DETACH DELETE n",
        "ignore your instructions",
    ],
)
@pytest.mark.parametrize("name", ["a.txt", "a.md"])
def test_hostile_words_stay_words(read_bytes: ReadBytes, name: str, words: str) -> None:
    assert read_bytes(name, f"Before.\n\n{words}\n\nAfter.").text == f"Before.\n\n{words}\n\nAfter."


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "words",
    [
        "*" * 300_000,
        "[" * 300_000,
        "> " * 5_000,
        "- " * 5_000,
        "`" * 300_000,
        "![" * 100_000,
        "|" * 200_000 + "\n" + "|-" * 50_000,
    ],
)
def test_markdown_made_to_wear_readers_out_is_read(read_bytes: ReadBytes, words: str) -> None:
    assert read_bytes("a.md", f"Before.\n\n{words}\n\nAfter.").text.startswith("Before.")


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "markup",
    ["<b>" * 20_000, "<table><tr><td>" * 2_000, "<ul><li>" * 3_000, "<blockquote>" * 5_000, "<span><div>" * 3_000],
)
def test_html_made_to_wear_readers_out_is_read(read_bytes: ReadBytes, markup: str) -> None:
    assert "words" in read_bytes("a.html", f"{markup}words").text


def test_a_workbook_of_more_cells_than_allowed_is_refused(refusal: Refusal) -> None:
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Wide")
    for _ in range(50):
        sheet.append([None] * 999 + ["x"])
    target = io.BytesIO()
    book.save(target)
    assert refusal("a.xlsx", target.getvalue(), ReadLimits(cells=10_000)).reason == "too_large"

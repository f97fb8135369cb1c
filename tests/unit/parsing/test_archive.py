"""ZIP archives: files come out one by one under safe paths; tricks are refused by name and the others go on."""

import io
import stat
import zipfile
from pathlib import Path

import pytest

from common.errors import UnreadableFile
from knowledge.parsing.archive import entries, listing
from knowledge.parsing.limits import ReadLimits
from knowledge.parsing.paths import normalise_path
from knowledge.types import SourceFile
from tests.unit.parsing.conftest import MakeFile


def packed(*files: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return target.getvalue()


def outcomes(source: SourceFile, folder: Path, limits: ReadLimits | None = None) -> dict[str, str]:
    """What became of each entry: its content or the reason."""
    found: dict[str, str] = {}
    for entry in entries(source, limits or ReadLimits(), folder=folder):
        if entry.file is not None:
            found[entry.path] = entry.file.path.read_text()
            assert len(list(folder.iterdir())) == 1
        elif entry.is_skipped:
            found[entry.path] = "skipped"
        else:
            assert entry.error is not None
            found.setdefault(entry.path, entry.error.reason)
    assert list(folder.iterdir()) == []
    return found


@pytest.fixture
def spool(tmp_path: Path) -> Path:
    folder = tmp_path / "spool"
    folder.mkdir()
    return folder


def test_files_come_with_their_folders(make_file: MakeFile, spool: Path) -> None:
    source = make_file(
        "a.zip", packed(("a/readme.md", b"one"), ("b/readme.md", b"two"), ("b/", b""), ("水泵.md", b"three"))
    )
    assert outcomes(source, spool) == {"a/readme.md": "one", "b/readme.md": "two", "水泵.md": "three"}


@pytest.mark.parametrize(
    "name",
    [
        "../out.md",
        "a/../../out.md",
        "/etc/out.md",
        "C:\\out.md",
        "c:out.md",
        "..\\out.md",
        "\\\\server\\out.md",
        "a\nb.md",
        "\u202efdp.md",
        "x" * 600,
    ],
)
def test_names_that_lead_outside_are_refused_and_the_others_go_on(make_file: MakeFile, spool: Path, name: str) -> None:
    found = outcomes(make_file("a.zip", packed((name, b"evil"), ("good.md", b"good"))), spool)
    assert found.pop("good.md") == "good"
    assert list(found.values()) == ["unsafe_path"]


def test_backslashes_part_folders(make_file: MakeFile, spool: Path) -> None:
    assert outcomes(make_file("a.zip", packed(("a\\b.md", b"x"))), spool) == {"a/b.md": "x"}


def test_links_nested_archives_and_doubles_are_refused(make_file: MakeFile, spool: Path) -> None:
    link = zipfile.ZipInfo("link.md")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    data = packed(
        (link, b"/etc/passwd"),
        ("in.zip", packed(("x", b"y"))),
        ("a.md", b"one"),
        ("b.tar.gz", b"z"),
        ("./a.md", b"two"),
    )
    found = outcomes(make_file("a.zip", data), spool)
    assert found == {"link.md": "is_link", "in.zip": "nested_archive", "a.md": "one", "b.tar.gz": "nested_archive"}


def test_clutter_is_skipped(make_file: MakeFile, spool: Path) -> None:
    names = ["__MACOSX/._a.md", ".DS_Store", ".git/config", "b/~$a.docx", "Thumbs.db"]
    source = make_file("a.zip", packed(*((name, b"x") for name in names), ("a.md", b"x")))
    assert outcomes(source, spool) == {**dict.fromkeys(names, "skipped"), "a.md": "x"}
    assert listing(source, ReadLimits()) == ["a.md"]


@pytest.mark.parametrize("encoding", ["gbk", "utf-8"])
@pytest.mark.parametrize("name", ["离心泵操作手册.md", "资料/水泵.md"])
def test_names_in_other_encodings_are_recognised(make_file: MakeFile, spool: Path, name: str, encoding: str) -> None:
    raw = name.encode(encoding)
    placeholder = "x" * len(raw)
    data = packed((placeholder, b"x")).replace(placeholder.encode(), raw)
    assert outcomes(make_file("a.zip", data), spool) == {name: "x"}


def test_western_names_are_kept(make_file: MakeFile, spool: Path) -> None:
    data = packed(("xx.md", b"x")).replace(b"xx.md", "é.md".encode("cp437").rjust(5, b"a"))
    assert outcomes(make_file("a.zip", data), spool) == {"aé.md": "x"}


def test_encrypted_entries_are_refused(make_file: MakeFile, spool: Path) -> None:
    data = bytearray(packed(("a.md", b"x")))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert outcomes(make_file("a.zip", bytes(data)), spool) == {"a.md": "encrypted"}


def test_a_damaged_entry_is_refused_and_the_others_go_on(make_file: MakeFile, spool: Path) -> None:
    data = bytearray(packed(("a.md", b"x" * 1000 + bytes(range(256))), ("b.md", b"good")))
    data[40] ^= 0xFF
    found = outcomes(make_file("a.zip", bytes(data)), spool)
    assert found["a.md"] == "broken_file"
    assert found["b.md"] == "good"


@pytest.mark.parametrize(
    "limits",
    [ReadLimits(entries=2), ReadLimits(expanded_bytes=1_000_000), ReadLimits(ratio=50, ratio_free_bytes=100_000)],
    ids=["count", "size", "ratio"],
)
def test_a_bomb_is_refused_before_anything_is_unpacked(make_file: MakeFile, spool: Path, limits: ReadLimits) -> None:
    source = make_file("bomb.zip", packed(*((f"{number}.txt", b"0" * 1_000_000) for number in range(3))))
    with pytest.raises(UnreadableFile) as caught:
        next(entries(source, limits, folder=spool))
    assert caught.value.reason == "zip_bomb"


def test_an_entry_that_lies_about_its_size_gives_no_more_than_it_says(make_file: MakeFile, spool: Path) -> None:
    data = packed(("a.txt", b"0" * 10_000_000)).replace((10_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    assert outcomes(make_file("a.zip", data), spool) == {"a.txt": "broken_file"}


def test_a_file_larger_than_allowed_is_refused_by_itself(make_file: MakeFile, spool: Path) -> None:
    source = make_file("a.zip", packed(("big.txt", bytes(5_000)), ("small.txt", b"x")))
    assert outcomes(source, spool, ReadLimits(file_bytes=1_000)) == {"big.txt": "too_large", "small.txt": "x"}


@pytest.mark.parametrize("data", [b"PK\x03\x04 and then nonsense", b""])
def test_what_is_no_archive_is_refused(make_file: MakeFile, spool: Path, data: bytes) -> None:
    with pytest.raises(UnreadableFile) as caught:
        next(entries(make_file("a.zip", data), ReadLimits(), folder=spool))
    assert caught.value.reason == "broken_file"


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("a.md", "a.md"),
        ("./a//b.md", "a/b.md"),
        (" a / b.md ", "a/b.md"),
        ("e\u0301.md", "é.md"),
        ("👩‍🔧.md", "👩‍🔧.md"),
        ("a/…/b.md", "a/…/b.md"),
        ("مرحبا.md", "مرحبا.md"),
    ],
)
def test_paths_have_one_form(name: str, path: str) -> None:
    assert normalise_path(name) == path


@pytest.mark.parametrize("name", ["", " ", ".", "/", "..", "a/..", "a\0b", "\x1b[31m.md", "漢" * 100, "\ud800.md"])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(UnreadableFile) as caught:
        normalise_path(name)
    assert caught.value.reason == "unsafe_path"

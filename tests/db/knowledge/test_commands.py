"""The command line of the way in, as people script against it: lines, JSON, exit codes."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from knowledge import tools as tools_of_process
from knowledge.models import Document, Version

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def bound(tools):
    """The command's tools are the test's."""
    before = list(tools_of_process._made)
    tools_of_process.bind(lambda: tools)
    yield
    tools_of_process.bind(before[0])


def command(*words, code=0, **options):
    """Standard output of a command that ends with this code."""
    out, err = io.StringIO(), io.StringIO()
    if code:
        with pytest.raises((SystemExit, CommandError)) as ended:
            call_command(*words, stdout=out, stderr=err, **options)
        found = getattr(ended.value, "returncode", None) or getattr(ended.value, "code", None)
        assert found == code
    else:
        call_command(*words, stdout=out, stderr=err, **options)
    return out.getvalue()


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def folder(tmp_path) -> Path:
    root = tmp_path / "docs"
    (root / "sub").mkdir(parents=True)
    (root / "pump.md").write_text("# Pump\n\nIt stops at 80 degrees.", encoding="utf-8")
    (root / "sub" / "泵.txt").write_text("水泵会自动停机。", encoding="gb18030")
    (root / ".hidden").write_text("x")
    return root


def test_a_folder_is_read_with_its_paths(folder):
    found = lines(command("ingest", str(folder), "--kb", "new", "--create", "--wait", "--json"))

    assert [(row["path"], row["status"], row["version"], row["chunks"], row["error"]) for row in found] == [
        ("docs/pump.md", "done", 1, 1, None),
        ("docs/sub/泵.txt", "done", 1, 1, None),
    ]
    assert set(found[0]) == {"path", "document", "version", "status", "chunks", "error"}


def test_reading_the_same_again_changes_nothing(folder):
    command("ingest", str(folder), "--kb", "new", "--create", "--wait")

    found = lines(command("ingest", str(folder), "--kb", "new", "--wait", "--json"))

    assert {(row["status"], row["version"]) for row in found} == {("unchanged", 1)}
    assert Version.objects.count() == 2


def test_a_refused_and_a_failed_file_give_code_1_and_the_others_are_done(folder):
    (folder / "empty.md").write_text("")
    (folder / "broken.json").write_text('{"a": ')

    found = lines(command("ingest", str(folder), "--kb", "new", "--create", "--wait", "--json", code=1))

    assert {row["path"]: row["status"] for row in found} == {
        "docs/empty.md": "refused",
        "docs/broken.json": "failed",
        "docs/pump.md": "done",
        "docs/sub/泵.txt": "done",
    }
    assert all(set(row["error"]) == {"code", "message"} for row in found if row["error"])


def test_lines_of_json_are_documents_by_their_ids_whose_titles_are_context(tmp_path):
    file = tmp_path / "corpus.jsonl"
    file.write_text(
        "".join(
            json.dumps({"id": f"q/{n}.md", "title": f"Title {n}", "text": f"Text *{n}* of it."}) + "\n"
            for n in range(3)
        )
    )

    found = lines(command("ingest", "--jsonl", str(file), "--kb", "new", "--create", "--wait", "--json"))
    text = json.loads(command("text", "q/1.md", "--json"))

    assert [row["path"] for row in found] == ["q/0.md", "q/1.md", "q/2.md"]
    assert text["text"] == "Text *1* of it."
    assert text["chunks"][0]["context"] == "Title 1"


def test_a_new_title_of_a_line_is_a_new_version(tmp_path):
    file = tmp_path / "corpus.jsonl"
    for title in ("One", "Two"):
        file.write_text(json.dumps({"id": "a", "title": title, "text": "Text."}))
        command("ingest", "--jsonl", str(file), "--kb", "new", "--create", "--wait")

    assert json.loads(command("text", "a", "--json"))["chunks"][0]["context"] == "Two"
    assert Document.objects.get().live_version.number == 2


def test_a_link_out_of_the_folder_is_refused_and_one_inside_it_is_read(folder, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("The password is swordfish.")
    (folder / "out.txt").symlink_to(secret)
    (folder / "in.md").symlink_to(folder / "pump.md")

    printed = io.StringIO()
    with pytest.raises(SystemExit):
        call_command(
            "ingest",
            str(folder),
            *["--kb", "new", "--create", "--wait", "--json"],
            stdout=printed,
            stderr=io.StringIO(),
        )

    rows = {row["path"]: row for row in lines(printed.getvalue())}
    assert rows["docs/in.md"]["status"] == "done"
    assert rows["docs/out.txt"]["status"] == "refused"
    assert not Document.objects.filter(path="docs/out.txt").exists()


def test_a_broken_line_is_refused_by_its_number_and_the_others_are_read(tmp_path):
    file = tmp_path / "corpus.jsonl"
    file.write_text('{"id": "a", "text": "x"}\nnonsense\n{"id": "b", "text": "y"}\n')
    printed = io.StringIO()

    with pytest.raises(SystemExit) as ended:
        call_command(
            "ingest",
            "--jsonl",
            str(file),
            *["--kb", "new", "--create", "--wait", "--json"],
            stdout=printed,
            stderr=io.StringIO(),
        )

    rows = [json.loads(line) for line in printed.getvalue().splitlines()]
    assert {row["path"]: row["status"] for row in rows} == {"a": "done", "line 2": "refused", "b": "done"}
    assert ended.value.code == 1


def test_lines_may_come_from_standard_input(monkeypatch):
    class Input:
        buffer = io.BytesIO(b'{"id": "a", "text": "x"}\n')

    monkeypatch.setattr("sys.stdin", Input())

    rows = command("ingest", "--jsonl", "-", "--kb", "new", "--create", "--wait", "--json")

    assert json.loads(rows)["status"] == "done"


def test_standard_input_is_a_file_with_a_name(monkeypatch):
    class Input:
        buffer = io.BytesIO(b"# Heading\n\nText.")

    monkeypatch.setattr("sys.stdin", Input)

    found = lines(command("ingest", "-", "--name", "notes/a.md", "--kb", "new", "--create", "--wait", "--json"))

    assert [(row["path"], row["status"]) for row in found] == [("notes/a.md", "done")]


@pytest.mark.parametrize(
    "words",
    [
        ("ingest", "--kb", "pumps"),
        ("ingest", "nowhere.md", "--kb", "new", "--create"),
        ("ingest", "nowhere.md", "--kb", "missing"),
        ("ingest", "--jsonl", "nowhere.jsonl", "--kb", "pumps"),
        ("text", "nowhere.md"),
        ("text", "a.md", "--as", "nobody"),
        ("kb", "create"),
    ],
)
def test_wrong_use_gives_code_2(words, kb):
    command(*words, code=2)


def test_without_waiting_the_documents_wait(folder):
    found = lines(command("ingest", str(folder), "--kb", "new", "--create", "--json"))

    assert {row["status"] for row in found} == {"waiting"}


def test_text_prints_what_offsets_count_in(read):
    read("a.md", "# 泵\n\n停机温度 80 ℃。😀")
    row = json.loads(command("text", "a.md", "--json"))

    assert command("text", "a.md").rstrip("\n") == row["text"]
    assert all(row["text"][chunk["start"] : chunk["end"]].strip() for chunk in row["chunks"])


def test_a_path_of_two_knowledge_bases_wants_one_named(folder):
    for slug in ("one", "two"):
        command("ingest", str(folder), "--kb", slug, "--create", "--wait")

    command("text", "docs/pump.md", code=2)
    assert "80 degrees" in command("text", "docs/pump.md", "--kb", "two")


def test_who_may_not_see_it_finds_no_document(read, stranger):
    read("a.md", "Text.")

    command("text", "a.md", "--as", "stan", code=2)


def test_rereading_names_what_it_did(read):
    read("a.md", "Text.")

    assert command("reread") == ""
    assert [row["status"] for row in lines(command("reread", "--force", "--wait", "--json"))] == ["done"]
    assert Document.objects.get().live_version.number == 2


def test_knowledge_bases_are_made_and_listed(kb):
    command("kb", "create", "new", "--name", "New one", "--department", "Sales", "--everyone", "viewer")

    assert [(row["slug"], row["documents"]) for row in lines(command("kb", "list", "--json"))] == [
        ("new", 0),
        ("pumps", 0),
    ]

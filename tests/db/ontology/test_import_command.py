"""`manage.py ontology import-entities`: a line each, nothing stored in a dry run, 1 when some were left out."""

import json
from contextlib import nullcontext, suppress
from io import StringIO

import openpyxl
import pytest
from django.core.management import CommandError, call_command

from ontology.models import Alias, AttributeValue, Entity

pytestmark = pytest.mark.django_db


@pytest.fixture
def sheet(tmp_path):
    book = openpyxl.Workbook()
    book.active.append(["类别", "名称", "别名", "Memory", "Released"])
    book.active.append(
        ["系统", "Mail Gateway", "邮件\u202e网关", 2, "2024-03-01"]
    )  # a mark of direction, as files have them
    book.active.append(["System", "Auth Server", None, None, None])
    path = tmp_path / "systems.xlsx"
    book.save(path)
    return path


def run(*arguments, code=0):
    out = StringIO()
    with pytest.raises(SystemExit, match=str(code)) if code else nullcontext():
        call_command("ontology", "import-entities", *map(str, arguments), "--kb", "pumps", "--json", stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_sheet_is_tried_and_imported(sheet, graph):
    assert [row["status"] for row in run(sheet, "--dry-run")] == ["new", "new"]
    assert not Entity.objects.exists()

    assert [row["status"] for row in run(sheet)] == ["new", "new"]
    assert [row["status"] for row in run(sheet)] == ["known", "known"]
    assert set(Entity.objects.values_list("name", flat=True)) == {"Mail Gateway", "Auth Server"}
    assert Alias.objects.get().text == "邮件网关"
    assert {value.value for value in AttributeValue.objects.all()} == {2, "2024-03-01"}


def test_lines_with_faults_are_told_and_the_others_stored(tmp_path, graph):
    file = tmp_path / "systems.csv"
    file.write_text("class;name;Memory\nSystem;Mail Gateway;2\nSystem;Auth Server;plenty\n", encoding="utf-8")

    rows = run(file, code=1)

    assert [row["status"] for row in rows] == ["new", "invalid"]
    assert rows[1]["message"]
    assert Entity.objects.get().name == "Mail Gateway"


def test_a_file_that_is_not_there_is_told(graph, tmp_path):
    with pytest.raises(CommandError, match="can't be read"):
        run(tmp_path / "none.csv")


def said(*arguments):
    """Lines for people, and what is told beside them."""
    out, err = StringIO(), StringIO()
    with suppress(SystemExit):
        call_command("ontology", "import-entities", *map(str, arguments), "--kb", "pumps", stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_a_trial_and_a_real_run_are_told_apart(sheet, graph):
    assert [row["stored"] for row in run(sheet, "--dry-run")] == [False, False]
    assert "2 lines would be stored, 0 would be left out" in said(sheet, "--dry-run")[1]
    assert [row["stored"] for row in run(sheet)] == [True, True]
    assert "2 lines stored, 0 left out" in said(sheet)[1]


def test_every_bad_value_of_a_line_is_named(tmp_path, graph):
    file = tmp_path / "systems.csv"
    file.write_text("class;name;Memory;Released;Colour\nSystem;甲;plenty;someday;red\n", encoding="utf-8")

    (row,) = run(file, "--dry-run", code=1)

    assert all(words in row["message"] for words in ("plenty", "someday", "Colour"))


@pytest.mark.parametrize("trial", [("--dry-run",), ()])
def test_two_values_of_one_attribute_in_a_file_are_warned_of_and_kept(tmp_path, graph, trial):
    file = tmp_path / "systems.csv"
    file.write_text(
        "class;name;Memory\nSystem;甲系统;2\nSystem;乙系统;2\n系统;甲系统;4\nSystem;甲系统;4\n", encoding="utf-8"
    )

    rows = run(file, *trial)

    assert [bool(row["warnings"]) for row in rows] == [False, False, True, True]
    assert "line 2" in rows[2]["warnings"][0]
    assert "Warning: “" in said(file, *trial)[0]
    assert AttributeValue.objects.count() == (0 if trial else 3)


def test_a_value_that_contradicts_an_earlier_word_is_warned_of(tmp_path, sheet, graph):
    run(sheet)
    file = tmp_path / "more.csv"
    file.write_text("class,name,Memory\nSystem,Mail Gateway,8\n", encoding="utf-8")

    (row,) = run(file)

    assert "before" in row["warnings"][0]

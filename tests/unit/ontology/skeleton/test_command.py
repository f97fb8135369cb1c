"""`manage.py ontology check` and `diff`: words for people, JSON for programs, and the exit codes of all commands."""

import json
from dataclasses import replace
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from ontology.management.commands.ontology import effect_line
from ontology.selectors.effects import Effect
from tests.unit.ontology.skeleton.examples import CLASS, GOOD


def run(*arguments):
    out = StringIO()
    try:
        call_command("ontology", *map(str, arguments), stdout=out)
    except SystemExit as ended:
        return ended.code, out.getvalue()
    return 0, out.getvalue()


@pytest.fixture
def file(tmp_path):
    def write(text, name="ontology.yaml"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return write


def test_a_good_file_is_told_in_a_line(file):
    code, said = run("check", file(GOOD))

    assert code == 0
    assert "2 classes, 1 relations" in said


def test_a_faulty_file_is_told_with_lines_and_ends_with_one(file):
    code, said = run("check", file(CLASS + "    subject: maybe\n"))

    assert code == 1
    assert "line 3, column 14" in said


def test_faults_are_json_too(file):
    code, said = run("check", file(CLASS + "    subject: maybe\n"), "--json")
    row = json.loads(said)

    assert code == 1
    assert row["ok"] is False
    assert row["faults"][0]["line"] == 3
    assert row["faults"][0]["instead"]


def test_a_byte_order_mark_is_no_fault(file):
    assert run("check", file("\ufeff" + GOOD))[0] == 0


def test_a_difference_names_changes_and_what_they_touch(file):
    code, said = run("diff", file(GOOD), file(GOOD.replace("P-", "Q-"), "new.yaml"), "--json")
    row = json.loads(said)

    assert code == 0
    assert [change["name"] for change in row["changes"]] == ["Pump"]
    assert row["touched"]["relations"] == ["replaces"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("P-", "Q-"), "Would be read again: classes Pump; relations replaces"),
        (("  Firm:\n", "  Firm: {description: {zh: 造泵的公司}}\n"), "Nothing would be read again"),
        (("    attributes:\n      since: {type: date}\n", ""), "Would be read again: relations replaces."),
        (("", ""), "The two mean the same."),
    ],
)
def test_a_difference_says_what_would_be_read_again(file, change, told):
    assert told in run("diff", file(GOOD), file(GOOD.replace(*change), "new.yaml"))[1]


def test_a_difference_says_what_would_go_and_that_records_begin_elsewhere(file):
    headed = CLASS + "    rules: {record_headings: ['^Fault E-\\d+']}\n"
    said = run("diff", file(headed + "  Gone: {}\n"), file(headed.replace("Fault", "故障"), "new.yaml"))[1]

    assert "Would go: classes Gone." in said
    assert "would become new versions" in said


def test_the_effect_says_how_many_documents_become_new_versions():
    none = Effect(*[0] * 8)

    assert "new versions" not in effect_line(none)
    assert "in 2 documents, which become new versions" in effect_line(replace(none, recut=2))


def test_a_faulty_file_is_not_compared(file):
    assert run("diff", file(GOOD), file("title: x", "new.yaml"))[0] == 1


@pytest.mark.parametrize(
    "arguments", [("check",), ("diff", "one.yaml"), ("export",), ("check", "/nowhere/ontology.yaml")]
)
def test_wrong_use_ends_with_two(arguments):
    with pytest.raises(CommandError) as refused:
        run(*arguments)

    assert refused.value.returncode == 2


def test_a_file_that_is_not_there_is_told_as_that():
    with pytest.raises(CommandError, match="There is no file") as refused:
        run("check", "/nowhere/ontology.yaml")
    assert "UTF-8" not in str(refused.value)


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(CommandError, match="can't be read: Is a directory"):
        run("check", tmp_path)


@pytest.mark.parametrize(
    ("attribute", "told"),
    [
        ("{type: intger, unit: h}", ["There is no type"]),
        ("{type: [1], options: [甲]}", ["a text is wanted"]),
        ("{type: enum, options: [on, off]}", ["YAML reads on", "YAML reads off"]),
        ("{type: enum, options: {on: [甲], off: }}", ["YAML reads on", "YAML reads off"]),
        ("{type: enum, options: []}", ["enum without options"]),
        ("{unit: h}", ["is of type text"]),
    ],
)
def test_a_fault_has_no_faults_that_follow_from_it(file, attribute, told):
    faults = json.loads(run("check", file(CLASS + f"    attributes:\n      state: {attribute}\n"), "--json")[1])[
        "faults"
    ]
    assert [words for words, fault in zip(told, faults, strict=True) if words not in fault["message"]] == []


@pytest.mark.parametrize("text", ["classes:\n  泵：\n", "classes:\n  Pump:\n  泵：\n", "classes：\n  泵:\n"])
def test_a_wide_colon_is_pointed_at(file, text):
    faults = json.loads(run("check", file(text), "--json")[1])["faults"]
    assert "wide" in faults[0]["instead"]

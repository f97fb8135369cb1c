"""Questions from the command line and from files."""

import pytest
from django.core.management.base import CommandError

from retrieval.asking import Asked, questions_in


def of_line(question):
    return list(questions_in({"question": question, "file": None}))


def of_file(path):
    return list(questions_in({"question": None, "file": str(path)}))


def test_one_question_is_asked_as_it_was_written():
    assert of_line("Why?") == [Asked("Why?")]


@pytest.mark.parametrize("empty", ["", "  ", "\n"])
def test_an_empty_question_is_wrong_use(empty):
    with pytest.raises(CommandError, match="empty"):
        of_line(empty)


def test_lines_of_a_file_are_asked_with_their_ids(tmp_path):
    file = tmp_path / "questions.jsonl"
    file.write_text('{"id": "a", "question": "Why?"}\n\n{"question": "How?"}\n')

    assert of_file(file) == [Asked("Why?", "a"), Asked("How?", 3)]


@pytest.mark.parametrize("line", ["nonsense", "[]", '{"id": 1}', '{"question": ""}', '{"question": 5}', "null"])
def test_a_file_with_a_fault_is_refused_before_the_first_question_is_asked(tmp_path, line):
    file = tmp_path / "questions.jsonl"
    file.write_text(f'{{"question": "Why?"}}\n{line}\n')

    with pytest.raises(CommandError, match="ine 2"):
        next(questions_in({"question": None, "file": str(file)}))

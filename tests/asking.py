"""What tests of asking share: a corpus that texts are read into, people, and one call from a question to an answer."""

from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import async_to_sync

from accounts.types import Subject
from knowledge.models import KnowledgeBase, Role
from knowledge.policy import Filters
from retrieval.answer import Answer
from retrieval.ask import ask as ask_story
from retrieval.asking import question_from
from retrieval.search import SearchResult
from retrieval.search import search as search_story
from retrieval.selectors import view_for
from retrieval.tools import Tools
from tests.factories import Corpus, make_kb, make_member, make_tools, make_user, subject_for

ALL = Filters()


@pytest.fixture
def kb(transactional_db: None) -> KnowledgeBase:
    return make_kb()


@pytest.fixture
def corpus(kb: KnowledgeBase, tmp_path: Path) -> Corpus:
    return Corpus(kb, tmp_path)


@pytest.fixture
def reader(kb: KnowledgeBase) -> Subject:
    return subject_for(make_member("vera", kb))


@pytest.fixture
def editor(kb: KnowledgeBase) -> Subject:
    return subject_for(make_member("edith", kb, Role.EDITOR))


@pytest.fixture
def stranger(transactional_db: None) -> Subject:
    return subject_for(make_user("stan", department="Elsewhere"))


@pytest.fixture
def tools(transactional_db: None) -> Tools:
    return make_tools()


@pytest.fixture
def search(tools: Tools, reader: Subject) -> Callable[..., SearchResult]:
    """`search("question")` as the reader; `subject`, `filters`, `arms`, `limit` and `tools` may be given."""

    def searched(
        text: str, *, subject: Subject = reader, filters: Filters = ALL, used: Tools = tools, **more: Any
    ) -> SearchResult:
        view = view_for(subject, filters=filters)

        async def run() -> SearchResult:
            try:
                return await search_story(question_from(text, subject), view, used, **more)
            finally:
                await used.close()

        return async_to_sync(run)()

    return searched


@pytest.fixture
def ask(tools: Tools, reader: Subject) -> Callable[..., Answer]:
    """`ask("question")` as the reader, to the finished answer."""

    def asked(
        text: str, *, subject: Subject = reader, used: Tools = tools, answerer: str = "", filters: Filters = ALL
    ) -> Answer:
        view = view_for(subject, filters=filters)

        async def run() -> Answer:
            try:
                async with aclosing(
                    ask_story(question_from(text, subject), view, used, trace=used.trace(), answerer=answerer)
                ) as events:
                    return await anext(event async for event in events if isinstance(event, Answer))
            finally:
                await used.close()

        return async_to_sync(run)()

    return asked

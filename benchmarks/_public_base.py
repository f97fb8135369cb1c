"""A public set as a knowledge base that can be asked: engines taken, the corpus read once the ordinary way into `<data>/bench`, everything given back at the end."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from benchmarks.measure import read_lines, say

if TYPE_CHECKING:
    from knowledge.policy import CorpusView
    from retrieval.tools import Tools
    from retrieval.types import Question

Result = TypeVar("Result")


@dataclass(frozen=True)
class PublicBase:
    """What is asked: the questions of the set, the view of its knowledge base, and each document's id by its path."""

    questions: Sequence[dict[str, Any]]
    view: "CorpusView"
    tools: "Tools"
    documents: dict[str, Any]

    def question(self, text: str) -> "Question":
        from accounts.types import Subject
        from retrieval.asking import question_from

        return question_from(text, Subject.system())

    def without(self, paths: Sequence[str]) -> "CorpusView":
        """The view with these documents taken out."""
        from dataclasses import replace

        from knowledge.policy import Filters

        others = tuple(identifier for path, identifier in self.documents.items() if path not in set(paths))
        return replace(self.view, filters=Filters(document_ids=others))

    def each(self, work: Callable[[dict[str, Any]], Awaitable[Result]]) -> list[Result]:
        """The work for every question, one after the other, in one loop."""

        async def run() -> list[Result]:
            try:
                return [await work(question) for question in self.questions]
            finally:
                await self.tools.close()

        return asyncio.run(run())


@contextmanager
def public_base(folder: Path, sample: int | None) -> Iterator[PublicBase]:
    """The set in this folder, read and ready; with `sample` only its first questions are asked."""
    from config.conf import server_settings
    from config.embedded.registry import embedded_engines
    from config.embedded.sharing import engines_in_use

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    with engines_in_use(embedded_engines(server_settings().data, ("postgres", "embedder"), None)):
        import django

        django.setup()
        from config.schema import bring_up_to_date

        bring_up_to_date(server_settings().data)
        try:
            yield opened(folder, sample)
        finally:
            close_connections()


def opened(folder: Path, sample: int | None) -> PublicBase:
    from accounts.types import Subject
    from evaluation.corpora import corpus_base, corpus_read, slug_for
    from knowledge.models import Document, DocumentState
    from knowledge.tools import tools as reading_tools
    from retrieval.selectors import view_for
    from retrieval.tools import tools

    subject, corpus = Subject.system(), folder / "corpus.jsonl"
    kb = corpus_base(subject, slug_for(corpus))
    corpus_read(
        subject, kb, corpus, reading_tools(), lambda count: say(f"{count} documents read") if count % 200 == 0 else None
    )
    documents = dict(Document.objects.filter(kb=kb, state=DocumentState.LIVE).values_list("path", "pk"))
    questions = list(read_lines(folder / "questions.jsonl"))[:sample]
    return PublicBase(questions, view_for(subject, slugs=[kb.slug]), tools(), documents)


def close_connections() -> None:
    from django.db import connections

    for connection in connections.all(initialized_only=True):
        connection.close()
        if close_pool := getattr(connection, "close_pool", None):
            close_pool()

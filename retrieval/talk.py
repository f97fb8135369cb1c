"""One turn of a conversation: the question is stored, answered while somebody watches, and the answer kept, also what there was of it when they stopped.

Given who asks and what, yields what happens; leaves the answering to `ask` and the rows to `services`.
"""

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

import structlog
from asgiref.sync import sync_to_async

from accounts.types import Subject
from common.errors import TrellisError
from inference.types import Charge, Purpose
from knowledge.policy import CorpusView, Filters
from retrieval import services
from retrieval.answer import Answer, Event, StageNews
from retrieval.ask import ask
from retrieval.draft import Draft
from retrieval.live import Beat, Tell, live
from retrieval.models import Message
from retrieval.selectors import knowledge_base_names, passages_in, view_for
from retrieval.services import Turn
from retrieval.tools import Tools
from retrieval.trace import Trace
from retrieval.types import Question

log = structlog.get_logger(__name__)

BEAT_S = 8


@dataclass(frozen=True, slots=True)
class Request:
    """What somebody asks, and where."""

    text: str
    slugs: tuple[str, ...] = ()
    filters: Filters = field(default_factory=Filters)
    conversation_id: UUID | None = None
    client_id: UUID | None = None
    answerer: str = ""


@dataclass(frozen=True, slots=True)
class Accepted:
    """The question is stored: a reload shows it."""

    turn: Turn


@dataclass(frozen=True, slots=True)
class Kept:
    """The answer is stored."""

    message: Message
    answer: Answer


@dataclass(frozen=True, slots=True)
class Failed:
    """There is no answer, and why."""

    error: TrellisError


TalkEvent = Accepted | Event | Beat | Kept | Failed


@dataclass(frozen=True, slots=True)
class Opened:
    """A turn that has begun, with all it needs."""

    subject: Subject
    request: Request
    view: CorpusView
    turn: Turn
    searched: dict[str, Any]
    question: Question


def open_turn(subject: Subject, request: Request) -> Opened:
    """Check, and store the question. Raises NotFound for what the subject can't see."""
    view = view_for(subject, slugs=request.slugs, filters=request.filters)
    turn = services.turn_begin(
        subject=subject,
        text=request.text,
        kb_slugs=request.slugs,
        conversation_id=request.conversation_id,
        client_id=request.client_id,
    )
    searched = {"passages": passages_in(view), "knowledge_bases": knowledge_base_names(subject, view)}
    charge = Charge(
        Purpose.ASK,
        department_id=subject.department_id,
        user_id=subject.user_id,
        key_id=subject.key_id,
        conversation_id=turn.conversation.pk,
    )
    return Opened(subject, request, view, turn, searched, Question(request.text, charge))


async def talk(opened: Opened, tools: Tools) -> AsyncGenerator[TalkEvent]:
    """Answer an opened turn."""
    draft = Draft(opened.question.language)
    trace = tools.trace()
    kept = False

    def events(tell: Tell[Event]) -> AsyncGenerator[Event]:
        trace.listener = lambda news: tell(with_figures(news, opened))
        return ask(opened.question, opened.view, tools, trace=trace, answerer=opened.request.answerer, draft=draft)

    try:
        yield Accepted(opened.turn)
        async with aclosing(live(events, beat_s=BEAT_S)) as stream:
            async for event in stream:
                if isinstance(event, Answer):
                    message = await sync_to_async(keep)(opened, trace, event, is_stopped=False)
                    kept = True
                    yield Kept(message, event)
                else:
                    yield event
    except TrellisError as error:
        log.warning("talk.failed", code=error.code, message=str(error))
        await sync_to_async(services.answer_failed)(message=opened.turn.answer, error=error)
        kept = True
        yield Failed(error)
    finally:
        if not kept:
            # What there was of it is no statement about what can be found.
            unfinished = replace(draft.answer(trace), found=True)
            in_background(sync_to_async(keep)(opened, trace, unfinished, is_stopped=True))


def keep(opened: Opened, trace: Trace, answer: Answer, *, is_stopped: bool) -> Message:
    """Store the answer and how it came about."""
    message = services.answer_keep(
        message=opened.turn.answer, answer=answer, searched=opened.searched, is_stopped=is_stopped
    )
    services.trace_keep(
        subject=opened.subject,
        view=opened.view,
        trace=trace,
        message_id=message.pk,
        found=answer.found,
        answerer=answer.answerer,
    )
    return message


def with_figures(news: StageNews, opened: Opened) -> StageNews:
    """How many passages an arm looks through, for the line that says what is happening."""
    if news.name not in ("vector", "keyword"):
        return news
    return StageNews(news.name, news.state, news.ms, news.outcome, {"passages": opened.searched["passages"]})


def in_background(step: Coroutine[Any, Any, Any]) -> None:
    """Go on although the reader has gone, and this generator with them."""
    task = asyncio.ensure_future(step)
    _RUNNING.add(task)
    task.add_done_callback(_RUNNING.discard)


async def settled() -> None:
    """Return when nothing of this loop goes on in the background any more."""
    loop = asyncio.get_running_loop()
    while running := {task for task in _RUNNING if task.get_loop() is loop}:
        await asyncio.wait(running)


_RUNNING: set["asyncio.Future[Any]"] = set()

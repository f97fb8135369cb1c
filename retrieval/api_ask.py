"""POST /api/v1/ask: a question, answered as JSON, or as server-sent events when the client accepts them."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from typing import Any

from asgiref.sync import sync_to_async
from django.http import HttpRequest, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import Scope
from accounts.types import Subject
from common.errors import Forbidden, InvalidInput, TooLarge
from common.text import canonical
from knowledge.policy import Filters
from retrieval.answer import Cited, Delta, StageNews
from retrieval.conf import retrieval_settings
from retrieval.door import asubject_at, body_of, endpoint
from retrieval.live import Beat
from retrieval.shown import citation_shown, done_shown
from retrieval.talk import Accepted, Failed, Kept, Opened, Request, TalkEvent, in_background, open_turn, talk
from retrieval.tools import Tools, tools
from retrieval.types import jsonable


class FiltersInput(serializers.Serializer[Any]):
    """What narrows a question to some documents."""

    folder = serializers.CharField(required=False, allow_blank=True, default="")
    tags = serializers.ListField(child=serializers.CharField(), required=False, default=list)
    owner = serializers.UUIDField(required=False, allow_null=True, default=None)
    language = serializers.CharField(required=False, allow_blank=True, default="")
    documents = serializers.ListField(child=serializers.UUIDField(), required=False, default=list)


class AskInput(serializers.Serializer[Any]):
    """A question."""

    question = serializers.CharField(trim_whitespace=True)
    knowledge_bases = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        default=list,
        help_text="Short names; all that may be read when empty.",
    )
    filters = FiltersInput(required=False)
    conversation = serializers.UUIDField(required=False, allow_null=True, default=None)
    answerer = serializers.ChoiceField(
        ["quote", "model"], required=False, allow_null=True, allow_blank=True, default=""
    )
    client_id = serializers.UUIDField(required=False, allow_null=True, default=None)
    page = serializers.BooleanField(required=False, default=False)


class AskOutput(serializers.Serializer[Any]):
    """A finished answer; in `answer` a citation stands as `[n]`."""

    message_id = serializers.UUIDField()
    conversation_id = serializers.UUIDField()
    conversation_title = serializers.CharField()
    answer = serializers.CharField()
    html = serializers.CharField()
    found = serializers.BooleanField()
    answerer = serializers.CharField()
    language = serializers.CharField()
    citations = serializers.ListField(child=serializers.DictField())
    degraded = serializers.ListField(child=serializers.CharField())
    dropped = serializers.IntegerField()
    cached = serializers.BooleanField()
    stages = serializers.ListField(child=serializers.DictField())
    tokens = serializers.DictField()
    took_ms = serializers.IntegerField()
    nearest = serializers.ListField(child=serializers.DictField())


class AskView(APIView):
    """Describes the endpoint."""

    @extend_schema(
        operation_id="ask",
        request=AskInput,
        responses={(200, "application/json"): AskOutput, (200, "text/event-stream"): str},
    )
    def post(self, request: Any) -> Response:
        """Ask. With `Accept: text/event-stream` the answer arrives as the events accepted, stage, delta, citation, and done or error."""
        raise NotImplementedError


@endpoint(AskView)
async def ask_endpoint(request: HttpRequest) -> HttpResponseBase:
    """Check, store the question, answer."""
    subject = await asubject_at(request)
    if not subject.may(Scope.ASK):
        raise Forbidden(_("This key may not ask questions."))
    body = body_of(request, AskInput)
    opened = await sync_to_async(open_turn)(subject, request_from(body))
    page = request if body["page"] else None
    if "text/event-stream" in request.headers.get("Accept", ""):
        return event_stream(sent(opened, tools(), page))
    return await whole(opened, tools(), page)


def request_from(body: dict[str, Any]) -> Request:
    """Raises InvalidInput for an empty question, TooLarge for a long one."""
    text = canonical(body["question"]).strip()
    longest = retrieval_settings().question_characters
    if not text:
        raise InvalidInput(_("The question is empty."))
    if len(text) > longest:
        raise TooLarge(_("The question is longer than %(count)d characters.") % {"count": longest})
    return Request(
        text=text,
        slugs=tuple(body["knowledge_bases"]),
        filters=filters_from(body.get("filters")),
        conversation_id=body["conversation"],
        client_id=body["client_id"],
        answerer=body["answerer"] or "",
    )


def filters_from(given: dict[str, Any] | None) -> Filters:
    if not given:
        return Filters()
    return Filters(
        folder=given["folder"].strip("/"),
        tags=tuple(given["tags"]),
        owner_id=given["owner"],
        language=given["language"],
        document_ids=tuple(given["documents"]),
    )


async def whole(opened: Opened, used: Tools, page: HttpRequest | None) -> JsonResponse:
    """The finished answer. Raises what went wrong."""
    async with aclosing(talk(opened, used)) as events:
        async for event in events:
            if isinstance(event, Failed):
                raise event.error
            if isinstance(event, Kept):
                done = await sync_to_async(done_shown)(opened.subject, event.message, page)
                return JsonResponse(jsonable(done), json_dumps_params={"ensure_ascii": False})
    raise InvalidInput(_("The question was stopped."))


class Stream:
    """Events for a response. Django closes what it streams only by garbage collection; this is closed as soon as the response is."""

    def __init__(self, events: AsyncGenerator[str]) -> None:
        self.events = events
        self.loop = asyncio.get_running_loop()

    def __aiter__(self) -> AsyncIterator[str]:
        return self.events

    def close(self) -> None:
        """Called by Django when the response is done with, in a thread."""
        self.loop.call_soon_threadsafe(lambda: in_background(self.closed()))

    async def closed(self) -> None:
        with suppress(RuntimeError):  # it is running, so it is being cancelled
            await self.events.aclose()


def event_stream(events: AsyncGenerator[str]) -> StreamingHttpResponse:
    """Unbuffered by proxies, kept by nobody."""
    response = StreamingHttpResponse(Stream(events), content_type="text/event-stream; charset=utf-8")
    response["X-Accel-Buffering"] = "no"
    response["Cache-Control"] = "no-cache, no-store"
    return response


async def sent(opened: Opened, used: Tools, page: HttpRequest | None) -> AsyncGenerator[str]:
    """The stream's lines. Words of ours in it are in the reader's language, as on the page."""
    language = translation.get_language()
    async with aclosing(talk(opened, used)) as events:
        async for event in events:
            with translation.override(language):
                yield await line_of(opened.subject, event, opened, page)


async def line_of(subject: Subject, event: TalkEvent, opened: Opened, page: HttpRequest | None) -> str:
    match event:
        case Beat():
            return ": ping\n\n"
        case Accepted(turn):
            return sse("accepted", accepted(turn.conversation, turn.question, opened.request.client_id))
        case StageNews(name, state, ms, outcome, detail):
            return sse("stage", {"name": name, "state": state, "ms": ms, "outcome": outcome, "detail": detail})
        case Delta(text):
            return sse("delta", {"text": text})
        case Cited(citation):
            return sse("citation", citation_shown(citation))
        case Kept(message, _answer):
            return sse("done", await sync_to_async(done_shown)(subject, message, page))
        case Failed(error):
            return sse("error", {"code": error.code, "message": str(error), "retryable": error.retryable})
        case _:
            return ""


def accepted(conversation: Any, question: Any, client_id: Any) -> dict[str, Any]:
    return {
        "conversation_id": conversation.pk,
        "conversation_title": conversation.title,
        "question_id": question.pk,
        "client_id": client_id,
    }


def sse(name: str, data: Any) -> str:
    """One event of the stream."""
    return f"event: {name}\ndata: {json.dumps(jsonable(data), ensure_ascii=False, default=str)}\n\n"

"""The chat page, a conversation, and the evidence behind a citation."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.db.models import Count, Max, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET

from accounts.types import Subject
from common.errors import NotFound
from knowledge import policy
from knowledge.models import DocumentState, KnowledgeBase
from retrieval import selectors
from retrieval.conf import retrieval_settings
from retrieval.evidence import evidence_shown
from retrieval.models import Conversation
from retrieval.shown import message_shown
from retrieval.tools import tools

LISTED = 200


@login_required
@require_GET
def chat(request: HttpRequest) -> HttpResponse:
    """GET /"""
    return render(request, "chat/page.html", page_context(subject_of(request)))


@login_required
@require_GET
def conversation(request: HttpRequest, conversation_id: UUID) -> HttpResponse:
    """GET /c/{conversation_id}/"""
    subject = subject_of(request)
    try:
        found = selectors.conversation_for(subject, conversation_id)
    except NotFound as error:
        raise Http404(str(error)) from None
    messages = selectors.messages_for(subject).filter(conversation=found)
    shown = {"id": str(found.pk), "title": found.title, "messages": [message_shown(subject, each) for each in messages]}
    return render(request, "chat/page.html", page_context(subject, shown, chosen=found.kb_slugs))


@login_required
@require_GET
@cache_control(private=True, no_store=True)
def evidence(request: HttpRequest, message_id: UUID, n: int) -> HttpResponse:
    """GET /evidence/{message_id}/{n}/, as a fragment for htmx, else as a page."""
    subject = subject_of(request)
    try:
        context = evidence_shown(subject, selectors.message_for(subject, message_id), n)
    except NotFound as error:
        raise Http404(str(error)) from None
    is_fragment = request.headers.get("HX-Request") == "true"
    return render(request, "chat/evidence.html" if is_fragment else "chat/evidence_page.html", context)


def subject_of(request: HttpRequest) -> Subject:
    return request.subject  # type: ignore[attr-defined,no-any-return]


def page_context(subject: Subject, shown: dict[str, Any] | None = None, chosen: Sequence[str] = ()) -> dict[str, Any]:
    """What the chat page needs besides the talk itself."""
    return {
        "knowledge_bases": knowledge_bases(subject),
        "chosen": list(chosen),
        "conversations": conversation_groups(subject),
        "conversation": shown,
        "answerers": answerers(),
        "question_characters": retrieval_settings().question_characters,
        "answer_limit_s": retrieval_settings().answer_limit_s,
    }


def knowledge_bases(subject: Subject) -> list[dict[str, Any]]:
    """Each that the subject may read, with figures that are true for them today."""
    live = Q(documents__state=DocumentState.LIVE, documents__live_version__isnull=False)
    bases = policy.visible(KnowledgeBase.objects.all(), subject).annotate(
        document_count=Count("documents", filter=live), changed_at=Max("documents__updated_at", filter=live)
    )
    today = timezone.localdate()
    counts = selectors.live_chunks(today).order_by().values("kb_id").annotate(count=Count("pk"))
    passages = {row["kb_id"]: row["count"] for row in counts.filter(kb__in=bases.values("pk"))}
    return [
        {
            "slug": base.slug,
            "name": base.name,
            "description": base.description,
            "document_count": base.document_count,
            "passage_count": passages.get(base.pk, 0),
            "changed_at": base.changed_at,
            "questions": base.questions[:6],
        }
        for base in bases.order_by("name")
    ]


def conversation_groups(subject: Subject) -> list[dict[str, Any]]:
    """The subject's conversations under the days of their last talk."""
    today = timezone.localdate()

    def label(conversation: Conversation) -> str:
        return selectors.day_label(timezone.localdate(conversation.updated_at), today)

    found = selectors.conversations_for(subject)[:LISTED]
    return [
        {
            "label": day,
            "items": [{"id": str(each.pk), "title": each.title, "updated_at": each.updated_at} for each in group],
        }
        for day, group in groupby(found, key=label)
    ]


def answerers() -> list[dict[str, str]]:
    """Who may write, as far as there is a choice."""
    labels = {"model": _("Written by the language model"), "quote": _("Excerpts")}
    return [{"value": name, "label": labels[name]} for name in ("model", "quote") if name in tools().answerers]

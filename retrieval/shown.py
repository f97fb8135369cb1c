"""A message as it is shown: one mapping for the page's templates, the event `done` and REST. Quotations and titles are read now, through the policy."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.types import Subject
from retrieval.answer import Citation
from retrieval.citations import citations_read
from retrieval.conf import retrieval_settings
from retrieval.models import Feedback, Message, MessageRole, MessageState
from retrieval.parts import markdown_of, parts_read
from retrieval.render import answer_html
from retrieval.selectors import nearest_read

# So long after its own limit an answer that is still being written belongs to a server that was stopped.
GIVEN_UP_AFTER_S = 60


def message_shown(subject: Subject, message: Message) -> dict[str, Any]:
    """For the templates and for JSON."""
    common = {
        "id": str(message.pk),
        "role": message.role,
        "language": message.language,
        "created_at": message.created_at,
    }
    if message.role == MessageRole.USER:
        return {**common, "text": message.text}
    state = state_of(message)
    citations = citations_read(subject, message.citations)
    parts = parts_read(message.parts)
    return {
        **common,
        "html": answer_html(parts, citations, language=message.language, message_id=message.pk),
        "markdown": markdown_of(parts, citations, message.language),
        "found": message.found,
        "answerer": message.answerer,
        "citations": [citation_shown(citation, message) for citation in citations.values()],
        "degraded": message.degraded,
        "dropped": message.dropped,
        "cached_since": None,
        "took_ms": message.took_ms,
        "stages": message.stages,
        "tokens": {"prompt": message.prompt_tokens, "completion": message.completion_tokens},
        "searched": message.searched,
        "nearest": nearest_shown(subject, message),
        "feedback": feedback_of(message),
        "question": message.question.text if message.question else "",
        "is_stopped": state == MessageState.STOPPED,
        "state": state,
        "error": message.error if state == MessageState.FAILED else None,
    }


def state_of(message: Message) -> str:
    """As stored; what has been written for too long has failed, and says so."""
    limit = timedelta(seconds=retrieval_settings().answer_limit_s + GIVEN_UP_AFTER_S)
    if message.state == MessageState.WORKING and timezone.now() - message.created_at > limit:
        message.error = {
            "code": "unexpected",
            "message": _("The server was stopped before it had answered. Ask again."),
        }
        return MessageState.FAILED
    return message.state


def done_shown(subject: Subject, message: Message, request: HttpRequest | None = None) -> dict[str, Any]:
    """The object of the event `done`; with a request, the finished message for the page as well (`article`)."""
    shown = message_shown(subject, message)
    fields = (
        "html",
        "found",
        "answerer",
        "language",
        "citations",
        "degraded",
        "dropped",
        "stages",
        "tokens",
        "took_ms",
        "nearest",
        "state",
    )
    done = {
        "message_id": shown["id"],
        "conversation_id": str(message.conversation_id),
        "conversation_title": message.conversation.title,
        "answer": shown["markdown"],
        **{name: shown[name] for name in fields},
        "searched": shown["searched"],
        "cached": False,
        "question": shown["question"],
        "feedback": shown["feedback"],
        "error": shown["error"],
        "created_at": shown["created_at"],
    }
    if request is not None:
        done["article"] = render_to_string("chat/message.html", {"message": shown}, request=request)
    return done


def citation_shown(citation: Citation, message: Message | None = None) -> dict[str, Any]:
    """A citation with its addresses; `url` is empty until its message is stored."""
    return {
        **citation.as_dict(),
        "url": reverse("evidence", args=[message.pk, citation.n]) if message else "",
        "original_url": original_url(citation),
    }


def original_url(citation: Citation) -> str | None:
    """Where the original is downloaded, at the page that is cited; None for a deleted one."""
    if citation.is_deleted:
        return None
    address = reverse("document_original", args=[citation.document])
    return f"{address}?version={citation.version}" + (f"#page={citation.page}" if citation.page else "")


def document_url(citation: Citation) -> str:
    """The document's page with the cited stretch marked."""
    span = f"version={citation.version}&start={citation.start}&end={citation.end}"
    return f"{reverse('document', args=[citation.document])}?{span}#evidence"


def nearest_shown(subject: Subject, message: Message) -> list[Mapping[str, str]]:
    """Titles of the nearest documents, which a reader can open."""
    return [
        {"document": str(near.document), "title": near.title, "url": reverse("document", args=[near.document])}
        for near in nearest_read(subject, message.nearest)
    ]


def feedback_of(message: Message) -> dict[str, Any] | None:
    feedback: Feedback | None = getattr(message, "feedback", None)
    return {"value": feedback.value, "reason": feedback.reason, "note": feedback.note} if feedback else None

"""Change what was asked and answered. Each service checks, saves and records in one transaction; the audit names conversations by id, never by their words."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from asgiref.sync import sync_to_async
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.services.audit import audit
from accounts.types import Subject
from common.errors import InvalidInput, NotAuthenticated, NotFound, TrellisError
from common.text import language_of
from knowledge.policy import CorpusView
from retrieval import selectors
from retrieval.answer import Answer
from retrieval.citations import citation_kept, erased
from retrieval.models import Conversation, Feedback, Message, MessageRole, MessageState, Trace
from retrieval.parts import parts_kept
from retrieval.trace import Trace as LiveTrace

TITLE_CHARACTERS = 60
REASONS = frozenset(["", "wrong", "incomplete", "bad_source", "outdated", "other"])


@dataclass(frozen=True, slots=True)
class Turn:
    """A question that was stored, and the row that waits for its answer."""

    conversation: Conversation
    question: Message
    answer: Message


@transaction.atomic
def turn_begin(
    *, subject: Subject, text: str, kb_slugs: Sequence[str], conversation_id: UUID | None, client_id: UUID | None
) -> Turn:
    """Store a question, in a new conversation unless one is named. Raises NotFound for a conversation that isn't the subject's."""
    if subject.user_id is None:
        raise NotAuthenticated(_("Sign in to ask."))
    if conversation_id is None:
        conversation = Conversation.objects.create(
            user_id=subject.user_id, key_id=subject.key_id, title=title_from(text), kb_slugs=list(kb_slugs)
        )
    else:
        conversation = selectors.conversation_for(subject, conversation_id)
        conversation.kb_slugs = list(kb_slugs)
        conversation.save(update_fields=["kb_slugs", "updated_at"])
    language = language_of(text)
    question = Message.objects.create(
        conversation=conversation, role=MessageRole.USER, parts=[{"text": text}], client_id=client_id, language=language
    )
    answer = Message.objects.create(
        conversation=conversation,
        role=MessageRole.ASSISTANT,
        state=MessageState.WORKING,
        question=question,
        client_id=client_id,
        language=language,
    )
    return Turn(conversation, question, answer)


@transaction.atomic
def answer_keep(*, message: Message, answer: Answer, searched: dict[str, Any], is_stopped: bool = False) -> Message:
    """Store a finished answer, or what there was of it when its reader stopped it."""
    message.state = MessageState.STOPPED if is_stopped else MessageState.DONE
    message.parts = parts_kept(answer.parts)
    message.citations = [citation_kept(citation) for citation in answer.citations]
    message.nearest = [str(nearest.document) for nearest in answer.nearest]
    message.searched = searched
    message.language = answer.language
    message.found = answer.found
    message.answerer = answer.answerer
    message.degraded = list(answer.degraded)
    message.dropped = answer.dropped
    message.stages = [asdict(stage) for stage in answer.stages]
    message.prompt_tokens = answer.tokens.prompt
    message.completion_tokens = answer.tokens.completion
    message.took_ms = answer.took_ms
    message.save()
    Conversation.objects.filter(pk=message.conversation_id).update(updated_at=timezone.now())
    return message


@transaction.atomic
def answer_failed(*, message: Message, error: TrellisError) -> Message:
    """Remember that, and why, there is no answer."""
    message.state = MessageState.FAILED
    message.error = {"code": error.code, "message": str(error), "retryable": error.retryable}
    message.save(update_fields=["state", "error", "updated_at"])
    return message


def trace_keep(
    *,
    subject: Subject,
    view: CorpusView,
    trace: LiveTrace,
    message_id: UUID | None = None,
    found: bool = True,
    answerer: str = "",
) -> Trace:
    """Store how a question went, for the figures of operators."""
    return Trace.objects.create(
        user_id=subject.user_id,
        key_id=subject.key_id,
        message_id=message_id,
        kb_ids=[str(kb_id) for kb_id in view.kb_ids],
        found=found,
        answerer=answerer,
        degraded=list(trace.degraded),
        stages=[asdict(stage) for stage in trace.stages],
        took_ms=trace.took_ms,
    )


trace_keep_later = sync_to_async(trace_keep)


@transaction.atomic
def conversation_rename(*, subject: Subject, conversation: Conversation, title: str) -> Conversation:
    """Raises InvalidInput for a title of white space."""
    wanted = " ".join(title.split())[:200]
    if not wanted:
        raise InvalidInput(_("A conversation needs a title."))
    conversation.title = wanted
    # The order of conversations is that of their talk, which a new name doesn't change.
    Conversation.objects.filter(pk=conversation.pk).update(title=wanted)
    audit(subject, "conversation.rename", conversation, label=str(conversation.pk))
    return conversation


@transaction.atomic
def conversation_delete(*, subject: Subject, conversation: Conversation) -> None:
    """With everything that was said in it."""
    audit(subject, "conversation.delete", conversation, label=str(conversation.pk))
    conversation.delete()


@transaction.atomic
def feedback_give(
    *, subject: Subject, message: Message, value: int, reason: str = "", note: str = ""
) -> Feedback | None:
    """Say what one thinks of an answer; 0 takes it back. Raises InvalidInput, or NotFound for a question."""
    if message.role != MessageRole.ASSISTANT:
        raise NotFound(_("There is no such answer."))
    if value not in (1, 0, -1) or reason not in REASONS:
        raise InvalidInput(_("A value is 1, 0 or -1, a reason one of those that are offered."))
    audit(subject, "feedback.give", message, label=str(message.pk), after={"value": value, "reason": reason})
    if value == 0:
        Feedback.objects.filter(message=message).delete()
        return None
    given = {"value": value, "reason": reason, "note": note[:2000]}
    return Feedback.objects.update_or_create(message=message, defaults=given)[0]


@transaction.atomic
def citations_erase(document_id: UUID) -> int:
    """Erase what answers hold of a document that is deleted for good; gives back in how many messages. Part of the caller's transaction."""
    wanted = str(document_id)
    messages = Message.objects.select_for_update().filter(citations__contains=[{"document": wanted}])
    count = 0
    for message in messages.iterator():
        gone = {row["n"] for row in message.citations if row["document"] == wanted}
        message.citations = [erased(row) if row["n"] in gone else row for row in message.citations]
        living = {row["n"] for row in message.citations if row.get("version")}
        message.parts = [part_without(part, living) for part in message.parts]
        message.save(update_fields=["citations", "parts", "updated_at"])
        count += 1
    return count


def part_without(part: dict[str, Any], living: set[int]) -> dict[str, Any]:
    """The part, or the mark of its absence when none of its sources lives."""
    numbers = part.get("cites") or ([part["quote"]] if "quote" in part else [])
    return {"gone": numbers[0]} if numbers and not living.intersection(numbers) else part


def title_from(text: str) -> str:
    """The question itself, shortened at a word."""
    line = " ".join(text.split())
    if len(line) <= TITLE_CHARACTERS:
        return line
    short = line[:TITLE_CHARACTERS]
    head, space, _tail = short.rpartition(" ")
    return f"{head if space and len(head) > TITLE_CHARACTERS // 2 else short}…"


class StoredCitations:
    """Plays `knowledge.ports.CitationKeeper`."""

    def erase(self, document_id: UUID) -> None:
        """See `citations_erase`."""
        citations_erase(document_id)

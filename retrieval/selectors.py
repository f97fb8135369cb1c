"""Read what was asked and answered. People see their own conversations, keys those that they began; nobody sees another's."""

from collections.abc import Sequence
from datetime import date, timedelta
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.types import Subject
from common.errors import NotFound
from knowledge import policy
from knowledge.models import Chunk, Document, DocumentState, KnowledgeBase
from knowledge.policy import CorpusView, Filters
from retrieval.answer import Nearest
from retrieval.models import Conversation, Message, MessageRole


def conversations_for(subject: Subject, *, words: str = "") -> QuerySet[Conversation]:
    """The subject's own, last talked in first; with `words` in their title or in what was asked in them."""
    if subject.user_id is None:
        return Conversation.objects.none()
    own = Conversation.objects.filter(user_id=subject.user_id, key_id=subject.key_id)
    if words:
        asked = Message.objects.filter(
            conversation=OuterRef("pk"), role=MessageRole.USER, parts__0__text__icontains=words
        )
        own = own.filter(Q(title__icontains=words) | Exists(asked))
    return own.order_by("-updated_at", "-id")


def conversation_for(subject: Subject, conversation_id: UUID) -> Conversation:
    """Raises NotFound."""
    conversation = conversations_for(subject).filter(pk=conversation_id).first()
    if conversation is None:
        raise NotFound(_("There is no such conversation, or it isn't yours."))
    return conversation


def messages_for(subject: Subject) -> QuerySet[Message]:
    """All messages of the subject's conversations, oldest first."""
    return (
        Message.objects.filter(conversation__in=conversations_for(subject).values("pk"))
        .select_related("question", "feedback", "conversation")
        .order_by("id")
    )


def message_for(subject: Subject, message_id: UUID) -> Message:
    """Raises NotFound."""
    message = messages_for(subject).filter(pk=message_id).first()
    if message is None:
        raise NotFound(_("There is no such message, or it isn't yours."))
    return message


def answer_by_client(subject: Subject, client_id: UUID) -> Message:
    """The latest answer to what was asked under this id of the client's. Raises NotFound."""
    answers = messages_for(subject).filter(client_id=client_id, role=MessageRole.ASSISTANT)
    message = answers.order_by("-id").first()
    if message is None:
        raise NotFound(_("There is no such message, or it isn't yours."))
    return message


def view_for(subject: Subject, *, slugs: Sequence[str] = (), filters: Filters | None = None) -> CorpusView:
    """What the subject may search today. Raises NotFound for a knowledge base they can't see."""
    return policy.corpus_view(subject, slugs=slugs, filters=filters or Filters(), today=timezone.localdate())


def passages_in(view: CorpusView) -> int:
    """How many chunks a question may look at."""
    return live_chunks(view.today).filter(kb_id__in=view.kb_ids).count()


def live_chunks(today: date) -> QuerySet[Chunk]:
    """Chunks that answers may use today."""
    dates = Q(document__expires_on=None) | Q(document__expires_on__gte=today)
    dates &= Q(document__effective_on=None) | Q(document__effective_on__lte=today)
    return Chunk.objects.filter(dates, is_live=True, document__state=DocumentState.LIVE)


def knowledge_base_names(subject: Subject, view: CorpusView) -> list[str]:
    bases = policy.visible(KnowledgeBase.objects.all(), subject).filter(pk__in=view.kb_ids)
    return list(bases.order_by("name").values_list("name", flat=True))


def nearest_read(subject: Subject, document_ids: Sequence[str]) -> list[Nearest]:
    """The titles of these documents, as far as they are in use and may be seen."""
    documents = Document.objects.filter(pk__in=document_ids, state=DocumentState.LIVE)
    titles = {str(document.pk): str(document) for document in policy.visible(documents, subject)}
    return [Nearest(UUID(each), titles[each]) for each in document_ids if each in titles]


def day_label(moment_day: date, today: date) -> str:
    """The heading under which a conversation stands in the list."""
    if moment_day >= today:
        return _("Today")
    if moment_day == today - timedelta(days=1):
        return _("Yesterday")
    return _("The last seven days") if moment_day > today - timedelta(days=7) else _("Earlier")

"""The bin: a document in it is invisible everywhere at once and can be restored whole, until somebody or thirty days delete it for good."""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.services.audit import audit
from accounts.types import Subject
from common.errors import Conflict, NotFound
from knowledge import policy, queue
from knowledge.corpus import corpus_moved, hold_paths, show_chunks
from knowledge.models import Document, DocumentState, StageRun
from knowledge.runs import UNFINISHED
from knowledge.tools import Tools


def document_bin(*, subject: Subject, document: Document, tools: Tools) -> Document:
    """Hide one document; see `documents_bin`."""
    return documents_bin(subject=subject, kb_id=document.kb_id, documents=[document.pk], tools=tools)[0]


@transaction.atomic
def documents_bin(*, subject: Subject, kb_id: UUID, documents: Sequence[UUID], tools: Tools) -> list[Document]:
    """Hide documents everywhere and withdraw what only they supported. Reading them pauses. Binned ones stay as they are."""
    policy.require_editor(subject, kb_id)
    found = held(kb_id, documents)
    moved = [document for document in found if document.state == DocumentState.LIVE]
    for document in moved:
        document.state = DocumentState.BINNED
        document.binned_at = timezone.now()
        document.save(update_fields=["state", "binned_at", "updated_at"])
        show_chunks(document, tools.facts)
        audit(subject, "document.bin", document, kb_id=kb_id)
    if moved:
        corpus_moved(kb_id)
    return found


def document_restore(*, subject: Subject, document: Document, tools: Tools) -> Document:
    """Bring one document back; see `documents_restore`."""
    return documents_restore(subject=subject, kb_id=document.kb_id, documents=[document.pk], tools=tools)[0]


@transaction.atomic
def documents_restore(*, subject: Subject, kb_id: UUID, documents: Sequence[UUID], tools: Tools) -> list[Document]:
    """As it was before the bin. Raises Conflict when another document has taken the path, or the deleting has begun."""
    policy.require_editor(subject, kb_id)
    hold_paths(kb_id)
    found = held(kb_id, documents)
    moved = [document for document in found if document.state != DocumentState.LIVE]
    for document in moved:
        require_restorable(document)
        document.state = DocumentState.LIVE
        document.binned_at = None
        document.save(update_fields=["state", "binned_at", "updated_at"])
        show_chunks(document, tools.facts)
        audit(subject, "document.restore", document, kb_id=kb_id)
    if moved:
        corpus_moved(kb_id)
    unread = StageRun.objects.filter(document__in=moved, state__in=UNFINISHED, version__isnull=False)
    waiting = list(unread.values_list("version_id", flat=True).distinct())
    transaction.on_commit(lambda: queue.send_versions(waiting))
    return found


def held(kb_id: UUID, ids: Sequence[UUID]) -> list[Document]:
    """The documents, held against other writers, in one order for all. Raises NotFound when one is missing."""
    found = list(Document.objects.select_for_update(no_key=True).filter(kb_id=kb_id, pk__in=ids).order_by("pk"))
    if len(found) != len(set(ids)):
        raise NotFound(_("There is no such document."))
    return found


def require_restorable(document: Document) -> None:
    """Raises Conflict."""
    if document.state == DocumentState.DELETING:
        raise Conflict(_("“%(name)s” is being deleted for good and can't be restored.") % {"name": document})
    if Document.objects.filter(kb_id=document.kb_id, path=document.path, state=DocumentState.LIVE).exists():
        raise Conflict(
            _("Another document has taken the path “%(path)s”. Rename or bin that one first.")
            % {"path": document.path},
            field="path",
        )

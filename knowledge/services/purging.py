"""Delete binned documents for good: a tracked job that leaves nothing."""

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.services.audit import audit
from accounts.types import Subject
from common.errors import Conflict
from knowledge import policy, queue, runs
from knowledge.models import Document, DocumentState, Job, JobItem, JobKind, KnowledgeBase, Outcome, StageRun


@transaction.atomic
def purge_start(*, subject: Subject, kb: KnowledgeBase, documents: Sequence[Document]) -> Job:
    """Begin to delete documents that are in the bin; it can't be undone. Raises Conflict for one that is in use."""
    if not kb.is_deleting:
        policy.require_editor(subject, kb.pk)
    job = Job.objects.create(kind=JobKind.PURGE, kb=kb, created_by_id=subject.user_id)
    ids = sorted(document.pk for document in documents)
    for document in Document.objects.select_for_update(no_key=True).filter(kb=kb, pk__in=ids).order_by("pk"):
        if document.state == DocumentState.LIVE:
            raise Conflict(_("“%(name)s” is in use. Put it into the bin first.") % {"name": document})
        if document.state == DocumentState.BINNED:
            begin(subject, document)
        JobItem.objects.create(job=job, path=document.path, document=document, outcome=Outcome.PURGE)
    transaction.on_commit(lambda: queue.send_purges(ids))
    return job


def begin(subject: Subject, document: Document) -> None:
    """From here on nobody works on it but the purge. The record of the deed keeps the id, not the name."""
    runs.cancel(document, why=runs.DELETED)
    document.state = DocumentState.DELETING
    document.save(update_fields=["state", "updated_at"])
    StageRun.objects.get_or_create(document=document, version=None, stage=runs.PURGE)
    audit(subject, "document.purge", document, label=str(document.pk), kb_id=document.kb_id)

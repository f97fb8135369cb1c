"""Delete a binned document for good: its facts, chunks, contents that nobody else has, texts, files, and what answers quote of it. Nothing is left.

In batches under a lease, so that it may be ended anywhere and go on later. The record of deeds and the bills keep its id, and nothing else of it.
"""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from knowledge import jobs
from knowledge.contents import forget_contents, lock_to_remove
from knowledge.leases import Lease
from knowledge.models import (
    Chunk,
    Document,
    DocumentState,
    JobItem,
    Original,
    Outcome,
    Section,
    StageRun,
    StoredBlock,
    Version,
)
from knowledge.pictures import document_prefix
from knowledge.runs import PURGE
from knowledge.stage import Stage
from knowledge.tools import Tools

BATCH = 500


def purge(document: Document, tools: Tools) -> None:
    """Raises LeaseTaken when another worker is at it. Doing it again goes on where it stopped."""
    run, _made = StageRun.objects.get_or_create(document=document, version=None, stage=PURGE)
    with Stage(run) as lease:
        purge_chunks(document, lease, tools)
        purge_texts(document, lease)
        purge_files(document, tools)
        purge_row(document, lease, tools)
    jobs.settle()


def purge_chunks(document: Document, lease: Lease, tools: Tools) -> None:
    """Chunks with their facts, and their contents unless another chunk holds the same."""
    left = Chunk.objects.filter(document=document).order_by("pk")
    lease.progress(0, left.count())
    while batch := list(left.values_list("pk", "content_hash")[:BATCH]):
        ids = [pk for pk, _hash in batch]
        with transaction.atomic():
            lease.check()
            tools.facts.erase(ids)
            lock_to_remove()
            Chunk.objects.filter(pk__in=ids).delete()
            forget_contents(document.kb_id, [hash for _pk, hash in batch])
        lease.progress(lease.done + len(batch), lease.total)


def purge_texts(document: Document, lease: Lease) -> None:
    """Blocks and sections in batches, then the versions with their texts."""
    purge_rows(StoredBlock.objects.filter(version__document=document), lease)
    purge_rows(Section.objects.filter(version__document=document), lease)
    with transaction.atomic():
        lease.check()
        Document.objects.filter(pk=document.pk).update(live_version=None)
        JobItem.objects.filter(document=document).update(path="", error=None, notices=[], outcome=Outcome.PURGED)
        StageRun.objects.filter(document=document).exclude(stage=PURGE).delete()
        Version.objects.filter(document=document).delete()


def purge_rows(rows: "QuerySet[Any]", lease: Lease) -> None:
    """Many rows, in batches that commit."""
    while ids := list(rows.order_by("-pk").values_list("pk", flat=True)[: 10 * BATCH]):
        with transaction.atomic():
            lease.check()
            rows.model._default_manager.filter(pk__in=ids).delete()


def purge_files(document: Document, tools: Tools) -> None:
    """Originals and everything below the document's folder in storage."""
    for key in Original.objects.filter(document=document).values_list("key", flat=True):
        tools.storage.remove(key)
    tools.storage.remove_below(document_prefix(document.pk))


def purge_row(document: Document, lease: Lease, tools: Tools) -> None:
    """The document itself, last."""
    with transaction.atomic():
        lease.check()
        tools.citations.erase(document.pk)
        Original.objects.filter(document=document).delete()
        Document.objects.filter(pk=document.pk, state=DocumentState.DELETING).delete()

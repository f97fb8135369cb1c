"""The last line of the way in: readers see the new version. One transaction, and the last moment at which anything can be wrong."""

import structlog
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from common.errors import Conflict
from inference.models import SpaceState
from knowledge import jobs, metadata
from knowledge.contents import lock_to_add
from knowledge.corpus import corpus_moved, show_chunks
from knowledge.models import Chunk, ChunkKeywords, ChunkVector, Document, DocumentState, RunState, StageRun, Version
from knowledge.runs import AFTERWARDS, wait_afterwards
from knowledge.tools import Tools

log = structlog.get_logger(__name__)

STAGE = "publish"


class Incomplete(Conflict):
    """A content went while this version began to need it; the steps put it back when they are asked again."""

    code = "incomplete"
    retryable = True


@transaction.atomic
def publish(version: Version, tools: Tools) -> None:
    """Make a version the live one, unless a newer one is, or its reading was cancelled. Doing it again changes nothing.

    Raises Incomplete when something is missing that a reader would miss.
    """
    document = Document.objects.select_for_update(no_key=True).filter(pk=version.document_id).first()
    if document is None or document.state == DocumentState.DELETING:
        return  # and its versions may be gone
    run, _made = StageRun.objects.select_for_update().get_or_create(document=document, version=version, stage=STAGE)
    if run.state in (RunState.DONE, RunState.CANCELLED):
        return
    ready = Version.objects.defer("text").get(pk=version.pk)
    require_complete(ready)
    if is_newest(document, ready):
        make_live(document, ready, tools)
    now = timezone.now()
    Version.objects.filter(pk=version.pk).update(published_at=now)
    StageRun.objects.filter(version=version).exclude(stage__in=AFTERWARDS).update(
        state=RunState.DONE, finished_at=now, lease_until=None, error=None, updated_at=now
    )
    for step in tools.afterwards:
        if not step.is_done(version):
            wait_afterwards(version, step.name)
    jobs.settle(document.pk)


def require_complete(version: Version) -> None:
    """Every chunk can be found by its vector and by its words; until the end of the transaction no content goes."""
    lock_to_add()
    vector = ChunkVector.objects.filter(content_hash=OuterRef("content_hash"), space__state=SpaceState.ACTIVE)
    words = ChunkKeywords.objects.filter(content_hash=OuterRef("content_hash"), kb=OuterRef("kb"))
    lacking = Chunk.objects.filter(version=version).exclude(Exists(vector), Exists(words)).count()
    if lacking or version.chunk_count is None:
        log.warning("publish.incomplete", version=str(version.pk), lacking=lacking)
        raise Incomplete(_("Some passages of this version can't be found yet; they are being made again."))


def is_newest(document: Document, version: Version) -> bool:
    """Whether no later version is live already."""
    live = document.live_version_id
    return live is None or not Version.objects.filter(pk=live, number__gte=version.number).exists()


def make_live(document: Document, version: Version, tools: Tools) -> None:
    """Move readers from the old chunks to the new; what an editor switched off stays off where its content is the same."""
    if version.number > 1:
        switched_off = Chunk.objects.filter(document=document, is_disabled=True).values("content_hash")
        Chunk.objects.filter(version=version, content_hash__in=switched_off).update(is_disabled=True)
    document.live_version = version
    document.language = version.language
    if "title" not in document.set_by_hand:
        document.title = version.title
    metadata.apply(document, {field: value for field, value in version.metadata.items() if field != "title"})
    document.save()
    show_chunks(document, tools.facts)
    if document.state == DocumentState.LIVE:
        corpus_moved(document.kb_id)

"""What the workers do: each task takes an id, fetches, and calls one function. A message may come twice, late or never; rows say what is to be done."""

from uuid import UUID

from celery import shared_task

from common.errors import EngineUnavailable, LeaseLost
from common.tasks import TrellisTask
from knowledge import beats, sweeping
from knowledge.ingest import ingest
from knowledge.models import Document, Version
from knowledge.purge import purge
from knowledge.tend_spaces import tend_spaces
from knowledge.tools import tools


@shared_task(base=TrellisTask, name="knowledge.tasks.read_version")
def read_version(version_id: str) -> None:
    """Take one version through the way in. Somebody else's lease or a document that was put away ends it quietly; an engine that is away puts it off in the ledger."""
    version = (
        Version.objects.select_related("document__kb")
        .defer("text")
        .filter(pk=UUID(version_id), document__state="live")
        .first()
    )
    if version is None:
        return
    try:
        ingest(version, tools())
    except (LeaseLost, EngineUnavailable):
        return


@shared_task(base=TrellisTask, name="knowledge.tasks.purge_document")
def purge_document(document_id: str) -> None:
    """Delete one document for good, as far as that is not done."""
    document = Document.objects.filter(pk=UUID(document_id), state="deleting").first()
    if document is None:
        return
    try:
        purge(document, tools())
    except (LeaseLost, EngineUnavailable):
        return


@shared_task(base=TrellisTask, name="knowledge.tasks.sweep")
def sweep() -> None:
    """Queue what the broker has lost, note which jobs are over, and put old things away."""
    sweeping.sweep(tools())
    beats.forget_old()
    beats.swept()


@shared_task(base=TrellisTask, name="knowledge.tasks.tend")
def tend() -> None:
    """Reduce vectors once there are enough of them; embed what slipped through."""
    tend_spaces(tools().embedder)

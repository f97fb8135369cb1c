"""The stages of a version as rows: made to wait, cancelled, and made to wait again. Called inside the caller's transaction, the document locked before."""

from uuid import UUID

from django.db.models import F
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from knowledge.faults import fault
from knowledge.models import Document, RunState, StageRun, Version

STAGES = ("parse", "chunk", "embed", "index", "extract", "publish")
AFTERWARDS = ("model",)
WHOLE = (*STAGES, *AFTERWARDS)
PURGE = "purge"
UNFINISHED = (RunState.WAITING, RunState.RUNNING)

SUPERSEDED = ("superseded", _("A newer version came before this one was read."))
CANCELLED = ("cancelled", _("Cancelled."))
DELETED = ("deleted", _("The document is being deleted."))


def waiting(version: Version) -> list[StageRun]:
    """Unsaved rows for all that is to be done."""
    return [StageRun(document_id=version.document_id, version=version, stage=stage) for stage in STAGES]


def wait_afterwards(version: Version, stage: str) -> None:
    """Make a stage that comes after publishing wait: a new one, or one that was done. One that failed or was cancelled waits for a person."""
    run, _made = StageRun.objects.get_or_create(document_id=version.document_id, version=version, stage=stage)
    done = StageRun.objects.filter(pk=run.pk, state=RunState.DONE)
    done.update(state=RunState.WAITING, queued_at=None, retry_at=None, finished_at=None, done_units=0, waits=0)


def cancel(document: Document, *, why: tuple[str, str | Promise], version_id: UUID | None = None) -> int:
    """End what is unfinished of a document, or of one of its versions. The token grows, so that whoever works on it can store nothing more."""
    unfinished = StageRun.objects.filter(document=document, state__in=UNFINISHED).exclude(stage=PURGE)
    if version_id:
        unfinished = unfinished.filter(version_id=version_id)
    # Locked before it is changed: waits for batches that are being stored, which hold the key of their run.
    ids = list(unfinished.select_for_update().values_list("pk", flat=True))
    return StageRun.objects.filter(pk__in=ids).update(
        state=RunState.CANCELLED,
        token=F("token") + 1,
        lease_until=None,
        retry_at=None,
        finished_at=timezone.now(),
        error=fault(*why),
    )


def again(version_id: UUID, *, from_stage: str = "") -> int:
    """Failed and cancelled stages wait again, from a stage on also those that are done; gives how many."""
    runs = StageRun.objects.filter(version_id=version_id)
    wanted = runs.filter(state__in=(RunState.FAILED, RunState.CANCELLED))
    if from_stage:
        wanted = wanted | runs.filter(stage__in=STAGES[STAGES.index(from_stage) :])
    ids = list(wanted.select_for_update().values_list("pk", flat=True))
    return StageRun.objects.filter(pk__in=ids).update(
        state=RunState.WAITING,
        token=F("token") + 1,
        attempts=0,
        waits=0,
        lease_until=None,
        retry_at=None,
        queued_at=None,
        finished_at=None,
        error=None,
    )

"""One stage of one version, from taking its lease to recording how it ended: its time, its tokens, its outcome."""

from types import TracebackType

import structlog
from django.db import IntegrityError, InterfaceError, OperationalError
from django.utils.translation import gettext_lazy as _

from common.errors import LeaseLost, TrellisError
from knowledge import jobs
from knowledge.leases import Lease, LeaseTaken, WorkerClosing, take
from knowledge.models import StageRun, Version

log = structlog.get_logger(__name__)


class OutOfMemory(TrellisError):
    """Reading needed more memory than one worker may use."""

    code = "out_of_memory"


class StageFailed(TrellisError):
    """A fault of ours: the log has the details."""

    code = "unexpected"


class Stage:
    """`with stage(version, "parse") as lease:` Raises LeaseTaken when somebody else has it.

    A lost lease records nothing; an engine that is away puts the stage off; what can't be read or was not foreseen fails it; being asked to end
    gives it back. The error goes on to the caller, what was not foreseen as StageFailed.
    """

    def __init__(self, run: StageRun) -> None:
        self.run = run

    def __enter__(self) -> Lease:
        self.lease = take(self.run)
        self.lease.keep_alive()
        return self.lease

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.lease.rest()
        if error is None:
            self.lease.finish()
        elif isinstance(error, WorkerClosing) or not isinstance(error, Exception):
            self.lease.give_back()
        elif isinstance(error, LeaseLost | OperationalError | InterfaceError):
            return
        else:
            self._record(error)

    def _record(self, error: Exception) -> None:
        known = error if isinstance(error, TrellisError) else unforeseen(error)
        if known.retryable:
            self.lease.put_off(known)
            return
        self.lease.fail(known)
        jobs.settle(self.run.document_id)
        if known is not error:
            log.error("stage.unexpected", stage=self.run.stage, document=str(self.run.document_id), exc_info=error)
            raise known from error


def stage(version: Version, name: str) -> Stage:
    """The stage of this name of this version; its row is made when it is missing. Raises LeaseTaken when the version has been deleted meanwhile."""
    try:
        run, _made = StageRun.objects.get_or_create(document_id=version.document_id, version_id=version.pk, stage=name)
    except IntegrityError:
        raise LeaseTaken(_("This version is gone.")) from None
    return Stage(run)


def unforeseen(error: Exception) -> TrellisError:
    """What people are told of a fault that we have no sentence for."""
    if isinstance(error, MemoryError):
        return OutOfMemory(
            _(
                "Reading this needs more memory than one worker may use. Split the file, or raise TRELLIS_WORKER_MEMORY_MB."
            )
        )
    return StageFailed(
        _("Something went wrong on our side; the log has the details. Try again, and tell the operator when it stays.")
    )

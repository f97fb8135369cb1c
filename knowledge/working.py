"""Read documents in this process, along with whatever workers there are: who has the lease does the work, the others go on to the next."""

import time
from collections.abc import Callable, Sequence
from uuid import UUID

from common.errors import EngineUnavailable, LeaseLost, TrellisError
from knowledge.ingest import ingest
from knowledge.models import RunState, StageRun, Version
from knowledge.tools import Tools

LOOKS_EVERY_S = 0.5
ENDS = (RunState.FAILED, RunState.CANCELLED)


def read_along(version_ids: Sequence[UUID], tools: Tools, told: Callable[[UUID], None]) -> None:
    """Return when each version is read, failed or cancelled, by us or by a worker; `told` hears of each as it ends.

    Raises EngineUnavailable when an engine stays away; what is left then waits in the ledger.
    """
    left = list(version_ids)
    while left:
        elsewhere = [version_id for version_id in left if not _tried(version_id, tools)]
        for version_id in left:
            if version_id not in elsewhere:
                told(version_id)
        left = elsewhere
        if left:
            time.sleep(LOOKS_EVERY_S)


def _tried(version_id: UUID, tools: Tools) -> bool:
    """Whether nothing is left to do for this version."""
    version = (
        Version.objects.select_related("document__kb")
        .defer("text")
        .filter(pk=version_id, document__state="live")
        .first()
    )
    if version is None:
        return True
    try:
        ingest(version, tools)
    except EngineUnavailable:
        raise
    except TrellisError as error:
        return has_ended(version_id) if isinstance(error, LeaseLost) or error.retryable else True
    return True


def has_ended(version_id: UUID) -> bool:
    """Whether the reading is over, well or not; also when its document was put away meanwhile."""
    runs = dict(StageRun.objects.filter(version_id=version_id).values_list("stage", "state"))
    is_away = not Version.objects.filter(pk=version_id, document__state="live").exists()
    return is_away or any(state in ENDS for state in runs.values()) or runs.get("publish") == RunState.DONE

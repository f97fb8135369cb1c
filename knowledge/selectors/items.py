"""How one file of a job stands: what it was, and what has become of it."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from knowledge.faults import in_words
from knowledge.models import JobItem, Outcome, RunState, StageRun, Version
from knowledge.runs import AFTERWARDS, UNFINISHED


@dataclass(frozen=True, slots=True)
class ItemResult:
    """`status` is "done", "failed", "unchanged", "refused", "cancelled", "waiting" or "running"; `chunks` is None until they are counted."""

    path: str
    document: UUID | None
    version: int | None
    status: str
    chunks: int | None
    error: dict[str, str] | None

    def as_json(self) -> dict[str, Any]:
        """The line that `manage.py ingest` prints."""
        document = str(self.document) if self.document else None
        return {
            "path": self.path,
            "document": document,
            "version": self.version,
            "status": self.status,
            "chunks": self.chunks,
            "error": self.error,
        }


def result_of(item: JobItem) -> ItemResult:
    """From rows, as they are now."""
    version = (
        Version.objects.only("number", "chunk_count").filter(pk=item.version_id).first() if item.version_id else None
    )
    chunks = version.chunk_count if version else None
    number = version.number if version else None
    if item.outcome in (Outcome.REFUSED, Outcome.UNCHANGED):
        return ItemResult(item.path, item.document_id, number, str(item.outcome), chunks, in_words(item.error))
    state, error = state_of(item.version_id) if item.version_id else (RunState.CANCELLED, None)
    return ItemResult(item.path, item.document_id, number, str(state), chunks, error)


def state_of(version_id: UUID) -> tuple[RunState, dict[str, str] | None]:
    """The state of a version from its stages, and the error of the stage that ended it. What is still to come after publishing keeps it from nothing."""
    stages = StageRun.objects.filter(version_id=version_id).exclude(stage__in=AFTERWARDS, state__in=UNFINISHED)
    runs = list(stages.values_list("state", "error"))
    for ended in (RunState.FAILED, RunState.CANCELLED):
        for state, error in runs:
            if state == ended:
                return ended, in_words(error)
    states = {state for state, _error in runs}
    if states == {RunState.DONE}:
        return RunState.DONE, None
    return (RunState.RUNNING if states & {RunState.RUNNING, RunState.DONE} else RunState.WAITING), None

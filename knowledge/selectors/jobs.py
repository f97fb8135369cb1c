"""Jobs as people watch them: what is done, what is left, what failed and why; and those that ended since somebody looked."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

from accounts.types import Subject
from knowledge import policy
from knowledge.faults import in_words
from knowledge.models import DocumentState, Job, JobItem, Outcome, Role, RunState
from knowledge.selectors.progress import VersionProgress, progress_of, purges_of

SHOWN = 200
FINAL = {Outcome.REFUSED: "refused", Outcome.UNCHANGED: "unchanged", Outcome.PURGED: "purged"}

STATES = """
SELECT item.id,
    CASE WHEN bool_or(run.state = 'failed') THEN 'failed' WHEN bool_or(run.state = 'cancelled') THEN 'cancelled'
         WHEN bool_and(run.state = 'done') THEN 'done' WHEN bool_or(run.state IN ('running', 'done')) THEN 'running' ELSE 'waiting' END
FROM knowledge_jobitem AS item JOIN knowledge_stagerun AS run ON run.version_id = item.version_id
WHERE item.job_id = %s AND item.outcome IN ('new', 'new_version', 'again') GROUP BY item.id
"""


@dataclass(frozen=True, slots=True)
class ItemProgress:
    """One file of a job: `status` is "done", "failed", "cancelled", "running", "waiting", "refused", "unchanged", "purge" or "purged"."""

    item: JobItem
    status: str
    progress: VersionProgress | None = None

    @property
    def error(self) -> dict[str, str] | None:
        return in_words(self.item.error) or (self.progress.error if self.progress else None)


@dataclass(frozen=True, slots=True)
class JobProgress:
    """A job: `counts` by status over all its files, and up to 200 of them, the unfinished and failed first."""

    job: Job
    counts: dict[str, int]
    items: Sequence[ItemProgress]
    left_s: float | None

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    @property
    def left(self) -> int:
        return sum(self.counts.get(status, 0) for status in ("running", "waiting", "purge"))

    @property
    def failed(self) -> int:
        return self.counts.get("failed", 0) + self.counts.get("refused", 0)

    @property
    def is_over(self) -> bool:
        return self.left == 0


def jobs_for(subject: Subject, *, kb: str = "") -> QuerySet[Job]:
    """Jobs in knowledge bases that the subject may edit, newest first: they name documents that readers don't see (yet, or any more)."""
    found = policy.visible(Job.objects.select_related("kb", "created_by"), subject, least=Role.EDITOR)
    return (found.filter(kb__slug=kb) if kb else found).order_by("-pk")


def jobs_to_notice(subject: Subject) -> QuerySet[Job]:
    """The subject's own jobs that ended, well or not, and that they have not looked at: for the bell."""
    if subject.user_id is None:
        return Job.objects.none()
    return jobs_for(subject).filter(created_by_id=subject.user_id, finished_at__isnull=False, seen_at=None)


def job_progress(job: Job) -> JobProgress:
    """How a job (from `jobs_for`) stands now."""
    items = list(job.items.select_related("document"))
    states = states_of(job, items)
    counts = Counter(states.values())
    order = {"running": 0, "failed": 1, "refused": 2, "purge": 3, "waiting": 4}
    shown = sorted(items, key=lambda item: order.get(states[item.pk], 9))[:SHOWN]
    reading = progress_of([item.version_id for item in shown if item.version_id and item.outcome not in FINAL])
    purges = [item.document_id for item in shown if item.document_id and item.outcome == Outcome.PURGE]
    deleting = purges_of(purges) if purges else {}
    rows = [ItemProgress(item, states[item.pk], detail(item, reading, deleting)) for item in shown]
    times = [row.progress.left_s for row in rows if row.progress and row.progress.left_s]
    return JobProgress(job, dict(counts), rows, max(times, default=None))


def detail(
    item: JobItem, reading: dict[UUID, VersionProgress], deleting: dict[UUID, VersionProgress]
) -> VersionProgress | None:
    """The progress of one item, where it has one."""
    if item.outcome == Outcome.PURGE:
        return deleting.get(item.document_id) if item.document_id else None
    return reading.get(item.version_id) if item.version_id else None


def states_of(job: Job, items: Sequence[JobItem]) -> dict[UUID, str]:
    """The status of each item; one statement for all versions."""
    with connection.cursor() as cursor:
        cursor.execute(STATES, [job.pk])
        read = dict(cursor.fetchall())
    return {item.pk: item_state(item, read) for item in items}


def item_state(item: JobItem, read: dict[UUID, str]) -> str:
    """One status; what is in the bin counts as cancelled, because nobody works on it."""
    if item.outcome in FINAL:
        return FINAL[Outcome(item.outcome)]
    if item.outcome == Outcome.PURGE:
        return "purge" if item.document_id else "purged"
    state = read.get(item.pk, str(RunState.CANCELLED))
    is_away = item.document is None or item.document.state != DocumentState.LIVE
    return str(RunState.CANCELLED) if is_away and state in ("waiting", "running") else state

"""How far the reading of versions is, from the rows of their stages: stage, count, rate, time left, last sign of life, and in plain words why it waits."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from knowledge import beats, queue
from knowledge.conf import knowledge_settings
from knowledge.faults import in_words
from knowledge.models import DocumentState, RunState, StageRun
from knowledge.runs import PURGE, UNFINISHED, WHOLE

SIGNS = 3  # signs of life that may be missed
Words = str | Promise

STAGE_LABELS: dict[str, Words] = {
    "parse": _("reading the file"),
    "chunk": _("cutting into passages"),
    "embed": _("embedding"),
    "index": _("indexing words"),
    "extract": _("finding facts"),
    "publish": _("publishing"),
    "model": _("reading by a model"),
    "purge": _("deleting"),
}


@dataclass(frozen=True, slots=True)
class VersionProgress:
    """One version (or, with stage "purge", one document that is being deleted).

    `done` of `total` are units of the stage it is in (passages, once they are counted), `rate` is units a second; `left_s` is for this stage. `why` says
    why it waits, `error` is `{"code", "message"}` of what ended it or of the engine it waits for.
    """

    version_id: UUID | None
    state: RunState
    stage: str = ""
    done: int = 0
    total: int = 0
    rate: float | None = None
    left_s: float | None = None
    alive_at: datetime | None = None
    why: Words = ""
    error: dict[str, str] | None = None

    @property
    def is_over(self) -> bool:
        return self.state in (RunState.DONE, RunState.FAILED, RunState.CANCELLED)

    @property
    def is_silent(self) -> bool:
        """Whether a stage that runs has given no sign of life for longer than it should."""
        quiet = timedelta(seconds=SIGNS * knowledge_settings().heartbeat_s)
        return self.state == RunState.RUNNING and self.alive_at is not None and timezone.now() - self.alive_at > quiet

    @property
    def stage_label(self) -> Words:
        return STAGE_LABELS.get(self.stage, self.stage)

    @property
    def state_label(self) -> Words:
        return self.state.label

    @property
    def percent(self) -> int:
        """Over all stages, each counting the same; for a bar, not for a promise."""
        if self.state == RunState.DONE:
            return 100
        place = WHOLE.index(self.stage) if self.stage in WHOLE else 0
        within = self.done / self.total if self.total else 0.0
        return min(99, round(100 * (place + within) / len(WHOLE)))


@dataclass(frozen=True, slots=True)
class Situation:
    """What waits and who works, at one moment: the queues that are served, and everything that is not over, the earliest first."""

    served: set[str]
    reading: Sequence[UUID]
    deleting: Sequence[UUID]

    def before(self, run: StageRun) -> int:
        """How many versions (or deletions) came earlier than this one's."""
        return bisect_left(self.reading, run.version_id) if run.version_id else bisect_left(self.deleting, run.pk)


def situation() -> Situation:
    """As it is now."""
    left = StageRun.objects.filter(state__in=UNFINISHED)
    ended = StageRun.objects.filter(version_id=OuterRef("version_id"), state__in=(RunState.FAILED, RunState.CANCELLED))
    reading = left.filter(document__state=DocumentState.LIVE, version__isnull=False).exclude(Exists(ended))
    deleting = left.filter(document__state=DocumentState.DELETING, version=None)
    return Situation(
        beats.queues_served(),
        sorted(set(reading.values_list("version_id", flat=True))),
        sorted(deleting.values_list("pk", flat=True)),
    )


def progress_of(version_ids: Iterable[UUID]) -> dict[UUID, VersionProgress]:
    """The progress of each of these versions; few statements, however many. What they may be seen by is decided where the ids come from."""
    by_version: dict[UUID, list[StageRun]] = {version_id: [] for version_id in version_ids}
    for run in StageRun.objects.filter(version_id__in=by_version).select_related("document"):
        by_version[run.version_id].append(run)  # type: ignore[index]
    waiting = any(run.state in UNFINISHED for runs in by_version.values() for run in runs)
    now = situation() if waiting else Situation(set(), (), ())
    return {version_id: one(version_id, runs, now) for version_id, runs in by_version.items()}


def purges_of(document_ids: Iterable[UUID]) -> dict[UUID, VersionProgress]:
    """The same for documents that are being deleted; done for those that are gone."""
    wanted = list(document_ids)
    runs = StageRun.objects.filter(document_id__in=wanted, stage=PURGE).select_related("document")
    by_document = {run.document_id: run for run in runs}
    now = situation() if by_document else Situation(set(), (), ())
    gone = VersionProgress(None, RunState.DONE, PURGE)
    return {
        document_id: unfinished(None, by_document[document_id], by_document[document_id].state, now, queue.SHORT)
        if document_id in by_document
        else gone
        for document_id in wanted
    }


def one(version_id: UUID, runs: Sequence[StageRun], now: Situation) -> VersionProgress:
    """From the stages of one version."""
    ordered = sorted(runs, key=lambda run: WHOLE.index(run.stage) if run.stage in WHOLE else len(WHOLE) - 1.5)
    for ended in (RunState.FAILED, RunState.CANCELLED):
        for run in ordered:
            if run.state == ended:
                return VersionProgress(
                    version_id,
                    ended,
                    run.stage,
                    run.done_units,
                    run.total_units,
                    alive_at=run.heartbeat_at,
                    error=in_words(run.error),
                )
    left = [run for run in ordered if run.state in UNFINISHED]
    if not left:
        return VersionProgress(version_id, RunState.DONE if runs else RunState.WAITING)
    current = next((run for run in left if run.state == RunState.RUNNING), left[0])
    has_begun = len(left) < len(runs) or current.state == RunState.RUNNING
    return unfinished(version_id, current, RunState.RUNNING if has_begun else RunState.WAITING, now, queue.INDEXING)


def unfinished(version_id: UUID | None, run: StageRun, state: str, now: Situation, name: str) -> VersionProgress:
    """With rate, time left and the reason for waiting of the stage it is in."""
    rate = rate_of(run)
    left_s = (run.total_units - run.done_units) / rate if rate and run.total_units else None
    return VersionProgress(
        version_id,
        RunState(state),
        run.stage,
        run.done_units,
        run.total_units,
        rate,
        left_s,
        run.heartbeat_at,
        why_waiting(run, now, name),
        in_words(run.error),
    )


def rate_of(run: StageRun) -> float | None:
    """Units a second since its worker took it; None until that can be told."""
    if run.state != RunState.RUNNING or not run.started_at or not run.heartbeat_at:
        return None
    seconds = (run.heartbeat_at - run.started_at).total_seconds()
    units = run.done_units - run.units_before
    return units / seconds if seconds > 0 and units > 0 else None


def why_waiting(run: StageRun, now: Situation, name: str) -> Words:
    """A sentence, or "" while it is being worked on."""
    moment = timezone.now()
    if run.document.state == DocumentState.BINNED:
        return _("The document is in the bin; reading goes on when it is restored.")
    if run.state == RunState.RUNNING:
        if run.lease_until is None or run.lease_until > moment:
            return ""
        return _("Its worker has not been heard of since %(time)s; another one takes over within a minute.") % {
            "time": clock(run.heartbeat_at)
        }
    if run.retry_at and run.retry_at > moment:
        reason = (in_words(run.error) or {}).get("message", "")
        return _("%(reason)s It is tried again at %(time)s.") % {"reason": reason, "time": clock(run.retry_at)}
    if name not in now.served:
        return _(
            "No worker is running for this. Start the server with `manage.py up`, or a worker for the queue “%(queue)s”."
        ) % {"queue": name}
    ahead = now.before(run)
    if not ahead:
        return _("Waiting for a free worker.")
    return ngettext("Waiting behind %(count)s other.", "Waiting behind %(count)s others.", ahead) % {"count": ahead}


def clock(moment: datetime | None) -> str:
    """A time of day in the reader's zone and language."""
    return date_format(timezone.localtime(moment), "TIME_FORMAT") if moment else "?"

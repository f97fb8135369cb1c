"""The work on documents. What a job's state is, is computed from `StageRun` rows; nothing counts down."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from common.models import LedgerRow
from knowledge.models.bases import KnowledgeBase
from knowledge.models.documents import Document, Version


class JobKind(models.TextChoices):
    READ = "read", _("reading")
    REREAD = "reread", _("reading again")
    PURGE = "purge", _("deleting for good")


class Job(LedgerRow):
    """Something somebody asked for and can watch: a batch of uploads, a re-reading, the emptying of a bin.

    `token_allowance` is how many tokens of models it may use at a go, `token_limit` how many it may have used in all by now; 0 is no limit. Trying
    again grants the allowance anew.
    """

    kind = models.CharField(max_length=10, choices=JobKind.choices)
    kb = models.ForeignKey(KnowledgeBase, models.CASCADE, related_name="jobs")
    created_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="jobs")
    label = models.CharField(max_length=300, blank=True)
    idempotency_key = models.CharField(max_length=200, blank=True)
    request_hash = models.CharField(max_length=64, blank=True)
    token_allowance = models.PositiveBigIntegerField(default=0)
    token_limit = models.PositiveBigIntegerField(default=0)
    finished_at = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)
        constraints = (
            models.UniqueConstraint(
                fields=("kb", "created_by", "idempotency_key"),
                condition=~models.Q(idempotency_key=""),
                name="one_job_a_key",
            ),
        )


class Outcome(models.TextChoices):
    """What a file is to its knowledge base, or what became of a document."""

    NEW = "new", _("new document")
    NEW_VERSION = "new_version", _("new version")
    AGAIN = "again", _("read again")
    UNCHANGED = "unchanged", _("unchanged")
    REFUSED = "refused", _("refused")
    PURGE = "purge", _("is deleted for good")
    PURGED = "purged", _("deleted for good")


class JobItem(LedgerRow):
    """One file or document of a job. `refused` and `unchanged` are final at once; the state of a version follows its stages.

    Of a document that was deleted for good nothing is left here but the outcome `purged`.
    """

    job = models.ForeignKey(Job, models.CASCADE, related_name="items")
    path = models.CharField(max_length=1000, blank=True)
    document = models.ForeignKey(Document, models.SET_NULL, null=True, related_name="+")
    version = models.ForeignKey(Version, models.SET_NULL, null=True, related_name="job_items")
    outcome = models.CharField(max_length=20, choices=Outcome.choices)
    notices = models.JSONField(default=list)
    error = models.JSONField(null=True)

    class Meta:
        ordering = ("id",)


class RunState(models.TextChoices):
    WAITING = "waiting", _("waiting")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("cancelled")


class StageRun(LedgerRow):
    """One stage of one version (or, with stage "purge", of a document that is being deleted).

    `token` is the fencing token: it grows each time somebody takes the lease; a batch is stored only while its holder's token is still this one.
    `attempts` counts holders that vanished without progress; `waits` counts how often it was put off because an engine was away, until `retry_at`.
    """

    document = models.ForeignKey(Document, models.CASCADE, related_name="runs")
    version = models.ForeignKey(Version, models.CASCADE, null=True, related_name="runs")
    stage = models.CharField(max_length=20)
    state = models.CharField(max_length=10, choices=RunState.choices, default=RunState.WAITING)
    token = models.PositiveBigIntegerField(default=0)
    worker = models.CharField(max_length=200, blank=True)
    lease_until = models.DateTimeField(null=True)
    heartbeat_at = models.DateTimeField(null=True)
    queued_at = models.DateTimeField(null=True)
    retry_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    attempts = models.PositiveIntegerField(default=0)
    waits = models.PositiveIntegerField(default=0)
    done_units = models.PositiveIntegerField(default=0)
    total_units = models.PositiveIntegerField(default=0)
    units_before = models.PositiveIntegerField(default=0)
    tokens = models.PositiveBigIntegerField(default=0)
    error = models.JSONField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint("document", "version", "stage", nulls_distinct=False, name="one_run_a_stage"),
        )
        indexes = (
            models.Index(
                fields=("state", "lease_until"),
                condition=models.Q(state__in=("waiting", "running")),
                name="run_unfinished",
            ),
        )


class WorkerBeat(models.Model):
    """The last sign of life of a worker process, so that a page can say that nobody serves a queue."""

    name = models.CharField(max_length=200, primary_key=True)
    queues = models.JSONField(default=list)
    at = models.DateTimeField()

"""Files that were sent and not yet accepted: their bytes are in storage, and the sender looks at what each will be."""

from django.db import models

from accounts.models import User
from common.models import LedgerRow
from knowledge.models.bases import KnowledgeBase
from knowledge.models.jobs import Outcome


class Upload(LedgerRow):
    """A batch on its way; it becomes a job when it is accepted and is forgotten after a day when not."""

    kb = models.ForeignKey(KnowledgeBase, models.CASCADE, related_name="uploads")
    created_by = models.ForeignKey(User, models.CASCADE, null=True, related_name="+")


class UploadFile(LedgerRow):
    """One file of a batch. `key` is where its bytes lie, empty for a refused one; an accepted file's bytes stay there as the original."""

    upload = models.ForeignKey(Upload, models.CASCADE, related_name="files")
    path = models.CharField(max_length=1000)
    name = models.CharField(max_length=1000)
    size_bytes = models.PositiveBigIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True)
    media_type = models.CharField(max_length=150, blank=True)
    key = models.CharField(max_length=300, blank=True)
    metadata = models.JSONField(default=dict)
    outcome = models.CharField(max_length=20, choices=Outcome.choices)
    notices = models.JSONField(default=list)
    error = models.JSONField(null=True)

    class Meta:
        ordering = ("id",)

"""The base of every ledger row: a UUIDv7 key and two times in UTC."""

from django.db import models

from common.ids import uuid7


class LedgerRow(models.Model):
    """Abstract: primary key `id` (UUIDv7), `created_at`, `updated_at`."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    created_at = models.DateTimeField(auto_now_add=True, editable=False)
    updated_at = models.DateTimeField(auto_now=True, editable=False)

    class Meta:
        abstract = True

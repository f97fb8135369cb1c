"""Note that somebody has seen how their jobs ended."""

from collections.abc import Sequence
from uuid import UUID

from django.utils import timezone

from accounts.types import Subject
from knowledge.selectors.jobs import jobs_to_notice


def jobs_seen(*, subject: Subject, ids: Sequence[UUID] | None = None) -> int:
    """The bell is quiet about these (or all) of the subject's ended jobs; gives how many."""
    rows = jobs_to_notice(subject)
    if ids is not None:
        rows = rows.filter(pk__in=ids)
    return rows.order_by().update(seen_at=timezone.now())

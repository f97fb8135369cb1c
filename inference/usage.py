"""What was used: calls, tokens and cost by month, department and purpose. Administrators and operators see all of it, managers their departments'."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from django.db.models import Count, QuerySet, Sum
from django.db.models.functions import TruncMonth

from accounts.models import Department
from accounts.types import Subject
from inference.models import UsageRecord


@dataclass(frozen=True, slots=True)
class UsageTotal:
    """One month of one department for one purpose; `department` is None for calls that nobody was charged for."""

    month: date
    department_id: UUID | None
    department: str | None
    purpose: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_micros: int


@dataclass(frozen=True, slots=True)
class DocumentTotal:
    """What was charged for one document, for one purpose."""

    purpose: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_micros: int


def records_for(subject: Subject) -> QuerySet[UsageRecord]:
    """The records that the subject may see."""
    if subject.is_administrator or subject.is_operator:
        return UsageRecord.objects.all()
    return UsageRecord.objects.filter(department_id__in=subject.managed_department_ids)


def usage_totals(
    subject: Subject, *, since: date | None = None, until: date | None = None, department_id: UUID | None = None
) -> list[UsageTotal]:
    """Totals of the days from `since` to `until`, both included; the newest month first."""
    records = records_for(subject)
    if since:
        records = records.filter(at__date__gte=since)
    if until:
        records = records.filter(at__date__lte=until)
    if department_id:
        records = records.filter(department_id=department_id)
    rows = (
        records.order_by()
        .annotate(month=TruncMonth("at"))
        .values("month", "department_id", "purpose")
        .annotate(
            calls=Count("pk"),
            prompt=Sum("prompt_tokens"),
            completion=Sum("completion_tokens"),
            cost=Sum("cost_micros"),
        )
        .order_by("-month", "department_id", "purpose")
    )
    names = names_of(row["department_id"] for row in rows)
    return [
        UsageTotal(
            month=row["month"].date(),
            department_id=row["department_id"],
            department=names.get(row["department_id"]) if row["department_id"] else None,
            purpose=row["purpose"],
            calls=row["calls"],
            prompt_tokens=row["prompt"],
            completion_tokens=row["completion"],
            cost_micros=row["cost"],
        )
        for row in rows
    ]


def document_totals(document_id: UUID, *, since: datetime, until: datetime | None = None) -> list[DocumentTotal]:
    """Of all calls about one document from a moment to before another; whoever asks must have found that the subject may know."""
    records = UsageRecord.objects.filter(document_id=document_id, at__gte=since)
    if until:
        records = records.filter(at__lt=until)
    rows = (
        records.order_by()
        .values("purpose")
        .annotate(
            calls=Count("pk"),
            prompt=Sum("prompt_tokens"),
            completion=Sum("completion_tokens"),
            cost=Sum("cost_micros"),
        )
        .order_by("purpose")
    )
    return [DocumentTotal(row["purpose"], row["calls"], row["prompt"], row["completion"], row["cost"]) for row in rows]


def names_of(ids: Iterable[UUID | None]) -> dict[UUID, str]:
    """The names of departments; those that are gone have none."""
    return dict(Department.objects.filter(pk__in={id for id in ids if id}).values_list("pk", "name"))

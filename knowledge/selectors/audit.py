"""Read who did what. Administrators see all of it, managers what concerns their departments, owners what concerns their knowledge bases."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from django.db.models import Q, QuerySet

from accounts.models import AuditEvent
from accounts.types import Subject
from knowledge import policy
from knowledge.models import KnowledgeBase, Role

CSV_ROWS = 100_000
CSV_FIELDS = ("at", "actor", "action", "target_type", "target", "before", "after", "request_id")
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """What the record is narrowed to; empty means no limit. `since` and `until` are days, both included."""

    who: str = ""
    what: str = ""
    kind: str = ""
    kb: str = ""
    since: date | None = None
    until: date | None = None


def owned_bases(subject: Subject) -> QuerySet[KnowledgeBase]:
    """Knowledge bases that the subject owns."""
    return policy.visible(KnowledgeBase.objects.all(), subject, least=Role.OWNER)


def may_audit(subject: Subject) -> bool:
    """Whether there may be anything for the subject to see."""
    return subject.is_administrator or bool(subject.managed_department_ids) or owned_bases(subject).exists()


def events_for(subject: Subject, wanted: AuditFilter = AuditFilter()) -> QuerySet[AuditEvent]:
    """The events that the subject may see, the newest first."""
    found = AuditEvent.objects.order_by("-id")
    if not subject.is_administrator:
        concerns = Q(department_id__in=subject.managed_department_ids)
        found = found.filter(concerns | Q(kb_id__in=owned_bases(subject).values("pk")))
    return found.filter(conditions(subject, wanted))


def conditions(subject: Subject, wanted: AuditFilter) -> Q:
    """A filter as a condition on events."""
    condition = Q()
    if wanted.who:
        condition &= Q(actor__icontains=wanted.who)
    if wanted.what:
        condition &= Q(action__istartswith=wanted.what) | Q(target__icontains=wanted.what)
    if wanted.kind:
        condition &= Q(target_type=wanted.kind)
    if wanted.kb:
        condition &= Q(kb_id__in=owned_bases(subject).filter(slug=wanted.kb).values("pk"))
    if wanted.since:
        condition &= Q(at__date__gte=wanted.since)
    if wanted.until:
        condition &= Q(at__date__lte=wanted.until)
    return condition


def kinds_for(subject: Subject) -> list[str]:
    """The kinds of things that the events are about."""
    found = events_for(subject).order_by("target_type").values_list("target_type", flat=True).distinct()
    return [kind for kind in found if kind]


def csv_rows(events: Iterable[AuditEvent]) -> Iterator[list[str]]:
    """A header and up to 100,000 events, safe to open in a spreadsheet."""
    yield list(CSV_FIELDS)
    for event in events:
        yield [safe_cell(getattr(event, name)) for name in CSV_FIELDS]


def safe_cell(value: object) -> str:
    """A text that no spreadsheet takes for a formula, however it begins."""
    text = "" if value in (None, {}) else str(value)
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA_STARTS) else text

"""Pages of the administration that belong to no model: what needs somebody, the queues and engines, what was used."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import ApiKey, User
from accounts.types import Subject
from common.administration import subject_of
from config.conf import server_settings
from inference.services import MICROS
from inference.usage import usage_totals
from knowledge import beats, policy, queue
from knowledge.models import Document, DocumentState, Job, KnowledgeBase, Role, RunState, StageRun, WorkerBeat
from knowledge.rights import rights_in, rights_of
from knowledge.selectors.documents import reading_condition
from knowledge.selectors.progress import STAGE_LABELS

QUEUES = ((queue.INDEXING, _("reading documents")), (queue.SHORT, _("deleting and upkeep")))
SILENT = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class Card:
    """A figure of the start page with the list behind it; `needs` when somebody should look."""

    title: str | Promise
    figure: int
    url: str
    needs: bool = False


def figures(subject: Subject) -> list[Card]:
    """What there is and what needs somebody, as far as the subject may see it."""
    rights = rights_of(subject)
    cards: list[Card] = []
    if rights.is_editor:
        cards += content_cards(subject)
    if rights.sees_people:
        people = User.objects.filter(is_active=True)
        keys = ApiKey.objects.filter(revoked_at=None)
        if not subject.is_administrator:
            people = people.filter(department__in=subject.managed_department_ids)
            keys = keys.filter(department__in=subject.managed_department_ids)
        cards.append(Card(_("people"), people.count(), reverse("admin:accounts_user_changelist")))
        cards.append(Card(_("API keys in use"), keys.count(), reverse("admin:accounts_apikey_changelist")))
    if rights.sees_engines:
        cards.append(Card(_("stages that failed"), failed_stages(), reverse("admin:queues"), needs=failed_stages() > 0))
    return cards


def content_cards(subject: Subject) -> list[Card]:
    """For editors."""
    bases = policy.visible(KnowledgeBase.objects.all(), subject, least=Role.EDITOR)
    documents = policy.visible(Document.objects.all(), subject, least=Role.EDITOR)
    live = documents.filter(state=DocumentState.LIVE)
    failed = live.filter(reading_condition("failed")).count()
    address = reverse("admin:knowledge_document_changelist")
    running = policy.visible(Job.objects.filter(finished_at=None), subject, least=Role.EDITOR).count()
    return [
        Card(_("documents to mend"), failed, f"{address}?reading=failed", needs=failed > 0),
        Card(_("jobs that run"), running, reverse("jobs")),
        Card(_("documents"), live.count(), address),
        Card(_("in the bin"), documents.filter(state=DocumentState.BINNED).count(), f"{address}?state=binned"),
        Card(_("knowledge bases"), bases.count(), reverse("admin:knowledge_knowledgebase_changelist")),
    ]


def failed_stages() -> int:
    """Over all knowledge bases; a figure without content."""
    return StageRun.objects.filter(state=RunState.FAILED, document__state=DocumentState.LIVE).count()


def page(request: HttpRequest, site: Any, template: str, context: dict[str, Any]) -> HttpResponse:
    request.current_app = site.name
    return render(request, template, {**site.each_context(request), "opts": None, **context})


@dataclass(frozen=True, slots=True)
class QueueShown:
    """`waiting` is None when the broker can't be asked."""

    name: str
    label: str | Promise
    waiting: int | None
    workers: Sequence[WorkerBeat]
    is_served: bool


def queues(request: HttpRequest, site: Any) -> HttpResponse:
    """GET /admin/queues/?check=1: engines, queues with their workers, failed stages in figures; with `check` what `doctor` finds."""
    # Loaded with the first look: they bring every engine's client with them.
    from config.doctor import examine
    from config.engine_status import engine_statuses

    if not rights_in(request).sees_engines:
        raise PermissionDenied
    data = server_settings().data
    served = beats.queues_served()
    workers = list(WorkerBeat.objects.filter(at__gt=timezone.now() - timedelta(days=1)).order_by("name"))
    engines = engine_statuses(data)
    # A broker that does not answer has been waited for already.
    is_there = any(engine.ready for engine in engines if engine.name == "valkey")
    context = {
        "title": _("Queues and engines"),
        "engines": engines,
        "queues": [
            QueueShown(
                name,
                label,
                queue.waiting_in(name) if is_there else None,
                [each for each in workers if name in each.queues],
                name in served,
            )
            for name, label in QUEUES
        ],
        "silent_since": timezone.now() - SILENT,
        "stages": stages_shown(),
        "checks": examine(data) if "check" in request.GET else None,
    }
    return page(request, site, "admin/queues.html", context)


def stages_shown() -> list[dict[str, Any]]:
    """Unfinished and failed stages by name, as figures: operators see no content."""
    states = (RunState.WAITING, RunState.RUNNING, RunState.FAILED)
    rows = (
        StageRun.objects.filter(state__in=states, document__state=DocumentState.LIVE)
        .order_by()
        .values("stage", "state", "error__code")
        .annotate(count=Count("pk"))
    )
    return [
        {
            "stage": STAGE_LABELS.get(row["stage"], row["stage"]),
            "state": RunState(row["state"]).label,
            "is_failed": row["state"] == RunState.FAILED,
            "code": row["error__code"] or "",
            "count": row["count"],
        }
        for row in sorted(rows, key=lambda row: (row["state"] != RunState.FAILED, row["stage"]))
    ]


def usage(request: HttpRequest, site: Any) -> HttpResponse:
    """GET /admin/usage/: tokens, calls and cost by month, department and purpose."""
    if not rights_in(request).sees_usage:
        raise PermissionDenied
    totals = [(total, total.cost_micros / MICROS) for total in usage_totals(subject_of(request))]
    return page(request, site, "admin/usage.html", {"title": _("Usage"), "totals": totals})

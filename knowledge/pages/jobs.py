"""Jobs as pages: what somebody asked for, how far it is, what failed and why, with the buttons that help."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.types import Subject
from common.errors import TrellisError
from knowledge import policy
from knowledge.models import Job, JobItem, Role, Version
from knowledge.pages.documents import subject_of
from knowledge.selectors.jobs import job_progress, jobs_for, states_of
from knowledge.services.jobs import jobs_seen
from knowledge.services.reading import job_cancel, reading_retry
from knowledge.tools import tools

PAGE_ROWS = 20
ENDED_BADLY = ("failed", "cancelled")


def edited_jobs(subject: Subject, *, kb: str = "") -> QuerySet[Job]:
    """Jobs in knowledge bases that the subject edits."""
    return policy.visible(jobs_for(subject, kb=kb), subject, least=Role.EDITOR)


@login_required
@never_cache
@require_GET
def jobs(request: HttpRequest) -> HttpResponse:
    """GET /jobs/?kb=&page=: the newest first."""
    if not policy.edits_anything(subject_of(request)):
        raise Http404(_("There is nothing here."))
    page = Paginator(edited_jobs(subject_of(request), kb=request.GET.get("kb", "")), PAGE_ROWS).get_page(
        request.GET.get("page")
    )
    return render(request, "knowledge/jobs.html", {"page_obj": page, "rows": [job_progress(each) for each in page]})


@login_required
@never_cache
@require_GET
def job(request: HttpRequest, job_id: UUID) -> HttpResponse:
    """GET /jobs/{id}/: one job, live."""
    found = get_object_or_404(edited_jobs(subject_of(request)), pk=job_id)
    progress = job_progress(found)
    if progress.is_over:
        jobs_seen(subject=subject_of(request), ids=[found.pk])
    ended = progress.total - progress.left
    return render(request, "knowledge/job.html", {"job": found, "progress": progress, "ended": ended})


@login_required
@require_POST
def retry(request: HttpRequest, job_id: UUID) -> HttpResponse:
    """POST /jobs/{id}/retry, with `item` for one file: have what failed or was cancelled tried again."""
    found = get_object_or_404(edited_jobs(subject_of(request)), pk=job_id)
    items = ended_badly(found)
    if wanted := request.POST.get("item"):
        items = [item for item in items if str(item.pk) == wanted]
    tried = 0
    for item in items:
        try:
            tried += bool(retried(subject_of(request), item))
        except TrellisError as error:
            messages.error(request, f"{item.path}: {error}")
    if tried:
        words = ngettext("%(count)d file is tried again.", "%(count)d files are tried again.", tried)
        messages.success(request, words % {"count": tried})
    elif not items:
        messages.info(request, _("There is nothing to try again."))
    return redirect("job", job_id=found.pk)


def ended_badly(found: Job) -> list[JobItem]:
    """Files of the job whose reading failed or was cancelled."""
    items = list(found.items.select_related("document"))
    states = states_of(found, items)
    return [item for item in items if states[item.pk] in ENDED_BADLY and item.version_id]


def retried(subject: Subject, item: JobItem) -> int:
    """How many stages wait again."""
    version = Version.objects.select_related("document").defer("text").get(job_items=item)
    return reading_retry(subject=subject, version=version, tools=tools())


@login_required
@require_POST
def cancel(request: HttpRequest, job_id: UUID) -> HttpResponse:
    """POST /jobs/{id}/cancel: end what is unfinished."""
    found = get_object_or_404(edited_jobs(subject_of(request)), pk=job_id)
    try:
        count = job_cancel(subject=subject_of(request), job=found)
    except TrellisError as error:
        messages.error(request, str(error))
    else:
        words = ngettext("The reading of %(count)d file ended.", "The reading of %(count)d files ended.", count)
        messages.info(request, words % {"count": count})
    return redirect("job", job_id=found.pk)

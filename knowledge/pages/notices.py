"""The bell: jobs of the person who looks that ended since they looked last."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.types import Subject
from knowledge.models import Job
from knowledge.selectors.jobs import job_progress, jobs_to_notice

SHOWN = 10


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def notices(request: HttpRequest) -> HttpResponse:
    """GET and POST /notices/: the bell's fragment; POST marks as seen what it showed."""
    subject: Subject = request.subject  # type: ignore[attr-defined]
    if request.method == "POST":
        shown = jobs_to_notice(subject).values_list("pk", flat=True)
        Job.objects.filter(pk__in=list(shown)).update(seen_at=timezone.now())
    waiting = jobs_to_notice(subject)
    rows = [job_progress(job) for job in waiting[:SHOWN]]
    return render(request, "library/notices.html", {"rows": rows, "count": waiting.count()})

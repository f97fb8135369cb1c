"""The way in for editors: choose files, look at what each will be, accept. Sending in pieces is done by `static/js/upload`; without scripts the form sends itself."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from common.errors import NotFound, TrellisError
from knowledge.api.uploads import content_of
from knowledge.models import KnowledgeBase, Outcome, Role, Upload
from knowledge.pages.documents import subject_of
from knowledge.selectors.bases import bases_for
from knowledge.selectors.uploads import PlannedFile, upload_for, upload_plan
from knowledge.services.uploads import upload_commit, upload_discard, upload_stage
from knowledge.tools import tools
from knowledge.uploading import IncomingFile

PAGE_ROWS = 200
ENDINGS = "md, txt, html, pdf, docx, xlsx, pptx, csv, tsv, json, jsonl, zip"
SHOWN_FIRST = (Outcome.REFUSED, Outcome.NEW, Outcome.NEW_VERSION, Outcome.AGAIN, Outcome.UNCHANGED)


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def choose(request: HttpRequest) -> HttpResponse:
    """GET /upload/?kb=: choose files. POST (multipart, `kb` and `files`): stage them, where no script does."""
    bases = list(bases_for(subject_of(request), least=Role.EDITOR))
    if not bases:
        return render(request, "knowledge/no_bases.html", status=403)
    wanted = request.POST.get("kb") or request.GET.get("kb", "")
    chosen = next((kb for kb in bases if kb.slug == wanted), None)
    if wanted and chosen is None:
        raise Http404(_("There is no such knowledge base, or you may not add to it."))
    if request.method == "POST" and chosen is not None:
        return staged_by_form(request, chosen)
    context = {
        "bases": bases,
        "chosen": chosen or (bases[0] if len(bases) == 1 else None),
        "endings": ENDINGS,
        "limit": tools().limits.file_bytes,
    }
    return render(request, "knowledge/upload.html", context)


def staged_by_form(request: HttpRequest, kb: KnowledgeBase) -> HttpResponse:
    """Files of an ordinary form; folders lose their paths this way."""
    files = [IncomingFile(str(file.name), content_of(file)) for file in request.FILES.getlist("files")]
    if not files:
        messages.warning(request, _("Choose at least one file."))
        return redirect(f"{request.path}?kb={kb.slug}")
    staged = upload_stage(subject=subject_of(request), kb=kb, files=files, tools=tools())
    return redirect("upload_plan", upload_id=staged.pk)


def upload_or_404(request: HttpRequest, upload_id: UUID) -> Upload:
    """The upload of whoever looks."""
    try:
        return upload_for(subject_of(request), upload_id)
    except NotFound as error:
        raise Http404(str(error)) from None


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def plan(request: HttpRequest, upload_id: UUID) -> HttpResponse:
    """GET /upload/{id}/?outcome=&page=: what each file will be. POST: accept them, and go to the job."""
    staged = upload_or_404(request, upload_id)
    if request.method == "POST":
        return accepted(request, staged)
    files = upload_plan(staged)
    outcome = request.GET.get("outcome", "")
    shown = [file for file in files if file.outcome == outcome] if outcome else in_order(files)
    context: dict[str, Any] = {
        "upload": staged,
        "counts": counts_of(files),
        "outcome": outcome,
        "total": len(files),
        "taken": sum(file.is_taken for file in files),
        "page_obj": Paginator(shown, PAGE_ROWS).get_page(request.GET.get("page")),
    }
    return render(request, "knowledge/plan.html", context)


def in_order(files: list[PlannedFile]) -> list[PlannedFile]:
    """What needs a decision comes first."""
    return sorted(files, key=lambda file: SHOWN_FIRST.index(file.outcome))


def counts_of(files: list[PlannedFile]) -> list[tuple[Outcome, int]]:
    """Each outcome that occurs, with its number of files."""
    found = [(outcome, sum(file.outcome == outcome for file in files)) for outcome in SHOWN_FIRST]
    return [(outcome, count) for outcome, count in found if count]


def accepted(request: HttpRequest, staged: Upload) -> HttpResponse:
    try:
        job = upload_commit(subject=subject_of(request), upload=staged, tools=tools())
    except TrellisError as error:
        messages.error(request, str(error))
        return redirect("upload_plan", upload_id=staged.pk)
    return redirect("job", job_id=job.pk)


@login_required
@require_POST
def discard(request: HttpRequest, upload_id: UUID) -> HttpResponse:
    """POST /upload/{id}/discard: forget what was sent."""
    staged = upload_or_404(request, upload_id)
    slug = staged.kb.slug
    upload_discard(subject=subject_of(request), upload=staged, tools=tools())
    messages.info(request, _("Nothing was added; what you had sent is forgotten."))
    return redirect("library_base", slug=slug)

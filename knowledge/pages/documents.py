"""The document page and what it links to: the original, pictures, and the buttons of its reading."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET, require_POST

from accounts.types import Subject
from common.errors import NotFound, TrellisError
from knowledge import policy
from knowledge.models import Document, DocumentState, Role, StoredPicture, Version
from knowledge.pages.reading import outline, part_at, part_shown
from knowledge.selectors.documents import versions_of
from knowledge.selectors.progress import progress_of
from knowledge.sending import send_original, send_picture
from knowledge.services.reading import reading_cancel, reading_retry
from knowledge.tools import tools


def subject_of(request: HttpRequest) -> Subject:
    """Who looks at the page."""
    subject: Subject = request.subject  # type: ignore[attr-defined]
    return subject


def document_or_404(subject: Subject, document_id: UUID) -> Document:
    """A document that the subject may see; what lies in the bin is shown to editors only."""
    found = policy.visible(Document.objects.select_related("kb", "owner"), subject).filter(pk=document_id).first()
    if found is None or found.state == DocumentState.DELETING:
        raise Http404(_("There is no such document, or you may not see it."))
    if found.state == DocumentState.BINNED and not is_editor(subject, found):
        raise Http404(_("There is no such document, or you may not see it."))
    return found


def is_editor(subject: Subject, document: Document) -> bool:
    return policy.role_in(subject, document.kb_id) in (Role.EDITOR, Role.OWNER)


def number_in(request: HttpRequest, name: str) -> int | None:
    """A whole number of the query, or None for anything else."""
    given = request.GET.get(name, "")
    return int(given) if given.isascii() and given.isdigit() and len(given) <= 9 else None


@login_required
@require_GET
def document(request: HttpRequest, document_id: UUID) -> HttpResponse:
    """GET /documents/{id}/?version=&start=&end=&part=&chunks=1"""
    subject = subject_of(request)
    found = document_or_404(subject, document_id)
    may_edit = is_editor(subject, found)
    versions = list(versions_of(found)) if may_edit else list(versions_of(found).exclude(published_at=None))
    shown = chosen_version(found, versions, number_in(request, "version"))
    context: dict[str, Any] = {
        "document": found,
        "may_edit": may_edit,
        "versions": versions,
        "version": shown,
        "progress": progress_of([versions[0].pk])[versions[0].pk] if versions else None,
        "newest": versions[0] if versions else None,
    }
    if shown is not None:
        context |= text_shown(request, shown)
    return render(request, "library/document.html", context)


def chosen_version(found: Document, versions: list[Version], number: int | None) -> Version | None:
    """The version that was asked for, else the live one. Raises Http404 for a number that there is not."""
    if number is not None:
        for each in versions:
            if each.number == number:
                return each
        raise Http404(_("This document has no such version."))
    return next((each for each in versions if each.pk == found.live_version_id), None)


def text_shown(request: HttpRequest, version: Version) -> dict[str, Any]:
    """The part of the text that was asked for, with what is marked in it."""
    start, end = number_in(request, "start"), number_in(request, "end")
    mark = (start, end) if start is not None and end is not None and start < end <= version.length else None
    number = number_in(request, "part") or (part_at(mark[0]) if mark else 1)
    with_chunks = request.GET.get("chunks") == "1"
    part = part_shown(version, number, mark=mark, with_chunks=with_chunks)
    return {"part": part, "with_chunks": with_chunks, "outline": outline(version), "mark": mark}


@login_required
@require_GET
@cache_control(private=True, no_store=True)
def original(request: HttpRequest, document_id: UUID) -> FileResponse:
    """GET /documents/{id}/original?version=: the bytes as they came. PDF and pictures open in the browser, everything else is saved."""
    found = document_or_404(subject_of(request), document_id)
    version = chosen_version(found, list(versions_of(found)), number_in(request, "version"))
    if version is None:
        raise Http404(_("This document has not been read yet."))
    return sent_or_404(lambda: send_original(version.original, as_download="download" in request.GET))


@login_required
@require_GET
@cache_control(private=True, max_age=3600)
def picture(request: HttpRequest, picture_id: UUID) -> FileResponse:
    """GET /pictures/{id}: a picture from inside an original."""
    found = StoredPicture.objects.select_related("version").filter(pk=picture_id).first()
    if found is None:
        raise Http404(_("There is no such picture, or you may not see it."))
    document_or_404(subject_of(request), found.version.document_id)
    return sent_or_404(lambda: send_picture(found))


def sent_or_404(send: Callable[[], FileResponse]) -> FileResponse:
    try:
        return send()
    except NotFound as error:
        raise Http404(str(error)) from None


@login_required
@require_POST
def retry(request: HttpRequest, document_id: UUID, number: int) -> HttpResponse:
    """POST /documents/{id}/versions/{number}/retry: have failed stages tried again."""
    return with_version(request, document_id, number, tell_retry)


@login_required
@require_POST
def cancel(request: HttpRequest, document_id: UUID, number: int) -> HttpResponse:
    """POST /documents/{id}/versions/{number}/cancel: end the reading."""
    return with_version(request, document_id, number, tell_cancel)


def tell_retry(request: HttpRequest, version: Version) -> None:
    count = reading_retry(subject=subject_of(request), version=version, tools=tools())
    if count:
        messages.success(request, _("It is tried again."))
    else:
        messages.info(request, _("There is nothing to try again."))


def tell_cancel(request: HttpRequest, version: Version) -> None:
    count = reading_cancel(subject=subject_of(request), version=version)
    if count:
        messages.success(
            request, ngettext("%(count)d stage ended.", "%(count)d stages ended.", count) % {"count": count}
        )
    else:
        messages.info(request, _("The reading is over already."))


def with_version(request: HttpRequest, document_id: UUID, number: int, act: Any) -> HttpResponse:
    """Do it to a version of a document, say what came of it, and go back to the document."""
    found = document_or_404(subject_of(request), document_id)
    version = versions_of(found).filter(number=number).first()
    if version is None:
        raise Http404(_("This document has no such version."))
    try:
        act(request, version)
    except TrellisError as error:
        messages.error(request, str(error))
    return redirect("document", document_id=document_id)

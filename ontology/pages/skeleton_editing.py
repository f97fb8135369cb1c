"""The editor of skeletons: the text beside its picture, checked as it is written; forms for its parts; a dry run; applying, and what to do when somebody was faster."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from common.errors import Conflict, InvalidInput, NotFound, TrellisError
from knowledge.models import KnowledgeBase
from ontology.editing.parts import parts_in
from ontology.editing.picture import picture_of
from ontology.graphs import compiled, skeleton_in_use
from ontology.models import Graph
from ontology.pages.skeleton import edited_or_404, subject_of, version_or_404
from ontology.pages.skeleton_forms import changed, panel_of, part_of
from ontology.proposals import proposal_for
from ontology.selectors.views import GraphView
from ontology.services.skeletons import skeleton_apply, skeleton_dry_run
from ontology.skeleton.changes_in_words import sentences_of
from ontology.skeleton.compare import compare
from ontology.skeleton.faults import SkeletonRefused
from ontology.skeleton.read import read_skeleton
from ontology.values.units import UNIT_NAMES

FILE_MAX = 1_000_000


@login_required
@require_GET
def skeleton_edit(request: HttpRequest, slug: str) -> HttpResponse:
    """GET /ontology/{knowledge base}/edit/?version=&draft=: the text in use, an earlier version, or one with a case of quarantine drafted into it."""
    kb, view = edited_or_404(request, slug)
    text, notice = skeleton_in_use(view.graph).text, ""
    if version := version_or_404(view, request.GET.get("version", "")):
        text = version.text
        notice = _("This is version %(number)d. Applying it makes it a new version.") % {"number": version.number}
    elif draft := request.GET.get("draft"):
        text, notice = drafted(request, view, draft, text)
    return editor(request, kb, view, text, notice=notice)


@login_required
@require_POST
def skeleton_draft(request: HttpRequest, slug: str) -> HttpResponse:
    """POST /ontology/{knowledge base}/edit/draft: the editor with a file that was sent, or a text that another page proposes. Nothing is stored."""
    kb, view = edited_or_404(request, slug)
    file = request.FILES.get("file")
    if file is None:
        return editor(request, kb, view, request.POST.get("text", ""))
    try:
        text = file.read(FILE_MAX + 1).decode("utf-8-sig")
    except UnicodeDecodeError:
        return editor(
            request, kb, view, skeleton_in_use(view.graph).text, fault=_("The file can't be read as UTF-8 text.")
        )
    return editor(request, kb, view, lines_of(text), notice=_("This is the file. It is not applied yet."))


@login_required
@require_POST
def skeleton_check(request: HttpRequest, slug: str) -> HttpResponse:
    """POST /ontology/{knowledge base}/edit/check: faults and the picture, while somebody writes."""
    kb, view = edited_or_404(request, slug)
    return render(request, "skeleton/checked.html", {**checked(kb, view, given_text(request)), "is_piece": True})


@login_required
@require_POST
def skeleton_part(request: HttpRequest, slug: str) -> HttpResponse:
    """POST /ontology/{knowledge base}/edit/part: the forms of one class, relation or attribute, as the text has it."""
    kb, view = edited_or_404(request, slug)
    text = given_text(request)
    context = {"kb": kb, "is_opened": True, **forms_over(view, text)}
    try:
        context["panel"] = panel_of(text, part_of(request.POST.get("part", "")))
    except SkeletonRefused:
        context["part_fault"] = _("Mend the faults in the text first.")
    except InvalidInput as error:
        context["part_fault"] = str(error)
    return render(request, "skeleton/part.html", context)


@login_required
@require_POST
def skeleton_change(request: HttpRequest, slug: str) -> HttpResponse:
    """POST /ontology/{knowledge base}/edit/change: one form's change of the text."""
    kb, view = edited_or_404(request, slug)
    text = given_text(request)
    try:
        edited = changed(text, request.POST)
        panel = panel_of(edited.text, edited.path, edited.written, edited.refused) if edited.path else None
    except SkeletonRefused:
        given = work(kb, view, text, base_of(request), fault=_("Mend the faults in the text first."))
    except InvalidInput as error:
        given = work(kb, view, text, base_of(request), fault=str(error))
    else:
        given = {**work(kb, view, edited.text, base_of(request)), "panel": panel}
    return render(request, "skeleton/work.html", given)


@login_required
@require_POST
def skeleton_try(request: HttpRequest, slug: str) -> HttpResponse:
    """POST /ontology/{knowledge base}/edit/try: what applying would do."""
    kb, view = edited_or_404(request, slug)
    context: dict[str, Any] = {"kb": kb, "base": base_of(request)}
    try:
        trial = skeleton_dry_run(subject=subject_of(request), graph_id=view.graph.pk, text=given_text(request))
    except SkeletonRefused as refused:
        return render(request, "skeleton/outcome.html", {**context, "faults": refused.faults})
    context |= {
        "sentences": sentences_of(trial.difference),
        "is_same": trial.difference.is_empty,
        "effect": trial.effect,
    }
    return render(request, "skeleton/outcome.html", context)


@login_required
@require_POST
def skeleton_use(request: HttpRequest, slug: str) -> HttpResponse:
    """POST /ontology/{knowledge base}/edit/apply"""
    kb, view = edited_or_404(request, slug)
    try:
        applied = skeleton_apply(
            subject=subject_of(request),
            graph_id=view.graph.pk,
            text=given_text(request),
            based_on=base_of(request),
            drop_confirmed="drop_confirmed" in request.POST,
        )
    except Conflict as error:
        return render(request, "skeleton/outcome.html", conflict(kb, view, base_of(request), str(error)))
    except SkeletonRefused as refused:
        return render(request, "skeleton/outcome.html", {"kb": kb, "faults": refused.faults})
    messages.success(
        request,
        _("Version %(number)d is in use. What it touches is read again in the background.")
        % {"number": applied.number},
    )
    answer = HttpResponse()
    answer["HX-Redirect"] = reverse("skeleton", args=[slug])
    return answer


def editor(
    request: HttpRequest, kb: KnowledgeBase, view: GraphView, text: str, *, notice: str = "", fault: str = ""
) -> HttpResponse:
    base = skeleton_in_use(view.graph).number
    return render(request, "skeleton/edit.html", work(kb, view, text, base, notice=notice, fault=fault))


def work(
    kb: KnowledgeBase, view: GraphView, text: str, base: int | None, *, notice: str = "", fault: str = ""
) -> dict[str, Any]:
    """What the editor and the piece of it that a form brings need."""
    return {
        **checked(kb, view, text),
        "text": text,
        "base": base,
        "notice": notice,
        "fault": fault,
    }


def checked(kb: KnowledgeBase, view: GraphView, text: str) -> dict[str, Any]:
    reading = read_skeleton(text)
    last = reading.skeleton or compiled(skeleton_in_use(view.graph).text)
    return {
        "kb": kb,
        "view": view,
        "faults": reading.faults,
        "is_fine": reading.skeleton is not None,
        "picture": picture_of(last),
        **forms_over(view, text),
    }


def forms_over(view: GraphView, text: str) -> dict[str, Any]:
    """What forms may be about; where the text is no YAML, what they may be about in the text in use."""
    try:
        parts = parts_in(text)
    except SkeletonRefused:
        parts = parts_in(skeleton_in_use(view.graph).text)
    return {"parts": parts, "units": UNIT_NAMES}


def drafted(request: HttpRequest, view: GraphView, draft: str, text: str) -> tuple[str, str]:
    """The text with a case of quarantine in it, and what to tell; as it is where that can't be."""
    try:
        proposed = proposal_for(subject_of(request), view.graph.pk, UUID(draft), text)
    except (ValueError, NotFound):
        return text, _("This case is gone; its document has been read again or deleted.")
    except TrellisError as error:
        return text, str(error)
    return proposed, _("What was found in the documents is drafted into the text. Look it through, then try it.")


def conflict(kb: KnowledgeBase, view: GraphView, base: int | None, message: str) -> dict[str, Any]:
    """Somebody was faster: what they changed, so that both can be kept. Facts that people confirmed need a word of their own."""
    newest = skeleton_in_use(Graph.objects.select_related("skeleton").get(pk=view.graph.pk))
    own = view.graph.skeletons.filter(number=base).first() if base else None
    is_overtaken = own is not None and newest.number != own.number
    sentences = sentences_of(compare(compiled(own.text), compiled(newest.text))) if own and is_overtaken else []
    return {
        "kb": kb,
        "base": base,
        "conflict": message,
        "newest": newest if is_overtaken else None,
        "theirs": sentences,
    }


def given_text(request: HttpRequest) -> str:
    """As it was written; a browser ends lines in its own way."""
    return lines_of(request.POST.get("text", ""))


def lines_of(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def base_of(request: HttpRequest) -> int | None:
    number = request.POST.get("base", "")
    return int(number) if number.isdecimal() and len(number) < 9 else None

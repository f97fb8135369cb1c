"""Quarantine: what was found and does not fit, by kinds with examples, and the decisions for ever. What is decided goes to REST by `static/js/desk`."""

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import NoReverseMatch, reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from ontology.labels import class_label, labelled
from ontology.pages.desk import desk_of
from ontology.pages.explorer import subject_of
from ontology.pages.words import REASONS, class_shown
from ontology.proposals import PROPOSED
from ontology.selectors.quarantine import (
    CaseShown,
    QuarantineGroup,
    bearers,
    cases_shown,
    quarantine_counts,
    rules_of,
    with_examples,
)
from ontology.selectors.views import GraphView
from ontology.services.quarantine import MAPPED
from ontology.types import CompiledSkeleton, Reason

GROUPS, CASES, ROWS = 20, 50, 50


@login_required
@never_cache
@require_GET
def groups(request: HttpRequest) -> HttpResponse:
    """GET /quarantine/?kb=&reason=&page=: kinds of cases, the most frequent first."""
    view, context = desk_of(request, "quarantine")
    subject, graph_id = subject_of(request), view.graph.pk
    reason = request.GET.get("reason", "")
    if reason and reason not in REASONS:
        raise Http404
    page = Paginator(quarantine_counts(subject, graph_id, reason=reason), GROUPS).get_page(request.GET.get("page"))
    shown = [group_shown(view, context["kb"].slug, each) for each in with_examples(subject, graph_id, list(page))]
    return render(
        request,
        "desk/quarantine.html",
        context | {"page_obj": page, "groups": shown, "reason": reason, "reasons": REASONS},
    )


@login_required
@never_cache
@require_GET
def cases(request: HttpRequest) -> HttpResponse:
    """GET /quarantine/cases?kb=&reason=&about=&after=: more cases of a kind, as a piece of the page."""
    view, context = desk_of(request, "quarantine")
    reason, about = request.GET.get("reason", ""), request.GET.get("about", "")[:200]
    try:
        after = UUID(request.GET["after"]) if request.GET.get("after") else None
    except ValueError:
        raise Http404 from None
    found = cases_shown(subject_of(request), view.graph.pk, reason=reason, about=about, after=after, limit=CASES + 1)
    more = found[CASES - 1].id if len(found) > CASES else None
    shown = {
        "reason": reason,
        "about": about,
        "cases": [case_shown(view, reason, about, each) for each in found[:CASES]],
        "more_after": more,
    }
    return render(request, "desk/cases.html", {"group": shown, "kb": context["kb"]})


@login_required
@never_cache
@require_GET
def decisions(request: HttpRequest) -> HttpResponse:
    """GET /quarantine/decisions/?kb=&page=: what people decided for ever, to be taken back."""
    view, context = desk_of(request, "decisions")
    page = Paginator(rules_of(view.graph.pk), ROWS).get_page(request.GET.get("page"))
    rows = [{"rule": each, "reason": REASONS.get(each.reason, each.reason)} for each in page]
    return render(request, "desk/decisions.html", context | {"page_obj": page, "rows": rows})


def group_shown(view: GraphView, slug: str, group: QuarantineGroup) -> dict[str, Any]:
    """With what may be done with it."""
    first = group.examples[0] if group.examples else None
    return {
        "group": group,
        "reason": group.reason,
        "about": group.about,
        "title": REASONS.get(group.reason, group.reason),
        "name": group.about or "—",
        "cases": [case_shown(view, group.reason, group.about, each) for each in group.examples],
        "choices": choices_for(view.skeleton, group.reason, group.about),
        "propose": edit_url(slug, first) if first and group.reason in PROPOSED else "",
        "more": group.count > len(group.examples),
    }


def choices_for(skeleton: CompiledSkeleton, reason: str, about: str) -> list[tuple[str, str]]:
    """What a kind may be taken for: names and labels."""
    if reason not in MAPPED:
        return []
    if reason == Reason.UNKNOWN_CLASS:
        return [(name, labelled(each, name)) for name, each in skeleton.classes.items()]
    if reason == Reason.UNKNOWN_RELATION:
        return [(name, labelled(each, name)) for name, each in skeleton.relations.items()]
    owner = about.partition(".")[0]
    declared = skeleton.classes.get(owner) or skeleton.relations.get(owner)
    return [(each.name, labelled(each, each.name)) for each in declared.attributes] if declared else []


def case_shown(view: GraphView, reason: str, about: str, case: CaseShown) -> dict[str, Any]:
    """What was found, in short; for a name of several those that it may mean."""
    meant = bearers(view.graph.pk, about) if reason == Reason.HOMONYM else []
    return {
        "case": case,
        "said": in_short(case.found, view.skeleton),
        "bearers": [{"entity": each, "class": class_shown(view, each.class_name)} for each in meant],
    }


def in_short(found: dict[str, Any], skeleton: CompiledSkeleton) -> str:
    """`Mail Gateway → calls → Auth Server`, `Mail Gateway: memory = 64`, `Mail Gateway (IT system)`; relations and attributes by the names that the skeleton gives or lacks."""
    if "source" in found:
        return f"{name_in(found['source'])} → {found.get('type', '')} → {name_in(found.get('target'))}"
    who = name_in(found.get("who"))
    if "attribute" in found:
        return f"{who}: {found['attribute']} = {found.get('raw', '')}"
    name = found["who"].get("class_name", "") if found.get("who") else ""
    return f"{who} ({class_label(skeleton, name)})" if name else who


def name_in(who: Any) -> str:
    return str(who.get("name", "")) if isinstance(who, dict) else ""


def edit_url(slug: str, case: CaseShown) -> str:
    """The editor of the skeleton with this case as a draft; nothing where there is none."""
    try:
        return f"{reverse('skeleton_edit', args=[slug])}?draft={case.id}"
    except NoReverseMatch:
        return ""

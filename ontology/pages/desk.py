"""The entity desk, where editors keep the graph clean: pairs that may be one, names that may stand for two, all entities with bulk deeds, merges that can be taken back, and who did what.

Pages show; what is decided goes to REST by `static/js/desk`, with the revisions that the page shows.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Count, Min
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts.models import AuditEvent
from common.errors import Forbidden, InvalidInput, NotFound
from common.text import canonical
from knowledge.models import Document
from ontology.models import Entity, Evidence, SplitSuggestion, Suggestion
from ontology.pages.explorer import chosen_graph, kb_shown, subject_of
from ontology.pages.pairs import pair_shown, reasons_shown
from ontology.pages.timeline import detail_of
from ontology.pages.words import DEEDS, EXTRACTORS, class_shown, classes_shown
from ontology.roots import roots_of
from ontology.selectors.entities import EntityFilter, counts_by_class, entities_found, entity_for
from ontology.selectors.quarantine import quarantine_counts
from ontology.selectors.quotes import Quote, places_of
from ontology.selectors.suggestions import history_of, merges_of, splits_of, suggestion_for, suggestions_of
from ontology.selectors.views import GraphView, bases_in

CARDS, ROWS = 10, 50
LOOKED_AT = 20  # graphs, for one where something waits
STATES = {"open": _("Open"), "later": _("Later"), "rejected": _("Different"), "merged": _("Merged")}
ENTITY_STATES = {"": _("All"), "confirmed": _("Confirmed"), "found": _("Only found"), "rejected": _("Rejected")}


def desk_of(request: HttpRequest, tab: str) -> tuple[GraphView, dict[str, Any]]:
    """The graph that the address names (else the first that waits for the editor, or that they may edit), and what every page of the desk shows. Raises Http404 for others."""
    view, choices = chosen_graph(request)
    editable = [(each, kb) for each, kb in choices if each.may_edit]
    if view is not None and editable and not request.GET.get("kb"):
        view = next((each for each, _kb in editable[:LOOKED_AT] if any(waiting(request, each))), editable[0][0])
    if view is None or not view.may_edit:
        raise Http404(_("There is nothing here."))
    return view, {
        "view": view,
        "graph": view.graph,
        "kb": kb_shown(request, view),
        "choices": editable,
        "tab": tab,
        "counts": {
            "suggestions": suggestions_of(view).count(),
            "homonyms": splits_of(view).count(),
            "merged": merges_of(view).count(),
            "quarantine": quarantine_counts(subject_of(request), view.graph.pk).count(),
        },
        "extractors": EXTRACTORS,
    }


def waiting(request: HttpRequest, view: GraphView) -> Iterator[bool]:
    """Whether pairs, doubtful names or what does not fit wait for a decision; asked one after the other."""
    yield suggestions_of(view).exists()
    yield splits_of(view).exists()
    yield quarantine_counts(subject_of(request), view.graph.pk).exists()


@login_required
@never_cache
@require_GET
def suggestions(request: HttpRequest) -> HttpResponse:
    """GET /desk/?kb=&state=&class=&page=: pairs that may be one, side by side."""
    view, context = desk_of(request, "suggestions")
    state = request.GET.get("state", "open")
    if state not in STATES:
        raise Http404
    class_name = canonical(request.GET.get("class", ""))[:100]
    page = Paginator(suggestions_of(view, state=state, class_name=class_name), CARDS).get_page(request.GET.get("page"))
    return render(
        request,
        "desk/suggestions.html",
        context
        | {
            "page_obj": page,
            "cards": [pair_shown(view, each) for each in page],
            "state": state,
            "states": STATES,
            "class_name": class_name,
            "classes": classes_shown(view),
        },
    )


@login_required
@never_cache
@require_GET
def suggestion(request: HttpRequest, suggestion_id: UUID) -> HttpResponse:
    """GET /desk/suggestions/{id}/?since=: one card as it is now, with what others have done to its two since then."""
    try:
        view, row = suggestion_for(subject_of(request), suggestion_id)
    except (NotFound, Forbidden) as error:
        raise Http404(str(error)) from None
    since = parse_datetime(request.GET.get("since", ""))
    if ends := ends_decided(row):
        context = {"suggestion": row, "ends": ends, "kb": bases_in(view)[0]}
        told = deeds_since(since, row.left_id, row.right_id)
        return render(request, "desk/decided_card.html", context | {"meanwhile": told})
    context = {"card": pair_shown(view, row), "state": row.state, "extractors": EXTRACTORS, "is_fresh": True}
    return render(request, "desk/card.html", context | {"meanwhile": deeds_since(since, row.left_id, row.right_id)})


def ends_decided(row: Suggestion) -> list[dict[str, Any]]:
    """What became of both ends, where one was merged or rejected, so that nothing is left to decide of the pair; empty where it stands."""
    pair = (row.left, row.right)
    if not any(each.merged_into_id or each.is_rejected for each in pair):
        return []
    roots = roots_of([each.pk for each in pair])
    seen = Entity.objects.in_bulk(set(roots.values()))
    return [
        {"entity": each, "root": seen[roots[each.pk]], "is_rejected": seen[roots[each.pk]].is_rejected} for each in pair
    ]


def deeds_since(since: datetime | None, *entity_ids: UUID) -> list[dict[str, Any]]:
    """What people did to these entities, the last first."""
    if since is None or since.tzinfo is None:
        return []
    events = AuditEvent.objects.filter(target_type="entity", target_id__in=entity_ids, at__gt=since)
    return [deed_shown(event) for event in events.order_by("-at")[:10]]


def deed_shown(event: AuditEvent) -> dict[str, Any]:
    return {
        "event": event,
        "what": DEEDS.get(event.action, event.action),
        "detail": detail_of(event.before, event.after),
        "entity": event.target_id if event.target_type == "entity" else None,
    }


@login_required
@never_cache
@require_GET
def homonyms(request: HttpRequest) -> HttpResponse:
    """GET /desk/homonyms/?kb=&page=: names that may stand for two, with the documents of either."""
    view, context = desk_of(request, "homonyms")
    page = Paginator(splits_of(view), CARDS).get_page(request.GET.get("page"))
    cards = [split_shown(view, each) for each in page]
    return render(request, "desk/homonyms.html", context | {"page_obj": page, "cards": cards})


def split_shown(view: GraphView, row: SplitSuggestion) -> dict[str, Any]:
    """Both parts with the places that name the entity in their documents."""
    quotes = quotes_by_document(view, row.entity)
    return {
        "split": row,
        "percent": round(row.score * 100),
        "entity": row.entity,
        "class": class_shown(view, row.entity.class_name),
        "reasons": reasons_shown(view, row.reasons, row.entity),
        "parts": [
            {"ids": part, "quotes": [quotes[UUID(each)] for each in part if UUID(each) in quotes][:5]}
            for part in row.parts
        ],
    }


def quotes_by_document(view: GraphView, entity: Entity) -> dict[UUID, Quote]:
    """The first place in each document that names it."""
    firsts = Evidence.objects.filter(entity=entity, is_live=True).values("document").annotate(first=Min("start"))
    wanted = {(row["document"], row["first"]) for row in firsts}
    found = places_of(view, "entity", [entity.pk], limit=1000)[entity.pk]
    return {each.document_id: each for each in found if (each.document_id, each.start) in wanted}


@login_required
@never_cache
@require_GET
def entities(request: HttpRequest) -> HttpResponse:
    """GET /desk/entities/?kb=&q=&class=&state=&min_support=&page=: all entities, to be judged many at once."""
    view, context = desk_of(request, "entities")
    wanted = wanted_in(request)
    try:
        found = entities_found(view, wanted)
    except (InvalidInput, Forbidden) as error:
        raise Http404(str(error)) from None
    page = Paginator(found, ROWS).get_page(request.GET.get("page"))
    rows = [{"entity": row, "class": class_shown(view, row.class_name)} for row in page]
    return render(
        request,
        "desk/entities.html",
        context
        | {
            "page_obj": page,
            "rows": rows,
            "wanted": wanted,
            "classes": [each for each in classes_shown(view, counts_by_class(view)) if each.count],
            "states": ENTITY_STATES,
        },
    )


def wanted_in(request: HttpRequest) -> EntityFilter:
    q, name, state = (canonical(request.GET.get(key, "")).strip()[:200] for key in ("q", "class", "state"))
    least = request.GET.get("min_support", "")
    return EntityFilter(q, name, state, min(int(least), 10**6) if least.isdecimal() and len(least) < 8 else 0)


@login_required
@never_cache
@require_GET
def documents(request: HttpRequest, entity_id: UUID) -> HttpResponse:
    """GET /desk/entities/{id}/documents: those that name it, for splitting it by hand, as a piece of the page."""
    try:
        view, entity = entity_for(subject_of(request), entity_id)
    except NotFound as error:
        raise Http404(str(error)) from None
    if not view.may_edit:
        raise Http404
    live = Evidence.objects.filter(entity=entity, is_live=True)
    counts = dict(live.values_list("document").annotate(count=Count("pk")).order_by())
    quotes = quotes_by_document(view, entity)
    rows = [
        {"document": each, "count": counts[each.pk], "quote": quotes.get(each.pk)}
        for each in Document.objects.filter(pk__in=counts).order_by("path")
    ]
    return render(request, "desk/documents.html", {"entity": entity, "rows": rows})


@login_required
@never_cache
@require_GET
def merged(request: HttpRequest) -> HttpResponse:
    """GET /desk/merged/?kb=&page=: what was merged, by whom and when, to be taken back."""
    view, context = desk_of(request, "merged")
    page = Paginator(merges_of(view), ROWS).get_page(request.GET.get("page"))
    rows = [{"entity": each, "class": class_shown(view, each.class_name)} for each in page]
    return render(request, "desk/merged.html", context | {"page_obj": page, "rows": rows})


@login_required
@never_cache
@require_GET
def history(request: HttpRequest) -> HttpResponse:
    """GET /desk/history/?kb=&page=: who decided what, the last first."""
    view, context = desk_of(request, "history")
    page = Paginator(history_of(view), ROWS).get_page(request.GET.get("page"))
    known = set(Entity.objects.filter(pk__in=[each.target_id for each in page]).values_list("pk", flat=True))
    rows = [deed_shown(each) | {"is_there": each.target_id in known} for each in page]
    return render(request, "desk/history.html", context | {"page_obj": page, "rows": rows})

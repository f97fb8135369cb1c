"""GET /graph/communities/: entities that belong together, the coarsest groups first, each with the smaller ones inside of it; only what the reader may know of."""

import re
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from ontology.pages.explorer import chosen_graph, kb_shown
from ontology.pages.words import EXTRACTORS, class_shown
from ontology.selectors.communities import CommunityShown, communities_within, lineage, with_smaller
from ontology.selectors.views import GraphView

PAGE_CARDS = 20
LAST_PAGE = 1000
_MARKS = re.compile(r"(?:^|(?<=\s))(?:#{1,6}|[-+]|\d{1,3}\.)\s+|\*+|`+")


@login_required
@require_GET
def communities(request: HttpRequest) -> HttpResponse:
    """GET /graph/communities/?kb=&in=&page=: of the graph, or inside of one community."""
    view, choices = chosen_graph(request)
    if view is None:
        return render(request, "graph/communities.html", {"choices": []})
    above = above_in(request, view)
    page = page_in(request)
    inside = above[-1].id if above else None
    found, is_cut = communities_within(view, inside, first=(page - 1) * PAGE_CARDS, limit=PAGE_CARDS)
    smaller = with_smaller(view, [each.id for each in found])
    context = {
        "view": view,
        "choices": choices,
        "kb": kb_shown(request, view),
        "above": above,
        "inside": above[-1] if above else None,
        "summary": told(above[-1]) if above else "",
        "cards": [card(view, each, has_smaller=each.id in smaller) for each in found],
        "before": page - 1,
        "next": page + 1 if is_cut else 0,
        "extractors": EXTRACTORS,
    }
    return render(request, "graph/communities.html", context)


def above_in(request: HttpRequest, view: GraphView) -> list[CommunityShown]:
    """The community that is looked into, after those that hold it. Raises Http404 for one that the reader may not know of."""
    wanted = request.GET.get("in", "")
    if not wanted:
        return []
    try:
        found = lineage(view, UUID(wanted))
    except ValueError:
        found = []
    if not found:
        raise Http404(_("There is no such community, or you may not see it."))
    return found


def page_in(request: HttpRequest) -> int:
    """The first where the address names none that can be."""
    number = request.GET.get("page", "")
    return min(max(int(number), 1), LAST_PAGE) if number.isdecimal() and len(number) < 8 else 1


def told(found: CommunityShown) -> str:
    """Quotations without the marks of headings, lists and emphasis, since they stand in one line here; a model's words as they are."""
    return found.summary if found.is_by_model else _MARKS.sub("", found.summary)


def card(view: GraphView, found: CommunityShown, *, has_smaller: bool) -> dict[str, Any]:
    return {
        "community": found,
        "summary": told(found),
        "has_smaller": has_smaller,
        "members": [{"entity": each, "class": class_shown(view, each.class_name)} for each in found.entities],
        "more": found.size - len(found.entities),
        "quotes": [each.quote for each in found.told],
    }

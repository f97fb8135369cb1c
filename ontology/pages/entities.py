"""GET /entities/: the entities of a graph, with search and filters."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from common.errors import Forbidden, InvalidInput
from common.text import canonical
from ontology.api.entities import under_known_names
from ontology.pages.explorer import chosen_graph, kb_shown
from ontology.pages.words import class_shown, classes_shown
from ontology.selectors.entities import EntityFilter, counts_by_class, entities_found

PAGE_ROWS = 50
LONGEST_QUERY = 200
STATES = {"": _("All"), "confirmed": _("Confirmed"), "found": _("Only found"), "rejected": _("Rejected")}


@login_required
@require_GET
def entities(request: HttpRequest) -> HttpResponse:
    """GET /entities/?kb=&q=&class=&state=&page="""
    view, choices = chosen_graph(request)
    if view is None:
        return render(request, "graph/entities.html", {"choices": []})
    wanted = wanted_in(request)
    try:
        found = entities_found(view, wanted)
    except (InvalidInput, Forbidden) as error:
        raise Http404(str(error)) from None
    page = Paginator(found, PAGE_ROWS).get_page(request.GET.get("page"))
    page.object_list = [
        {"entity": row, "class": class_shown(view, row.class_name)} for row in under_known_names(view, list(page))
    ]
    context = {
        "view": view,
        "choices": choices,
        "kb": kb_shown(request, view),
        "wanted": wanted,
        "classes": [each for each in classes_shown(view, counts_by_class(view)) if each.count],
        "states": STATES if view.may_edit else {name: word for name, word in STATES.items() if name != "rejected"},
        "all_classes": classes_shown(view),
        "page_obj": page,
    }
    return render(request, "graph/entities.html", context)


def wanted_in(request: HttpRequest) -> EntityFilter:
    q, name, state = (canonical(request.GET.get(key, "")).strip()[:LONGEST_QUERY] for key in ("q", "class", "state"))
    return EntityFilter(q=q, class_name=name, state=state)

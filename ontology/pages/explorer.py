"""The graph explorer, and the cards that it shows beside the picture."""

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from accounts.types import Subject
from common.errors import NotFound
from knowledge.models import KnowledgeBase
from ontology.api.entities import seen_root
from ontology.api.facts import relation_for
from ontology.export import written
from ontology.labels import labelled
from ontology.pages.words import EXTRACTORS, class_shown, classes_shown, relation_types
from ontology.roots import roots_of
from ontology.selectors.entities import counts_by_class, shown
from ontology.selectors.entity import closest, described
from ontology.selectors.quotes import places_of
from ontology.selectors.views import GraphView, bases_in, graphs_seen, view_named

AMOUNTS = (40, 100, 300, 1000, 2000)
AMOUNT = 100
QUOTES = 20


def subject_of(request: HttpRequest) -> Subject:
    """Who looks at the page."""
    subject: Subject = request.subject  # type: ignore[attr-defined]
    return subject


def chosen_graph(request: HttpRequest) -> tuple[GraphView | None, list[tuple[GraphView, KnowledgeBase]]]:
    """The graph that the address names by a knowledge base, else the reader's first; and all that there are to choose from. Raises Http404."""
    subject = subject_of(request)
    choices = [(view, kb) for view in graphs_seen(subject) for kb in bases_in(view)]
    slug = request.GET.get("kb", "")
    if slug:
        try:
            return view_named(subject, slug), choices
        except NotFound as error:
            raise Http404(str(error)) from None
    return (choices[0][0] if choices else None), choices


@login_required
@require_GET
def explorer(request: HttpRequest) -> HttpResponse:
    """GET /graph/?kb=&entity="""
    view, choices = chosen_graph(request)
    if view is None:
        return render(request, "graph/explorer.html", {"choices": []})
    context = {
        "view": view,
        "graph": view.graph,
        "choices": choices,
        "kb": kb_shown(request, view),
        "classes": [each for each in classes_shown(view, counts_by_class(view)) if each.count],
        "types": relation_types(view),
        "amounts": AMOUNTS,
        "amount": AMOUNT,
        "entity": wanted_entity(request),
    }
    return render(request, "graph/explorer.html", context)


def kb_shown(request: HttpRequest, view: GraphView) -> KnowledgeBase:
    """The knowledge base under whose name the graph is looked at."""
    bases = bases_in(view)
    return next((kb for kb in bases if kb.slug == request.GET.get("kb")), bases[0])


def wanted_entity(request: HttpRequest) -> str:
    """The id in the address, when it is one."""
    try:
        return str(UUID(request.GET.get("entity", "")))
    except ValueError:
        return ""


@login_required
@require_GET
def entity_card(request: HttpRequest, entity_id: UUID) -> HttpResponse:
    """GET /entities/{id}/card: what the explorer shows of an entity."""
    try:
        view, root = seen_root(subject_of(request), entity_id)
    except NotFound as error:
        raise Http404(str(error)) from None
    known = described(view, root)
    declared = view.skeleton.classes.get(root.class_name)
    values = [
        {"label": labelled(declared.attribute(name) if declared else None, name), "values": list(map(written, each))}
        for name, each in known.values.items()
    ]
    context: dict[str, Any] = {
        "known": known,
        "entity": root,
        "class": class_shown(view, root.class_name),
        "values": values,
    }
    context["mentions"] = closest(known.mentions)[:5]
    return render(request, "graph/entity_card.html", context)


@login_required
@require_GET
def relation_card(request: HttpRequest, relation_id: UUID) -> HttpResponse:
    """GET /relations/{id}/card: what the explorer shows of a relation: its ends and the places that say so."""
    try:
        view, relation = relation_for(subject_of(request), relation_id)
    except NotFound as error:
        raise Http404(str(error)) from None
    roots = roots_of([relation.source_id, relation.target_id])
    known = shown(view, set(roots.values()))
    ends = [known.get(roots[end]) for end in (relation.source_id, relation.target_id)]
    if None in ends:
        raise Http404(_("There is no such relation, or you may not see it."))
    declared = view.skeleton.relations.get(relation.type)
    context: dict[str, Any] = {
        "relation": relation,
        "source": ends[0],
        "target": ends[1],
        "label": labelled(declared, relation.type),
        "attributes": {
            labelled(declared.attribute(name) if declared else None, name): said.get("text") or said.get("value")
            for name, said in relation.attributes.items()
        },
        "quotes": places_of(view, "relation", [relation.pk], limit=QUOTES)[relation.pk],
        "extractors": EXTRACTORS,
    }
    return render(request, "graph/relation_card.html", context)

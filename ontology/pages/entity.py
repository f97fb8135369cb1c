"""The entity page, the wiki of a knowledge base: what is known of one entity, where it stands, and for editors how it is put right."""

from itertools import groupby
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from accounts.models import User
from common.errors import NotFound
from ontology.export import written
from ontology.labels import labelled, labelled_inverse
from ontology.pages.explorer import subject_of
from ontology.pages.timeline import timeline
from ontology.pages.words import EXTRACTORS, class_shown, classes_shown, relation_types
from ontology.roots import members_of
from ontology.selectors.entities import entity_for, root_of
from ontology.selectors.entity import MENTIONS, Described, closest, described, mentions_of
from ontology.selectors.views import GraphView, bases_in


@login_required
@require_GET
def entity(request: HttpRequest, entity_id: UUID) -> HttpResponse:
    """GET /entities/{id}/; a merged one leads to the one that readers see in its place."""
    view, root = root_or_404(request, entity_id)
    if root.pk != entity_id:
        return redirect("entity", entity_id=root.pk)
    known = described(view, root)
    context = {
        "view": view,
        "kb": bases_in(view)[0],
        "known": known,
        "entity": root,
        "class": class_shown(view, root.class_name),
        "attributes": attributes_shown(known),
        "declared": declared_attributes(view, root.class_name),
        "relations": relations_shown(known),
        "types": [each for each in relation_types(view) if root.class_name in (*each.sources, *each.targets)],
        "classes": classes_shown(view),
        "happenings": timeline(view, members_of([root.pk])[root.pk]),
        "extractors": EXTRACTORS,
        "mentions": closest(known.mentions),
        "more_after": known.mentions[-1].id if known.mention_count > len(known.mentions) and known.mentions else None,
    }
    return render(request, "graph/entity.html", context)


@login_required
@require_GET
def mentions(request: HttpRequest, entity_id: UUID) -> HttpResponse:
    """GET /entities/{id}/mentions?after=: the next places that name it, as a piece of the page."""
    view, root = root_or_404(request, entity_id)
    try:
        after = UUID(request.GET.get("after", ""))
    except ValueError:
        raise Http404 from None
    found = mentions_of(view, members_of([root.pk])[root.pk], after=after, limit=MENTIONS + 1)
    context = {
        "entity": root,
        "mentions": closest(found[:MENTIONS]),
        "more_after": found[MENTIONS - 1].id if len(found) > MENTIONS else None,
        "extractors": EXTRACTORS,
    }
    return render(request, "graph/mentions.html", context)


def root_or_404(request: HttpRequest, entity_id: UUID) -> tuple[GraphView, Any]:
    try:
        view, found = entity_for(subject_of(request), entity_id)
    except NotFound as error:
        raise Http404(str(error)) from None
    root = root_of(view, found)
    if root is None:
        raise Http404
    return view, root


def attributes_shown(known: Described) -> list[dict[str, Any]]:
    """One entry an attribute, its values as people read them, the one to believe first."""
    declared = known.view.skeleton.classes.get(known.root.class_name)
    return [
        {
            "name": name,
            "label": labelled(declared.attribute(name) if declared else None, name),
            "is_contradicted": any(value.is_contradicted for value in values),
            "values": [{"shown": value, "text": written(value)} for value in values],
        }
        for name, values in known.values.items()
    ]


def declared_attributes(view: GraphView, class_name: str) -> list[dict[str, Any]]:
    """What may be said of an entity of this class, for the form."""
    declared = view.skeleton.classes.get(class_name)
    if declared is None:
        return []
    return [
        {
            "name": each.name,
            "label": labelled(each, each.name),
            "unit": each.unit,
            "type": each.type.value,
            "options": list(each.options),
        }
        for each in declared.attributes
    ]


def relations_shown(known: Described) -> list[dict[str, Any]]:
    """One group a type and direction, as it reads from this entity."""
    groups = []
    people = User.objects.in_bulk({each.edge.decided_by for each in known.relations if each.edge.decided_by})
    for (name, is_outgoing), each in groupby(
        known.relations, key=lambda relation: (relation.edge.type, relation.is_outgoing)
    ):
        declared = known.view.skeleton.relations.get(name)
        label = labelled(declared, name) if is_outgoing else labelled_inverse(declared, name)
        items = [
            {
                "relation": relation,
                "decided_by": people.get(relation.edge.decided_by) if relation.edge.decided_by else None,
                "class": class_shown(known.view, relation.other.class_name),
                "attributes": {
                    labelled(declared.attribute(key) if declared else None, key): said.get("text") or said.get("value")
                    for key, said in relation.edge.attributes.items()
                },
            }
            for relation in each
        ]
        groups.append({"name": name, "label": label, "items": items})
    return groups

"""The skeleton of a knowledge base as a page for readers: a picture, its classes and relations in words, its versions and what differs between any two; and the file."""

from collections.abc import Iterator
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.types import Subject
from common.errors import NotFound
from knowledge.models import KnowledgeBase
from knowledge.selectors.bases import base_named
from ontology.editing.picture import picture_of
from ontology.graphs import compiled, skeleton_in_use, source_of
from ontology.labels import labelled, labelled_inverse, word
from ontology.models import SkeletonVersion
from ontology.selectors.entities import counts_by_class
from ontology.selectors.views import GraphView, view_named
from ontology.skeleton.changes_in_words import sentences_of
from ontology.skeleton.compare import compare
from ontology.types import AttributeType, CompiledSkeleton, EntityClass, RelationType

RULES = ("patterns", "suffixes", "columns", "also_named_in", "stop_names", "record_headings", "self_names")


@login_required
@require_GET
def skeleton(request: HttpRequest, slug: str) -> HttpResponse:
    """GET /ontology/{knowledge base}/?left=&right="""
    kb, view = seen_or_404(request, slug)
    in_use = skeleton_in_use(view.graph)
    versions = list(view.graph.skeletons.select_related("created_by").defer("text"))
    context = {
        "kb": kb,
        "view": view,
        "in_use": in_use,
        "title": view.skeleton.title or kb.name,
        "picture": picture_of(view.skeleton),
        "classes": list(classes_in_words(view.skeleton, counts_by_class(view))),
        "relations": list(relations_in_words(view.skeleton)),
        "versions": versions,
        **compared(view, request, versions),
    }
    return render(request, "skeleton/skeleton.html", context)


@login_required
@require_GET
def skeleton_file(request: HttpRequest, slug: str) -> HttpResponse:
    """GET /ontology/{knowledge base}/ontology.yaml?version=: the text as it was applied."""
    _kb, view = seen_or_404(request, slug)
    version = version_or_404(view, request.GET.get("version", "")) or skeleton_in_use(view.graph)
    answer = HttpResponse(version.text, content_type="application/yaml; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{slug}-ontology-{version.number}.yaml"'
    return answer


def subject_of(request: HttpRequest) -> Subject:
    """Who looks at the page."""
    subject: Subject = request.subject  # type: ignore[attr-defined]
    return subject


def seen_or_404(request: HttpRequest, slug: str) -> tuple[KnowledgeBase, GraphView]:
    """The knowledge base and the graph that it feeds, which is made with the default skeleton where there is none yet."""
    try:
        kb = base_named(subject_of(request), slug)
        source_of(kb.pk)
        return kb, view_named(subject_of(request), slug)
    except NotFound as error:
        raise Http404(str(error)) from None


def edited_or_404(request: HttpRequest, slug: str) -> tuple[KnowledgeBase, GraphView]:
    """The same for somebody who may change it. Raises PermissionDenied for a reader."""
    kb, view = seen_or_404(request, slug)
    if not view.may_edit:
        raise PermissionDenied
    return kb, view


def version_or_404(view: GraphView, number: str) -> SkeletonVersion | None:
    """By its number; None when none is asked for."""
    if not number:
        return None
    found = view.graph.skeletons.filter(number=int(number)).first() if number.isdecimal() and len(number) < 9 else None
    if found is None:
        raise Http404
    return found


def compared(view: GraphView, request: HttpRequest, versions: list[SkeletonVersion]) -> dict[str, Any]:
    """Two versions with what differs, as asked for; else the last two."""
    left = version_or_404(view, request.GET.get("left", ""))
    right = version_or_404(view, request.GET.get("right", ""))
    if left is None or right is None:
        return {"left": versions[1] if len(versions) > 1 else versions[0], "right": versions[0], "differences": None}
    differences = sentences_of(compare(compiled(left.text), compiled(right.text)))
    return {"left": left, "right": right, "differences": differences}


def classes_in_words(skeleton: CompiledSkeleton, counts: dict[str, int]) -> Iterator[dict[str, Any]]:
    for number, each in enumerate(skeleton.classes.values()):
        yield {
            "name": each.name,
            "label": labelled(each, each.name),
            "description": word(each.description, ""),
            "colour": number % 10 + 1,
            "count": counts.get(each.name, 0),
            "is_subject": each.is_subject,
            "attributes": [attribute_in_words(attribute, skeleton) for attribute in each.attributes],
            "rules": rules_of(each),
        }


def rules_of(declared: EntityClass) -> list[tuple[str, list[str]]]:
    """What finds its entities, kind by kind, as it is written."""
    found = [(name, sorted(getattr(each, "pattern", each) for each in getattr(declared, name))) for name in RULES]
    return [(name, words) for name, words in found if words]


def relations_in_words(skeleton: CompiledSkeleton) -> Iterator[dict[str, Any]]:
    def named(names: tuple[str, ...]) -> list[str]:
        return [labelled(skeleton.classes[name], name) for name in names]

    for each in skeleton.relations.values():
        yield {
            "name": each.name,
            "label": labelled(each, each.name),
            "inverse": labelled_inverse(each, each.name) if each.inverse else "",
            "description": word(each.description, ""),
            "sources": named(each.sources),
            "targets": named(each.targets),
            "attributes": [attribute_in_words(attribute, skeleton) for attribute in each.attributes],
        }


def attribute_in_words(attribute: AttributeType, skeleton: CompiledSkeleton) -> dict[str, Any]:
    to: EntityClass | RelationType | None = skeleton.classes.get(attribute.to_class)
    return {
        "name": attribute.name,
        "label": labelled(attribute, attribute.name) if attribute.labels else attribute.name,
        "type": attribute.type.value,
        "unit": attribute.unit,
        "options": list(attribute.options),
        "to": labelled(to, attribute.to_class) if attribute.to_class else "",
    }

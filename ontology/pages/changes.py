"""The page that compares two versions of a document: passages beside each other with what differs marked, facts that came and went, and for editors what the reading cost."""

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from common.errors import InvalidInput, NotFound
from inference.conf import inference_settings
from inference.services import MICROS
from inference.types import Purpose
from knowledge.pages.documents import number_in, subject_of
from knowledge.selectors import changes as passages
from knowledge.selectors.changes import Compared, ReadingSpent, chunk_changes, compare_versions, reading_spent
from ontology.export import written
from ontology.labels import labelled
from ontology.pages.words import class_shown
from ontology.selectors import fact_words as facts
from ontology.selectors.entities import Shown
from ontology.selectors.entity import ValueShown
from ontology.selectors.fact_changes import FactChanges, fact_changes
from ontology.selectors.fact_words import FactChangeShown, Side, facts_shown
from ontology.selectors.views import GraphView

PURPOSES: dict[str, Promise] = {Purpose.INDEX: _("Embedding"), Purpose.EXTRACT: _("Reading by a model")}


@login_required
@require_GET
def changes(request: HttpRequest, document_id: UUID) -> HttpResponse:
    """GET /documents/{id}/changes/?version=&against=&page=&facts="""
    found = compared_or_404(request, document_id)
    said = fact_changes(subject_of(request), found)
    page = numbered_page(request, "page", found.alignment.size, passages.PAGE)
    context = {
        "found": found,
        "document": found.document,
        "passages": page,
        "chunks": chunk_changes(found, page=page.number),
        "cost": cost_shown(reading_spent(found)),
        **facts_context(request, said),
    }
    return render(request, "library/changes.html", context)


def compared_or_404(request: HttpRequest, document_id: UUID) -> Compared:
    """A version against itself is taken for one against which none was chosen."""
    number, against = number_in(request, "version"), number_in(request, "against")
    try:
        try:
            return compare_versions(subject_of(request), document_id, number=number, against=against)
        except InvalidInput:
            return compare_versions(subject_of(request), document_id, number=number)
    except NotFound as error:
        raise Http404(str(error)) from None


def numbered_page(request: HttpRequest, name: str, count: int, size: int) -> Any:
    """The page of this many things that was asked for, or the nearest there is."""
    return Paginator(range(count), size).get_page(request.GET.get(name))


def facts_context(request: HttpRequest, said: FactChanges | None) -> dict[str, Any]:
    """What the page says of facts; nothing where there is no graph."""
    if said is None:
        return {"facts": None}
    page = numbered_page(request, "facts", len(said.all), facts.PAGE)
    return {
        "facts": said,
        "counts": said.counts,
        "facts_page": page,
        "fact_rows": [fact_row(said.view, each) for each in facts_shown(said, page=page.number)],
    }


def fact_row(view: GraphView, change: FactChangeShown) -> dict[str, Any]:
    """One line: what it is about, and what is said on both sides."""
    return {
        "change": change,
        "class": class_shown(view, change.entity.class_name),
        "label": label_of(view, change),
        "before": side_told(change.kind, change.before),
        "after": side_told(change.kind, change.after),
    }


def label_of(view: GraphView, change: FactChangeShown) -> str:
    """The attribute or the relation in the reader's language; empty for an entity."""
    row = change.sides[-1].row
    if change.kind == "entity":
        return ""
    if change.kind == "relation":
        return labelled(view.skeleton.relations.get(row.type), row.type)
    declared = view.skeleton.classes.get(change.entity.class_name)
    return labelled(declared.attribute(row.name) if declared else None, row.name)


def side_told(kind: str, side: Side | None) -> dict[str, Any] | None:
    """The value or the other end, with the place that says so."""
    if side is None:
        return None
    told: dict[str, Any] = {"side": side, "text": "", "other": side.other, "attributes": {}}
    if kind == "attribute":
        other = side.other
        reference = Shown(other.id, other.name, other.class_name, 0, False) if other else None
        told["text"] = written(ValueShown(side.row, 0, (), False, reference))
    elif kind == "relation":
        told["attributes"] = {
            name: value.get("text") or value.get("value") for name, value in side.row.attributes.items()
        }
    return told


def cost_shown(spent: ReadingSpent | None) -> dict[str, Any] | None:
    """With words for purposes, and the price where prices are set."""
    if spent is None:
        return None
    settings = inference_settings()
    is_priced = any((settings.embedding_price, settings.llm_prompt_price, settings.llm_completion_price))
    return {
        "spent": spent,
        "rows": [(PURPOSES.get(total.purpose, total.purpose), total) for total in spent.totals],
        "price": spent.cost_micros / MICROS if is_priced or spent.cost_micros else None,
    }

"""REST for attribute values and relations: lists, adding by hand, and judging."""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.types import Subject
from common.api import ApiView, Pages, checked
from common.errors import NotFound
from ontology.api.entities import PlacesInput, revisions_of
from ontology.api.shapes import (
    PAGING,
    AttributeInput,
    JudgementInput,
    NodeOutput,
    PlacesOutput,
    QuoteOutput,
    RelationInput,
    RelationOutput,
)
from ontology.models import AttributeValue, Relation
from ontology.rights import graphs_for
from ontology.roots import is_loop_by_merge, members_of, roots_of
from ontology.selectors.entities import entity_for, shown
from ontology.selectors.quotes import NIL, places_of
from ontology.selectors.views import GraphView, condition, graph_view, number, view_of
from ontology.services.facts import attribute_add, attribute_judge, relation_add, relation_judge

RELATION, VALUE = '"ontology_relation"', '"ontology_attributevalue"'


class RelationPages(Pages):
    """The best supported first."""

    ordering = ("-seen_support", "-id")  # type: ignore[assignment]


class RelationFilter(serializers.Serializer[Any]):
    """What a list of relations is narrowed to."""

    type = serializers.CharField(max_length=100, required=False, default="", allow_blank=True)
    entity = serializers.UUIDField(required=False, allow_null=True, default=None)


class FactOutput(serializers.Serializer[Any]):
    """What a person said of a fact."""

    id = serializers.UUIDField(source="pk")
    confirmed = serializers.BooleanField(source="is_confirmed")
    rejected = serializers.BooleanField(source="is_rejected")


class RelationsView(ApiView):
    """/api/v1/graphs/{id}/relations/"""

    @extend_schema(
        operation_id="relations",
        parameters=[RelationFilter, *PAGING],
        responses=RelationOutput(many=True),
    )
    def get(self, request: Request, id: UUID) -> Response:
        """Relations of a graph, the best supported first; of one entity with `entity`."""
        view = graph_view(self.subject, id)
        given = checked(RelationFilter, request.query_params)
        rows = relations_seen(view)
        if given["type"]:
            rows = rows.filter(type=given["type"])
        if given["entity"]:
            _view, entity = entity_for(self.subject, given["entity"])
            root = roots_of([entity.pk])[entity.pk]
            members = members_of([root])[root]
            rows = rows.filter(Q(source__in=members) | Q(target__in=members))
        pages = RelationPages()
        page = pages.paginate_queryset(rows, request, view=self)
        return pages.get_paginated_response(relations_said(view, page))


class EntityAttributesView(ApiView):
    """/api/v1/entities/{id}/attributes/"""

    @extend_schema(operation_id="attribute_add", request=AttributeInput, responses={201: FactOutput})
    def post(self, request: Request, id: UUID) -> Response:
        """A value as a person writes it; with `instead_of` it corrects another."""
        entity_for(self.subject, id)
        given = checked(AttributeInput, request.data)
        value = attribute_add(
            subject=self.subject,
            entity_id=id,
            name=given["name"],
            raw=given["value"],
            instead_of=given["instead_of"],
            revision=given["revision"],
        )
        return Response(FactOutput(value).data, status=201)


class EntityRelationsView(ApiView):
    """/api/v1/entities/{id}/relations/"""

    @extend_schema(operation_id="relation_add", request=RelationInput, responses={201: FactOutput})
    def post(self, request: Request, id: UUID) -> Response:
        """A relation by a person's word, inside the skeleton."""
        entity_for(self.subject, id)
        given = checked(RelationInput, request.data)
        entity_for(self.subject, given["target"])
        ends = (given["target"], id) if given["incoming"] else (id, given["target"])
        relation = relation_add(
            subject=self.subject,
            source_id=ends[0],
            type=given["type"],
            target_id=ends[1],
            attributes=given["attributes"],
            revisions=revisions_of(id, given["revision"]),
        )
        return Response(FactOutput(relation).data, status=201)


class AttributeJudgeView(ApiView):
    """/api/v1/attributes/{id}/judge"""

    @extend_schema(operation_id="attribute_judge", request=JudgementInput, responses=FactOutput)
    def post(self, request: Request, id: UUID) -> Response:
        """Confirm or reject one value."""
        value_for(self.subject, id)
        given = checked(JudgementInput, request.data)
        value = attribute_judge(
            subject=self.subject, value_id=id, is_right=given["is_right"], revision=given["revision"]
        )
        return Response(FactOutput(value).data)


class RelationJudgeView(ApiView):
    """/api/v1/relations/{id}/judge"""

    @extend_schema(operation_id="relation_judge", request=JudgementInput, responses=FactOutput)
    def post(self, request: Request, id: UUID) -> Response:
        """Confirm or reject one relation; `revision` is that of its source."""
        _view, relation = relation_for(self.subject, id)
        given = checked(JudgementInput, request.data)
        relation = relation_judge(
            subject=self.subject,
            relation_id=id,
            is_right=given["is_right"],
            revisions=revisions_of(relation.source_id, given["revision"]),
        )
        return Response(FactOutput(relation).data)


class RelationPlacesView(ApiView):
    """/api/v1/relations/{id}/evidence/"""

    @extend_schema(operation_id="relation_evidence", parameters=[PlacesInput], responses=PlacesOutput)
    def get(self, request: Request, id: UUID) -> Response:
        """The places that say so, a page at a time."""
        view, relation = relation_for(self.subject, id)
        return Response(places_said(view, "relation", relation.pk, checked(PlacesInput, request.query_params)))


class AttributePlacesView(ApiView):
    """/api/v1/attributes/{id}/evidence/"""

    @extend_schema(operation_id="attribute_evidence", parameters=[PlacesInput], responses=PlacesOutput)
    def get(self, request: Request, id: UUID) -> Response:
        """The places that say so, a page at a time."""
        view, value = value_for(self.subject, id)
        return Response(places_said(view, "attribute", value.pk, checked(PlacesInput, request.query_params)))


def places_said(view: GraphView, kind: str, fact: UUID, given: dict[str, Any]) -> dict[str, Any]:
    found = places_of(view, kind, [fact], limit=given["limit"] + 1, after=given["after"] or NIL)[fact]
    results = [QuoteOutput(quote.said).data for quote in found[: given["limit"]]]
    return {"results": results, "next": results[-1]["id"] if len(found) > len(results) else None}


def relations_seen(view: GraphView) -> "QuerySet[Relation]":
    """Relations that exist and that the subject may know of, with `seen_support`."""
    seen, support = view.visible("relation", RELATION), view.support("relation", RELATION)
    rows = Relation.objects.filter(condition(seen), graph=view.graph)
    return rows.annotate(seen_support=number(support))


def relations_said(view: GraphView, rows: Sequence[Any]) -> list[dict[str, Any]]:
    """With their ends as readers see them; without those whose end they don't see, or whose ends a merge made one."""
    roots = roots_of(ends_of(rows))
    known = shown(view, set(roots.values()))
    return [
        {
            "id": str(row.pk),
            "source": NodeOutput(known[roots[row.source_id]]).data,
            "type": row.type,
            "target": NodeOutput(known[roots[row.target_id]]).data,
            "attributes": {name: said.get("value") for name, said in row.attributes.items()},
            "support": row.seen_support,
            "confirmed": row.is_confirmed,
        }
        for row in rows
        if {roots[row.source_id], roots[row.target_id]} <= known.keys()
        and not is_loop_by_merge(row.source_id, row.target_id, roots)
    ]


def ends_of(rows: Iterable[Any]) -> set[UUID]:
    return {end for row in rows for end in (row.source_id, row.target_id)}


def relation_for(subject: Subject, relation_id: UUID) -> tuple[GraphView, Relation]:
    """Editors find rejected ones too. Raises NotFound for one that the subject may not know of."""
    found = Relation.objects.filter(pk=relation_id, graph__in=graphs_for(subject)).select_related("graph__skeleton")
    for row in found:
        view = view_of(subject, row.graph)
        if view.may_edit or relations_seen(view).filter(pk=row.pk).exists():
            return view, row
    raise NotFound(_("There is no such relation, or you may not see it."))


def value_for(subject: Subject, value_id: UUID) -> tuple[GraphView, AttributeValue]:
    """Likewise."""
    rows = AttributeValue.objects.select_related("entity__graph__skeleton")
    for row in rows.filter(pk=value_id, entity__graph__in=graphs_for(subject)):
        view = view_of(subject, row.entity.graph)
        seen = view.visible("attribute", VALUE)
        if view.may_edit or AttributeValue.objects.filter(condition(seen), pk=row.pk).exists():
            return view, row
    raise NotFound(_("There is no such value, or you may not see it."))

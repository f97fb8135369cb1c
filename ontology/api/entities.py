"""REST for entities: lists, one with all that is known of it, its places, its neighbours, and as a file."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.utils.text import slugify
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.types import Subject
from common.api import ApiView, Pages, checked
from ontology.api.graphs import bounds_in
from ontology.api.shapes import (
    NARROWING,
    PAGING,
    EntityFilterInput,
    EntityInput,
    EntityNameInput,
    EntityOutput,
    EntityRow,
    GraphPictureOutput,
    PlacesOutput,
    QuoteOutput,
)
from ontology.export import entity_as_json, entity_as_markdown
from ontology.models import Entity
from ontology.roots import members_of
from ontology.selectors.entities import EntityFilter, entities_found, entity_for, root_of, shown
from ontology.selectors.entity import MENTIONS, Described, described, mentions_of
from ontology.selectors.pictures import around
from ontology.selectors.views import GraphView, graph_view
from ontology.services.facts import entity_add
from ontology.services.identity import entity_rename

FILTERS = [
    OpenApiParameter("q", str, description="part of the name or of another name"),
    OpenApiParameter("class", str),
    OpenApiParameter("state", str, enum=["confirmed", "found", "rejected"]),
    OpenApiParameter("min_support", int, description="places that name it, at least"),
    *PAGING,
]


class EntityPages(Pages):
    """The best supported first."""

    ordering = ("-seen_support", "-id")  # type: ignore[assignment]


class PlacesInput(serializers.Serializer[Any]):
    """Which page of places."""

    after = serializers.UUIDField(required=False, allow_null=True, default=None)
    limit = serializers.IntegerField(min_value=1, max_value=200, required=False, default=MENTIONS)


class ExportInput(serializers.Serializer[Any]):
    """As what."""

    kind = serializers.ChoiceField(["markdown", "json"], required=False, default="json")


def seen_root(subject: Subject, entity_id: UUID) -> tuple[GraphView, Entity]:
    """The one that readers see in this one's place. Raises NotFound."""
    view, entity = entity_for(subject, entity_id)
    root = root_of(view, entity)
    return view, root if root is not None else entity


def known(subject: Subject, entity_id: UUID) -> Described:
    return described(*seen_root(subject, entity_id))


class EntitiesView(ApiView):
    """/api/v1/graphs/{id}/entities/"""

    @extend_schema(operation_id="entities", parameters=FILTERS, responses=EntityRow(many=True))
    def get(self, request: Request, id: UUID) -> Response:
        """Entities of a graph, the best supported first."""
        view = graph_view(self.subject, id)
        given = checked(EntityFilterInput, request.query_params)
        wanted = EntityFilter(given["q"], given["class"], given["state"], given["min_support"])
        pages = EntityPages()
        page = pages.paginate_queryset(entities_found(view, wanted), request, view=self)
        return pages.get_paginated_response(rows_said(view, under_known_names(view, page)))

    @extend_schema(operation_id="entity_add", request=EntityInput, responses={201: EntityRow})
    def post(self, request: Request, id: UUID) -> Response:
        """One by hand; one that is there already is confirmed."""
        view = graph_view(self.subject, id)
        given = checked(EntityInput, request.data)
        entity = entity_add(subject=self.subject, graph_id=view.graph.pk, class_name=given["class"], name=given["name"])
        return Response(row_said(self.subject, entity.pk), status=201)


class EntityView(ApiView):
    """/api/v1/entities/{id}/"""

    @extend_schema(operation_id="entity", responses=EntityOutput)
    def get(self, request: Request, id: UUID) -> Response:
        """All that is known of it; a merged one is answered with the one that it was merged into."""
        return Response(entity_as_json(known(self.subject, id)))

    @extend_schema(operation_id="entity_rename", request=EntityNameInput, responses=EntityRow)
    def patch(self, request: Request, id: UUID) -> Response:
        """Another name."""
        entity_for(self.subject, id)
        given = checked(EntityNameInput, request.data)
        entity_rename(
            subject=self.subject, entity_id=id, name=given["name"], revisions=revisions_of(id, given["revision"])
        )
        return Response(row_said(self.subject, id))


class EntityPlacesView(ApiView):
    """/api/v1/entities/{id}/evidence/"""

    @extend_schema(operation_id="entity_evidence", parameters=[PlacesInput], responses=PlacesOutput)
    def get(self, request: Request, id: UUID) -> Response:
        """The places that name it, a page at a time."""
        view, root = seen_root(self.subject, id)
        given = checked(PlacesInput, request.query_params)
        members = members_of([root.pk])[root.pk]
        found = mentions_of(view, members, after=given["after"], limit=given["limit"] + 1)
        more = len(found) > given["limit"]
        results = [QuoteOutput(quote.said).data for quote in found[: given["limit"]]]
        return Response({"results": results, "next": results[-1]["id"] if more else None})


class EntityNeighboursView(ApiView):
    """/api/v1/entities/{id}/neighbours"""

    @extend_schema(operation_id="entity_neighbours", parameters=NARROWING, responses=GraphPictureOutput)
    def get(self, request: Request, id: UUID) -> Response:
        """Those it has relations to, the best supported first, and the relations among them."""
        view, root = seen_root(self.subject, id)
        return Response(GraphPictureOutput(around(view, root.pk, bounds_in(request))).data)


class EntityExportView(ApiView):
    """/api/v1/entities/{id}/export"""

    @extend_schema(
        operation_id="entity_export",
        parameters=[ExportInput],
        responses={(200, "application/json"): EntityOutput, (200, "text/markdown"): OpenApiTypes.STR},
    )
    def get(self, request: Request, id: UUID) -> HttpResponse:
        """All that is known of it, as a file."""
        kind = checked(ExportInput, request.query_params)["kind"]
        found = known(self.subject, id)
        name = slugify(found.name, allow_unicode=False)[:80] or "entity"
        if kind == "json":
            return as_file(Response(entity_as_json(found)), f"{name}.json")
        text = entity_as_markdown(found)
        return as_file(HttpResponse(text, content_type="text/markdown; charset=utf-8"), f"{name}.md")


def as_file(response: HttpResponse, name: str) -> HttpResponse:
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def revisions_of(entity_id: UUID, revision: int | None) -> dict[UUID, int] | None:
    return {entity_id: revision} if revision is not None else None


def row_said(subject: Subject, entity_id: UUID) -> dict[str, Any]:
    """As it is now."""
    view, root = seen_root(subject, entity_id)
    return rows_said(view, [root])[0]


def rows_said(view: GraphView, rows: Sequence[Entity]) -> list[dict[str, Any]]:
    return [dict(EntityRow(row, context={"skeleton": view.skeleton}).data) for row in rows]


def under_known_names(view: GraphView, rows: list[Entity]) -> list[Entity]:
    """Under names that the subject may know."""
    if not view.sees_all and not view.may_edit:
        names = {pk: each.name for pk, each in shown(view, [row.pk for row in rows]).items()}
        for row in rows:
            row.name = names.get(row.pk, row.name)
    return rows

"""REST for graphs: which there are, the skeleton each grows along, the strongest of it as a picture, and the way between two entities."""

from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from common.api import ApiView, Pages, checked
from common.errors import NotFound
from ontology.api.shapes import (
    NARROWING,
    PAGING,
    GraphOutput,
    GraphPictureOutput,
    NarrowingInput,
    PathOutput,
    SkeletonOutput,
)
from ontology.selectors.entities import counts_by_class, entity_for, root_of
from ontology.selectors.paths import path_between
from ontology.selectors.pictures import Bounds, strongest
from ontology.selectors.views import GraphView, bases_in, graph_view, graphs_found, view_of
from ontology.types import CompiledSkeleton


class PathInput(serializers.Serializer[Any]):
    """Between whom."""

    source = serializers.UUIDField()  # type: ignore[assignment]
    target = serializers.UUIDField()
    relation = serializers.ListField(child=serializers.CharField(max_length=100), required=False, default=list)


class GraphPages(Pages):
    """By name."""

    ordering = ("name", "id")  # type: ignore[assignment]


class GraphsView(ApiView):
    """/api/v1/graphs/"""

    @extend_schema(
        operation_id="graphs",
        parameters=[OpenApiParameter("kb", str, description="slug of a knowledge base that feeds it"), *PAGING],
        responses=GraphOutput(many=True),
    )
    def get(self, request: Request) -> Response:
        """The graphs that you may look at."""
        pages = GraphPages()
        found = graphs_found(self.subject, kb=request.query_params.get("kb", ""))
        page = pages.paginate_queryset(found, request, view=self)
        return pages.get_paginated_response([graph_said(view_of(self.subject, graph)) for graph in page])


class OneGraphView(ApiView):
    """/api/v1/graphs/{id}/"""

    @extend_schema(operation_id="graph", responses=GraphOutput)
    def get(self, request: Request, id: UUID) -> Response:
        """One."""
        return Response(graph_said(graph_view(self.subject, id)))


class SkeletonView(ApiView):
    """/api/v1/graphs/{id}/skeleton"""

    @extend_schema(operation_id="graph_skeleton", responses=SkeletonOutput)
    def get(self, request: Request, id: UUID) -> Response:
        """The skeleton in use, as it was written and as it is understood."""
        version = graph_view(self.subject, id).graph.skeleton
        assert version is not None  # the view is of a graph that has one
        compiled = plain(graph_view(self.subject, id).skeleton)
        return Response(
            {"number": version.number, "fingerprint": version.fingerprint, "text": version.text, "compiled": compiled}
        )


class PictureView(ApiView):
    """/api/v1/graphs/{id}/picture"""

    @extend_schema(operation_id="graph_picture", parameters=NARROWING, responses=GraphPictureOutput)
    def get(self, request: Request, id: UUID) -> Response:
        """The strongest of it: entities in the order of their best supported relations."""
        return Response(GraphPictureOutput(strongest(graph_view(self.subject, id), bounds_in(request))).data)


class PathView(ApiView):
    """/api/v1/graphs/{id}/path"""

    @extend_schema(operation_id="graph_path", parameters=[PathInput], responses=PathOutput)
    def get(self, request: Request, id: UUID) -> Response:
        """The shortest way between two entities, at most six relations long."""
        view = graph_view(self.subject, id)
        given = checked(PathInput, request.query_params)
        source, target = (root_in(self.subject, view, given[end]) for end in ("source", "target"))
        found = path_between(view, source, target, relations=tuple(given["relation"]))
        nodes, edges = (found.nodes, found.edges) if found else ((), ())
        return Response(PathOutput({"found": found is not None, "nodes": nodes, "edges": edges}).data)


def root_in(subject: Any, view: GraphView, entity_id: UUID) -> UUID:
    """Of an entity of this graph. Raises NotFound."""
    _view, entity = entity_for(subject, entity_id)
    root = root_of(view, entity) if entity.graph_id == view.graph.pk else None
    if root is None:
        raise NotFound(_("There is no such entity, or you may not see it."))
    return root.pk


def bounds_in(request: Request) -> Bounds:
    given = checked(NarrowingInput, request.query_params)
    return Bounds(tuple(given["class"]), tuple(given["relation"]), given["limit"])


def graph_said(view: GraphView) -> dict[str, Any]:
    return {
        "id": str(view.graph.pk),
        "name": view.graph.name,
        "knowledge_bases": [kb.slug for kb in bases_in(view)],
        "skeleton": view.graph.skeleton.number if view.graph.skeleton else 0,
        "may_edit": view.may_edit,
        "classes": counts_by_class(view),
    }


def plain(skeleton: CompiledSkeleton) -> dict[str, Any]:
    """As JSON: patterns as they are written, sets as lists."""
    return {
        "title": skeleton.title,
        "classes": {name: as_json(asdict(each)) for name, each in skeleton.classes.items()},
        "relations": {name: as_json(asdict(each)) for name, each in skeleton.relations.items()},
    }


def as_json(value: Any) -> Any:
    match value:
        case dict():
            return {str(name): as_json(inner) for name, inner in value.items()}
        case list() | tuple():
            return [as_json(inner) for inner in value]
        case set() | frozenset():
            return sorted(map(str, value))
        case str() | int() | float() | None:
            return value
    return str(getattr(value, "pattern", value))

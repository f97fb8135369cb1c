"""REST for communities: entities that belong together, level by level."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from common.api import ApiView, checked
from ontology.api.shapes import QuoteOutput
from ontology.selectors.communities import LIMIT, communities_for, community_said

LIMIT_MAX, LEVEL_MAX = 200, 100


class CommunitiesInput(serializers.Serializer[Any]):
    """Which level, 0 for the coarsest, and how many, the largest first."""

    level = serializers.IntegerField(min_value=0, max_value=LEVEL_MAX, required=False, default=0)
    limit = serializers.IntegerField(min_value=1, max_value=LIMIT_MAX, required=False, default=LIMIT)


class CommunityEntityOutput(serializers.Serializer[Any]):
    """One of its most central entities."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    support = serializers.IntegerField()

    def get_fields(self) -> dict[str, Any]:
        return super().get_fields() | {"class": serializers.CharField()}


class CommunityQuoteOutput(QuoteOutput):
    """A place that tells of it, with the sentence around."""

    sentence = serializers.CharField()


class CommunityOutput(serializers.Serializer[Any]):
    """Entities that belong together; `by_model` says whose words title and summary are, else they are names and quotations. `parent` is the one of the level above that holds it."""

    id = serializers.UUIDField()
    level = serializers.IntegerField()
    parent = serializers.UUIDField(allow_null=True)  # type: ignore[assignment]
    title = serializers.CharField()
    summary = serializers.CharField()
    by_model = serializers.BooleanField()
    size = serializers.IntegerField(help_text="entities in it that you may know of")
    entities = CommunityEntityOutput(many=True)
    evidence = CommunityQuoteOutput(many=True)


class CommunitiesOutput(serializers.Serializer[Any]):
    """The communities of one level; `is_cut` when there are more than was asked for."""

    results = CommunityOutput(many=True)
    is_cut = serializers.BooleanField()


class CommunitiesView(ApiView):
    """/api/v1/graphs/{id}/communities"""

    @extend_schema(operation_id="graph_communities", parameters=[CommunitiesInput], responses=CommunitiesOutput)
    def get(self, request: Request, id: UUID) -> Response:
        """Communities of one level, the largest first; only what you may know of."""
        given = checked(CommunitiesInput, request.query_params)
        found, is_cut = communities_for(self.subject, id, given["level"], limit=given["limit"])
        return Response({"results": [community_said(each) for each in found], "is_cut": is_cut})

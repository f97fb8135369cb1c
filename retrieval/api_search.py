"""POST /api/v1/search: the chunks that fit best, with every arm's rank and score."""

from typing import Any

from asgiref.sync import sync_to_async
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import Scope
from common.errors import Forbidden, InvalidInput
from retrieval.api_ask import FiltersInput, filters_from
from retrieval.asking import question_from
from retrieval.door import asubject_at, body_of, endpoint
from retrieval.search import search
from retrieval.selectors import view_for
from retrieval.tools import tools


class SearchInput(serializers.Serializer[Any]):
    """What to look for."""

    question = serializers.CharField(trim_whitespace=True, max_length=2000)
    knowledge_bases = serializers.ListField(child=serializers.CharField(), required=False, default=list)
    filters = FiltersInput(required=False)
    limit = serializers.IntegerField(required=False, default=10, min_value=1, max_value=100)
    arms = serializers.ListField(child=serializers.CharField(), required=False, default=list)


class SearchHit(serializers.Serializer[Any]):
    """A chunk that was found."""

    rank = serializers.IntegerField()
    score = serializers.FloatField()
    document = serializers.UUIDField()
    title = serializers.CharField()
    path = serializers.CharField()
    version = serializers.IntegerField()
    chunk = serializers.UUIDField()
    kind = serializers.CharField()
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    page = serializers.IntegerField(allow_null=True)
    heading_path = serializers.ListField(child=serializers.CharField())
    text = serializers.CharField()
    arms = serializers.DictField(child=serializers.DictField())


class SearchOutput(serializers.Serializer[Any]):
    """Hits, the best first."""

    hits = SearchHit(many=True)
    degraded = serializers.ListField(child=serializers.CharField())
    stages = serializers.ListField(child=serializers.DictField())


class SearchView(APIView):
    """Describes the endpoint."""

    @extend_schema(operation_id="search", request=SearchInput, responses=SearchOutput)
    def post(self, request: Any) -> Response:
        """Search without answering."""
        raise NotImplementedError


@endpoint(SearchView)
async def search_endpoint(request: HttpRequest) -> HttpResponseBase:
    """Check, search, answer."""
    subject = await asubject_at(request)
    if not (subject.may(Scope.READ) or subject.may(Scope.ASK)):
        raise Forbidden(_("This key may not search."))
    body = body_of(request, SearchInput)
    used = tools()
    known = {arm.name for arm in used.arms}
    if unknown := set(body["arms"]) - known:
        raise InvalidInput(_("There is no arm “%(name)s”.") % {"name": min(unknown)})
    view = await sync_to_async(view_for)(
        subject, slugs=body["knowledge_bases"], filters=filters_from(body.get("filters"))
    )
    question = question_from(body["question"], subject)
    result = await search(question, view, used, limit=body["limit"], arms=set(body["arms"]) or None)
    return JsonResponse(result.as_dict(), json_dumps_params={"ensure_ascii": False})

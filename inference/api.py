"""REST for the bill: usage by month, department and purpose."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from common.api import ApiView, checked
from inference.usage import usage_totals


class UsageInput(serializers.Serializer[Any]):
    """Which days (both included), and whose."""

    since = serializers.DateField(required=False, default=None)
    until = serializers.DateField(required=False, default=None)
    department = serializers.UUIDField(required=False, default=None)


class UsageRow(serializers.Serializer[Any]):
    """One month of one department for one purpose."""

    month = serializers.DateField()
    department_id = serializers.UUIDField(allow_null=True)
    department = serializers.CharField(allow_null=True)
    purpose = serializers.CharField()
    calls = serializers.IntegerField()
    prompt_tokens = serializers.IntegerField()
    completion_tokens = serializers.IntegerField()
    cost_micros = serializers.IntegerField()


@extend_schema_serializer(many=False)
class UsageOutput(serializers.Serializer[Any]):
    """Totals, the newest month first."""

    results = UsageRow(many=True)


class UsageView(ApiView):
    """/api/v1/usage"""

    @extend_schema(operation_id="usage", parameters=[UsageInput], responses=UsageOutput)
    def get(self, request: Request) -> Response:
        """Tokens and cost. Administrators and operators see all departments, managers theirs; others nothing."""
        given = checked(UsageInput, request.query_params.dict())
        totals = usage_totals(
            self.subject, since=given["since"], until=given["until"], department_id=given["department"]
        )
        return Response({"results": UsageRow([asdict(total) for total in totals], many=True).data})

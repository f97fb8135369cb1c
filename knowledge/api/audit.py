"""REST for the record of who did what: pages, and all of it as CSV."""

import csv
from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import AuditEvent
from common.api import ApiView, Pages, checked
from common.streaming import SentText
from knowledge.api.bases import PAGING
from knowledge.selectors.audit import CSV_ROWS, AuditFilter, csv_rows, events_for


class AuditInput(serializers.Serializer[Any]):
    """Who (part of the name), what (the beginning of the action, or part of what it was done to), kind of thing, days (both included), knowledge base."""

    who = serializers.CharField(required=False, allow_blank=True, default="", max_length=200)
    what = serializers.CharField(required=False, allow_blank=True, default="", max_length=200)
    kind = serializers.CharField(required=False, allow_blank=True, default="", max_length=50)
    kb = serializers.CharField(required=False, allow_blank=True, default="", max_length=80)
    since = serializers.DateField(required=False, default=None)
    until = serializers.DateField(required=False, default=None)


class AuditOutput(serializers.ModelSerializer[AuditEvent]):
    """One change."""

    class Meta:
        model = AuditEvent
        fields = (
            "id",
            "at",
            "actor",
            "user_id",
            "key_id",
            "action",
            "target_type",
            "target_id",
            "target",
            "kb_id",
            "department_id",
            "before",
            "after",
            "request_id",
        )


class AuditView(ApiView):
    """/api/v1/audit/"""

    @extend_schema(operation_id="audit", parameters=[AuditInput, *PAGING], responses=AuditOutput(many=True))
    def get(self, request: Request) -> Response:
        """The newest first. Administrators see all of it, managers and owners what concerns theirs."""
        wanted = AuditFilter(**checked(AuditInput, request.query_params.dict()))
        return Pages().paged(events_for(self.subject, wanted), self, AuditOutput)


class AuditCsvView(ApiView):
    """/api/v1/audit.csv"""

    @extend_schema(operation_id="audit_csv", parameters=[AuditInput], responses={(200, "text/csv"): OpenApiTypes.STR})
    def get(self, request: Request) -> SentText:
        """The same as CSV for a spreadsheet, at most 100,000 events."""
        wanted = AuditFilter(**checked(AuditInput, request.query_params.dict()))
        return csv_answer(events_for(self.subject, wanted))


class Echo:
    """A file that gives back what is written to it."""

    def write(self, text: str) -> str:
        return text


def csv_answer(events: QuerySet[AuditEvent]) -> SentText:
    """The events as a download; begins with a byte order mark, or spreadsheets read Chinese wrongly."""
    response = SentText(csv_lines(events), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="audit.csv"'
    response["Cache-Control"] = "private, no-store"
    return response


def csv_lines(events: QuerySet[AuditEvent]) -> Iterator[str]:
    writer = csv.writer(Echo())
    yield "\ufeff"
    for row in csv_rows(events[:CSV_ROWS].iterator(chunk_size=500)):
        yield str(writer.writerow(row))

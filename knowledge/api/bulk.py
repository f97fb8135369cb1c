"""REST for many documents of a knowledge base at once: one change to all of them, and reading them again."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from common.api import ApiView, checked
from knowledge.api.documents import edits_in
from knowledge.models import Role
from knowledge.selectors.bases import base_named
from knowledge.services.documents import BulkEdit, documents_edit
from knowledge.services.reading import documents_reread


class BulkInput(serializers.Serializer[Any]):
    """The same change to many documents."""

    documents = serializers.ListField(child=serializers.UUIDField(), min_length=1, max_length=5000)
    folder = serializers.CharField(required=False, allow_null=True, allow_blank=True, default=None, max_length=800)
    add_tags = serializers.ListField(child=serializers.CharField(max_length=100), required=False, default=list)
    remove_tags = serializers.ListField(child=serializers.CharField(max_length=100), required=False, default=list)
    source_url = serializers.CharField(required=False, allow_blank=True, max_length=2000)
    effective_on = serializers.DateField(required=False, allow_null=True)
    expires_on = serializers.DateField(required=False, allow_null=True)
    owner = serializers.CharField(required=False, allow_null=True, max_length=150)


class BulkEditView(ApiView):
    """/api/v1/knowledge-bases/{slug}/documents/edit"""

    @extend_schema(operation_id="documents_edit", request=BulkInput, responses=dict)
    def post(self, request: Request, slug: str) -> Response:
        """One change to many documents, all or none."""
        given = checked(BulkInput, request.data)
        fields: dict[str, Any] = {
            name: given[name] for name in ("source_url", "effective_on", "expires_on", "owner") if name in given
        }
        change = BulkEdit(
            fields=edits_in(fields),
            folder=given["folder"],
            add_tags=given["add_tags"],
            remove_tags=given["remove_tags"],
        )
        kb = base_named(self.subject, slug, least=Role.EDITOR)
        changed = documents_edit(subject=self.subject, kb_id=kb.pk, documents=given["documents"], change=change)
        return Response({"changed": changed})


class RereadInput(serializers.Serializer[Any]):
    """Which documents (none named: all), and whether also those whose parser has not changed."""

    documents = serializers.ListField(child=serializers.UUIDField(), required=False, default=list, max_length=5000)
    force = serializers.BooleanField(required=False, default=False)


class RereadView(ApiView):
    """/api/v1/knowledge-bases/{slug}/reread"""

    @extend_schema(operation_id="documents_reread", request=RereadInput, responses=dict)
    def post(self, request: Request, slug: str) -> Response:
        """Read documents again from their originals, where the parser has become newer."""
        given = checked(RereadInput, request.data)
        kb = base_named(self.subject, slug, least=Role.EDITOR)
        job = documents_reread(subject=self.subject, kb=kb, documents=given["documents"], force=given["force"])
        return Response({"job": str(job.pk) if job else None}, status=202 if job else 200)

"""REST for the bin: put a document into it, take it out again, empty it."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from common.api import ApiView, checked
from knowledge.api.documents import DocumentOutput, document_with
from knowledge.models import Role
from knowledge.selectors.bases import base_named
from knowledge.selectors.documents import bin_for
from knowledge.services.bin import document_bin, document_restore
from knowledge.services.purging import purge_start
from knowledge.tools import tools


class DocumentBinView(ApiView):
    """/api/v1/documents/{id}/bin"""

    @extend_schema(operation_id="document_bin", request=None, responses=DocumentOutput)
    def post(self, request: Request, id: UUID) -> Response:
        """Put it into the bin: it is found by nobody, and can be restored."""
        document = document_with(self.subject, id, binned=True)
        return Response(DocumentOutput(document_bin(subject=self.subject, document=document, tools=tools())).data)


class DocumentRestoreView(ApiView):
    """/api/v1/documents/{id}/restore"""

    @extend_schema(operation_id="document_restore", request=None, responses=DocumentOutput)
    def post(self, request: Request, id: UUID) -> Response:
        """Take it out of the bin again."""
        document = document_with(self.subject, id, binned=True)
        return Response(DocumentOutput(document_restore(subject=self.subject, document=document, tools=tools())).data)


class PurgeInput(serializers.Serializer[Any]):
    """Which documents of the bin; none named: all of it."""

    documents = serializers.ListField(child=serializers.UUIDField(), required=False, default=list, max_length=5000)


class BinView(ApiView):
    """/api/v1/knowledge-bases/{slug}/bin/empty"""

    @extend_schema(operation_id="bin_empty", request=PurgeInput, responses=dict)
    def post(self, request: Request, slug: str) -> Response:
        """Delete what is in the bin for good; can't be undone. Answers with the job."""
        given = checked(PurgeInput, request.data)
        kb = base_named(self.subject, slug, least=Role.EDITOR)
        documents = bin_for(self.subject, kb=slug)
        if given["documents"]:
            documents = documents.filter(pk__in=given["documents"])
        job = purge_start(subject=self.subject, kb=kb, documents=list(documents))
        return Response({"job": str(job.pk)}, status=202)

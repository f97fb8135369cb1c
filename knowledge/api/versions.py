"""REST for versions: what one is, its text and its original."""

from uuid import UUID

from django.http import FileResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from common.api import ApiView
from knowledge.models import Version
from knowledge.selectors.documents import version_for
from knowledge.sending import send_original


class VersionOutput(serializers.ModelSerializer[Version]):
    """One reading of a document."""

    original = serializers.CharField(source="original.name")
    size_bytes = serializers.IntegerField(source="original.size_bytes")

    class Meta:
        model = Version
        fields = (
            "id",
            "number",
            "title",
            "parser",
            "language",
            "length",
            "notices",
            "original",
            "size_bytes",
            "created_at",
            "published_at",
        )


class TextView(ApiView):
    """/api/v1/versions/{id}/text"""

    @extend_schema(operation_id="version_text", responses=dict)
    def get(self, request: Request, id: UUID) -> Response:
        """The canonical text; offsets everywhere count its code points."""
        version = version_for(self.subject, id)
        return Response({"document": version.document_id, "version": version.number, "text": version.text})


class OriginalView(ApiView):
    """/api/v1/versions/{id}/original"""

    @extend_schema(operation_id="version_original", responses={200: OpenApiTypes.BINARY})
    def get(self, request: Request, id: UUID) -> FileResponse:
        """The bytes as they came, always as a download."""
        return send_original(version_for(self.subject, id).original, as_download=True)

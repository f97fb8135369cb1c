"""REST for chunks: the passages of a version, and the switch of each."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from common.api import ApiView, Pages, checked
from knowledge.api.bases import PAGING
from knowledge.models import Chunk
from knowledge.selectors.documents import chunk_for, chunks_of, version_for
from knowledge.services.chunks import chunk_switch
from knowledge.tools import tools


class ChunkPages(Pages):
    """In reading order."""

    ordering = ("ordinal", "id")  # type: ignore[assignment]


class ChunkOutput(serializers.ModelSerializer[Chunk]):
    """A passage; `text` is the version's text from `start` to `end`."""

    class Meta:
        model = Chunk
        fields = (
            "id",
            "document",
            "version",
            "ordinal",
            "kind",
            "start",
            "end",
            "page",
            "context",
            "text",
            "tokens",
            "is_disabled",
        )


class SwitchInput(serializers.Serializer[Any]):
    """Off (true) or on."""

    is_disabled = serializers.BooleanField()


class ChunksView(ApiView):
    """/api/v1/versions/{id}/chunks/"""

    @extend_schema(operation_id="chunks", parameters=PAGING, responses=ChunkOutput(many=True))
    def get(self, request: Request, id: UUID) -> Response:
        """The chunks of a version."""
        pages = ChunkPages()
        page = pages.paginate_queryset(chunks_of(version_for(self.subject, id)), request, view=self)
        return pages.get_paginated_response(ChunkOutput(page, many=True).data)


class ChunkView(ApiView):
    """/api/v1/chunks/{id}"""

    @extend_schema(operation_id="chunk", responses=ChunkOutput)
    def get(self, request: Request, id: UUID) -> Response:
        """One chunk."""
        return Response(ChunkOutput(chunk_for(self.subject, id)).data)

    @extend_schema(operation_id="chunk_switch", request=SwitchInput, responses=ChunkOutput)
    def patch(self, request: Request, id: UUID) -> Response:
        """Switch it off or on; it stays so in later versions while its content is the same."""
        given = checked(SwitchInput, request.data)
        chunk = chunk_for(self.subject, id)
        switched = chunk_switch(subject=self.subject, chunk=chunk, is_disabled=given["is_disabled"], tools=tools())
        return Response(ChunkOutput(switched).data)

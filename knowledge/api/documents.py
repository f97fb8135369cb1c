"""REST for documents: the lists, one document, and what an editor may set of it."""

from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from common.api import ApiView, Pages, checked
from common.errors import NotFound
from knowledge.api.bases import PAGING, user_called
from knowledge.api.versions import VersionOutput
from knowledge.models import Document, DocumentState
from knowledge.selectors.bases import base_named
from knowledge.selectors.documents import (
    DocumentFilter,
    bin_for,
    documents_for,
    documents_found,
    versions_of,
)
from knowledge.services.documents import document_edit

OF_BASE = OpenApiParameter("kb", str, description="slug of a knowledge base")
FILTERS = [
    OpenApiParameter("folder", str, description="this folder and what is below it"),
    OpenApiParameter("tag", str, many=True),
    OpenApiParameter("q", str, description="part of the title or path"),
    OpenApiParameter("state", str, enum=["live", "binned"]),
    OpenApiParameter("reading", str, enum=["failed", "cancelled", "unfinished", "done"]),
    OpenApiParameter("owner", str, description="user name"),
    OpenApiParameter("language", str),
    OpenApiParameter("expired", bool),
    *PAGING,
]


class DocumentPages(Pages):
    """Last changed first."""

    ordering = ("-updated_at", "-id")  # type: ignore[assignment]


class DocumentOutput(serializers.ModelSerializer[Document]):
    """A document; `version` is the one that readers see, null until its first reading is done."""

    knowledge_base = serializers.CharField(source="kb.slug")
    owner = serializers.CharField(source="owner.username", default=None)
    version = serializers.IntegerField(source="live_version.number", default=None)

    class Meta:
        model = Document
        fields = (
            "id",
            "knowledge_base",
            "path",
            "folder",
            "title",
            "tags",
            "owner",
            "source_url",
            "effective_on",
            "expires_on",
            "language",
            "state",
            "version",
            "created_at",
            "updated_at",
        )


class FilterInput(serializers.Serializer[Any]):
    """What a list is narrowed to."""

    kb = serializers.CharField(required=False, default="", allow_blank=True, max_length=100)
    folder = serializers.CharField(required=False, default="", allow_blank=True, max_length=1000)
    tag = serializers.ListField(child=serializers.CharField(max_length=100), required=False, default=list)
    q = serializers.CharField(required=False, default="", allow_blank=True, max_length=500)
    state = serializers.ChoiceField(["live", "binned"], required=False, default="live")
    reading = serializers.ChoiceField(
        ["", "failed", "cancelled", "unfinished", "done"], required=False, default="", allow_blank=True
    )
    owner = serializers.CharField(required=False, default=None, max_length=150)
    language = serializers.CharField(required=False, default="", allow_blank=True, max_length=10)
    expired = serializers.BooleanField(required=False, default=None, allow_null=True)


class EditInput(serializers.Serializer[Any]):
    """What an editor may set; null or "" empties a field."""

    title = serializers.CharField(required=False, allow_blank=True, max_length=500)
    path = serializers.CharField(required=False, max_length=800)
    tags = serializers.ListField(child=serializers.CharField(max_length=100), required=False, max_length=100)
    source_url = serializers.CharField(required=False, allow_blank=True, max_length=2000)
    effective_on = serializers.DateField(required=False, allow_null=True)
    expires_on = serializers.DateField(required=False, allow_null=True)
    owner = serializers.CharField(required=False, allow_null=True, max_length=150)


def document_with(subject: Any, id: UUID, *, binned: bool = False) -> Document:
    """A document in use (or, for editors, in the bin). Raises NotFound."""
    found = documents_for(subject).filter(pk=id).first()
    if found is None and binned:
        found = bin_for(subject).filter(pk=id).first()
    if found is None:
        raise NotFound(_("There is no such document, or you may not see it."))
    return found


def edits_in(given: dict[str, Any]) -> dict[str, Any]:
    """Names of people as people."""
    return {**given, "owner": user_called(given["owner"])} if "owner" in given else given


class DocumentsView(ApiView):
    """/api/v1/documents/ and /api/v1/knowledge-bases/{slug}/documents/"""

    @extend_schema(operation_id="documents", parameters=[OF_BASE, *FILTERS], responses=DocumentOutput(many=True))
    def get(self, request: Request, slug: str = "") -> Response:
        """Documents you may read; with state=binned what lies in the bins that you edit."""
        query = request.query_params
        given = checked(FilterInput, {**query.dict(), "tag": query.getlist("tag")})
        slug = slug or given["kb"]
        if slug:
            base_named(self.subject, slug)
        owner = user_called(given["owner"])
        wanted = DocumentFilter(
            kb=slug,
            folder=given["folder"],
            tags=tuple(given["tag"]),
            reading=given["reading"],
            q=given["q"],
            owner_id=owner.pk if owner else None,
            language=given["language"],
            expired=given["expired"],
        )
        is_bin = given["state"] == DocumentState.BINNED
        found = bin_for(self.subject, kb=slug) if is_bin else documents_found(self.subject, wanted)
        pages = DocumentPages()
        page = pages.paginate_queryset(found, request, view=self)
        return pages.get_paginated_response(DocumentOutput(page, many=True).data)


class BaseDocumentsView(DocumentsView):
    """/api/v1/knowledge-bases/{slug}/documents/: the list; uploads are taken here too (see `uploads`)."""

    @extend_schema(operation_id="documents_of_base", parameters=FILTERS, responses=DocumentOutput(many=True))
    def get(self, request: Request, slug: str = "") -> Response:
        """Documents of one knowledge base."""
        return super().get(request, slug)


class DocumentView(ApiView):
    """/api/v1/documents/{id}/"""

    @extend_schema(operation_id="document", responses=DocumentOutput)
    def get(self, request: Request, id: UUID) -> Response:
        """One document with its versions."""
        document = document_with(self.subject, id, binned=True)
        return Response(
            {**DocumentOutput(document).data, "versions": VersionOutput(versions_of(document), many=True).data}
        )

    @extend_schema(operation_id="document_edit", request=EditInput, responses=DocumentOutput)
    def patch(self, request: Request, id: UUID) -> Response:
        """Set its title, path, tags, owner, source or dates."""
        changes = edits_in(checked(EditInput, request.data))
        document = document_with(self.subject, id)
        return Response(DocumentOutput(document_edit(subject=self.subject, document=document, changes=changes)).data)

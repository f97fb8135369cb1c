"""REST for uploads: at once, or first staged and looked at. Files come as multipart, texts as JSON."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.files.uploadedfile import TemporaryUploadedFile
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from common.bodies import JsonParser
from common.errors import InvalidInput
from knowledge.api.documents import BaseDocumentsView
from knowledge.api.jobs import job_dict
from knowledge.models import Role, Upload
from knowledge.selectors.bases import base_named
from knowledge.selectors.jobs import job_progress
from knowledge.selectors.uploads import PlannedFile, upload_for, upload_plan
from knowledge.services.uploads import upload, upload_commit, upload_discard, upload_stage
from knowledge.tools import tools
from knowledge.uploading import IncomingFile

KEY = OpenApiParameter(
    "Idempotency-Key", str, OpenApiParameter.HEADER, description="the same key and files give the same job"
)
LONGEST_KEY = 200


class TextInput(serializers.Serializer[Any]):
    """A document as text (Markdown)."""

    path = serializers.CharField(max_length=800)
    text = serializers.CharField(trim_whitespace=False, allow_blank=True, max_length=5_000_000)
    title = serializers.CharField(required=False, allow_blank=True, default="", max_length=500)
    tags = serializers.ListField(child=serializers.CharField(max_length=100), required=False, default=list)
    source_url = serializers.CharField(required=False, allow_blank=True, default="", max_length=2000)
    effective_on = serializers.DateField(required=False, allow_null=True, default=None)
    expires_on = serializers.DateField(required=False, allow_null=True, default=None)


class UploadInput(serializers.Serializer[Any]):
    """As JSON: `documents`. As multipart: `files`, and where they come from a folder one `paths` for each, in order."""

    documents = TextInput(many=True, required=False)
    files = serializers.ListField(child=serializers.FileField(), required=False)
    paths = serializers.ListField(child=serializers.CharField(max_length=800), required=False)
    upload = serializers.UUIDField(required=False, help_text="staging only: the batch that these files join")


def files_in(request: Request) -> list[IncomingFile]:
    """What the request carries. Raises InvalidInput when that is nothing."""
    found = list(uploaded(request)) if request.content_type.startswith("multipart/") else list(texts(request.data))
    if not found:
        raise InvalidInput(_("Send at least one file as `files`, or JSON with `documents`."))
    return found


def uploaded(request: Request) -> Iterator[IncomingFile]:
    """The files of a multipart request, with their paths."""
    files = request.FILES.getlist("files")
    form: Any = request.data
    paths = form.getlist("paths") if "paths" in form else []
    if paths and len(paths) != len(files):
        raise InvalidInput(_("Send as many `paths` as `files`, in the same order, or none."))
    said = metadata_in(form.get("metadata", ""))
    for number, file in enumerate(files):
        path = str(paths[number] if paths else file.name)
        yield IncomingFile(path, content_of(file), said=said.get(path, {}))


def content_of(file: Any) -> Path | bytes:
    """The file on disk, where Django has put it."""
    return Path(file.temporary_file_path()) if isinstance(file, TemporaryUploadedFile) else file.read()


def metadata_in(text: str) -> dict[str, dict[str, Any]]:
    """The field `metadata`: a JSON object from path to fields."""
    try:
        found = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not all(isinstance(fields, dict) for fields in found.values()):
        raise InvalidInput(_("`metadata` must be a JSON object from path to fields such as title and tags."))
    return found


def texts(data: Any) -> Iterator[IncomingFile]:
    """The documents of a JSON request; one alone needs no list."""
    rows = data.get("documents", [data]) if isinstance(data, dict) else data
    given = TextInput(data=rows, many=True)
    given.is_valid(raise_exception=True)
    for row in given.validated_data:
        said = {name: value for name, value in row.items() if name not in ("path", "text") and value}
        name = row["path"] if row["path"].lower().endswith((".md", ".txt")) else f"{row['path']}.md"
        yield IncomingFile(row["path"], row["text"].encode(), name=name, said=said)


def batch_in(request: Request) -> Upload | None:
    """The batch of the subject that the files are to join, when the request names one. Raises InvalidInput or NotFound."""
    named = request.data.get("upload", "") if isinstance(request.data, dict) else ""
    if not named:
        return None
    try:
        wanted = UUID(str(named))
    except ValueError:
        raise InvalidInput(_("`upload` must be the id of a staged upload.")) from None
    return upload_for(request._request.subject, wanted)  # type: ignore[attr-defined]


def key_in(request: Request) -> str:
    """The idempotency key. Raises InvalidInput for one that is too long."""
    key = request.headers.get("Idempotency-Key", "")
    if len(key) > LONGEST_KEY or "\x00" in key:
        raise InvalidInput(_("An Idempotency-Key has at most %(count)s characters.") % {"count": LONGEST_KEY})
    return key


def planned_dict(file: PlannedFile) -> dict[str, Any]:
    """What one file will be."""
    return {
        "path": file.path,
        "size_bytes": file.size_bytes,
        "outcome": str(file.outcome),
        "label": str(file.outcome_label),
        "error": file.error,
        "notices": [str(each) for each in file.notices],
    }


def upload_dict(staged: Upload) -> dict[str, Any]:
    """A staged upload and what each of its files will be."""
    return {
        "id": str(staged.pk),
        "knowledge_base": staged.kb.slug,
        "files": [planned_dict(each) for each in upload_plan(staged)],
    }


class DocumentsUploadView(BaseDocumentsView):
    """/api/v1/knowledge-bases/{slug}/documents/"""

    parser_classes = (JsonParser, MultiPartParser)

    @extend_schema(operation_id="documents_upload", request=UploadInput, parameters=[KEY], responses={202: dict})
    def post(self, request: Request, slug: str) -> Response:
        """Take files or texts in; answers with the job that reads them."""
        kb = base_named(self.subject, slug, least=Role.EDITOR)
        files = files_in(request)
        job = upload(subject=self.subject, kb=kb, files=files, tools=tools(), idempotency_key=key_in(request))
        return Response(job_dict(job_progress(job)), status=202)


class UploadsView(BaseDocumentsView):
    """/api/v1/knowledge-bases/{slug}/uploads/"""

    parser_classes = (JsonParser, MultiPartParser)
    http_method_names = ("post", "options")

    @extend_schema(operation_id="upload_stage", request=UploadInput, responses={201: dict})
    def post(self, request: Request, slug: str) -> Response:
        """Keep files and say what each will be: new, new version, unchanged, refused and why. Nothing is a document yet.

        With `upload`, the id of an earlier answer, they join that batch: a large folder can be sent in pieces and accepted as one job.
        """
        kb = base_named(self.subject, slug, least=Role.EDITOR)
        staged = upload_stage(
            subject=self.subject, kb=kb, files=files_in(request), tools=tools(), into=batch_in(request)
        )
        return Response(upload_dict(staged), status=201)


class UploadView(BaseDocumentsView):
    """/api/v1/uploads/{id}"""

    http_method_names = ("get", "delete", "options")

    @extend_schema(operation_id="upload", responses=dict)
    def get(self, request: Request, id: UUID) -> Response:  # type: ignore[override]
        """What a staged upload will be."""
        return Response(upload_dict(upload_for(self.subject, id)))

    @extend_schema(operation_id="upload_discard", request=None, responses={204: None})
    def delete(self, request: Request, id: UUID) -> Response:
        """Forget it."""
        upload_discard(subject=self.subject, upload=upload_for(self.subject, id), tools=tools())
        return Response(status=204)


class UploadCommitView(BaseDocumentsView):
    """/api/v1/uploads/{id}/commit"""

    http_method_names = ("post", "options")

    @extend_schema(operation_id="upload_commit", request=None, parameters=[KEY], responses={202: dict})
    def post(self, request: Request, id: UUID) -> Response:
        """Make documents of what was staged; answers with the job that reads them."""
        job = upload_commit(
            subject=self.subject, upload=upload_for(self.subject, id), tools=tools(), idempotency_key=key_in(request)
        )
        return Response(job_dict(job_progress(job)), status=202)

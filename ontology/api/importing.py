"""REST for ready-made triples: JSON Lines in, a result for each line out."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from typing import IO, Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from common.api import ApiView, checked
from common.bodies import MAX_BYTES, is_whole, refuse_constant, texts_in
from common.errors import InvalidInput, TooLarge
from knowledge.models import Role
from knowledge.selectors.bases import base_named
from ontology.api.shapes import ImportOutput
from ontology.importing import Line
from ontology.services.importing import INVALID, LineResult, triples_import

LINES_MAX = 100_000


class JsonLinesParser(BaseParser):
    """Bytes as they come; each line is read on its own, so that one that is broken does not stop the others."""

    media_type = "application/x-ndjson"

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None) -> Any:
        body = stream.read(MAX_BYTES + 1)
        if len(body) > MAX_BYTES:
            raise TooLarge(
                _("A JSON body has at most %(count)d bytes. Send files as multipart.") % {"count": MAX_BYTES}
            )
        return body


class PlainLinesParser(JsonLinesParser):
    """The same under the name that many tools send."""

    media_type = "application/jsonl"


class ImportInput(serializers.Serializer[Any]):
    """Where to, and whether really."""

    kb = serializers.CharField(max_length=80)
    dry_run = serializers.BooleanField(required=False, default=False)


class ImportView(ApiView):
    """/api/v1/graph/import"""

    parser_classes = (JsonLinesParser, PlainLinesParser)

    @extend_schema(
        operation_id="graph_import",
        parameters=[
            OpenApiParameter("kb", str, required=True, description="slug of the knowledge base that has the documents"),
            OpenApiParameter("dry_run", bool, description="say what would become of each line, and store nothing"),
        ],
        request={"application/x-ndjson": OpenApiTypes.STR},
        responses=ImportOutput,
    )
    def post(self, request: Request) -> Response:
        """Bring triples in. A line has `document` (path or id), `source`, `source_class`, and `quote` or `start` and `end`; then `relation`, `target`, `target_class`
        and `attributes`; or `attribute` and `value`; or neither, for a name (with `aliases`). Names must stand in the quotation or in the document's title.
        """
        given = checked(ImportInput, request.query_params)
        kb = base_named(self.subject, given["kb"], least=Role.EDITOR)
        body: Any = request.data
        lines, broken = read_lines(body if isinstance(body, bytes) else b"")
        results = triples_import(subject=self.subject, kb=kb, lines=lines, dry_run=given["dry_run"])
        results = sorted([*results, *broken], key=lambda result: result.line)
        counts = Counter(result.status for result in results)
        return Response({"dry_run": given["dry_run"], "counts": counts, "lines": [asdict(each) for each in results]})


def read_lines(body: bytes) -> tuple[list[Line], list[LineResult]]:
    """Lines that are JSON objects, and what is to be said of the others. Raises InvalidInput, TooLarge for the whole."""
    lines: list[Line] = []
    broken: list[LineResult] = []
    for number, text in enumerate(texts(body), start=1):
        if not text.strip():
            continue
        if number > LINES_MAX:
            raise TooLarge(_("There are more than %(count)d lines.") % {"count": LINES_MAX})
        try:
            lines.append(Line(number, object_in(text)))
        except InvalidInput as error:
            broken.append(LineResult(number, INVALID, message=str(error)))
    return lines, broken


def texts(body: bytes) -> Iterator[str]:
    try:
        yield from body.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError:
        raise InvalidInput(_("The body is not UTF-8.")) from None


def object_in(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text, parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        raise InvalidInput(_("This line is no JSON.")) from None
    if not isinstance(value, dict):
        raise InvalidInput(_("This line is no JSON object."))
    if any("\x00" in each or not is_whole(each) for each in texts_in(value)):
        raise InvalidInput(_("The JSON holds a NUL or a half character (a lone surrogate), which no text may have."))
    return value

"""What all REST views share: one error envelope, cursor pages, and a view that knows its subject.

Every failed request answers `{"error": {"code", "message", "extra"}}`.
"""

from typing import Any

import structlog
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation, ValidationError
from django.db import InterfaceError, OperationalError
from django.http import Http404, UnreadablePostError
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions, status
from rest_framework.pagination import CursorPagination
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView
from rest_framework.views import exception_handler as framework_handler

from common.errors import EngineUnavailable, InvalidInput, TooLarge, TrellisError

log = structlog.get_logger(__name__)


class Pages(CursorPagination):
    """Cursor pages, newest first; `?limit=` up to 200."""

    ordering = "-id"
    page_size = 50
    page_size_query_param = "limit"
    max_page_size = 200

    def paginate_queryset(self, queryset: Any, request: Any, view: Any = None) -> list[Any]:
        """Raises InvalidInput for a cursor that we did not make."""
        try:
            return super().paginate_queryset(queryset, request, view) or []
        except (exceptions.NotFound, ValueError, ValidationError):
            raise InvalidInput(_("This cursor is none of ours; begin again without one."), field="cursor") from None

    def get_page_size(self, request: Any) -> int:
        """What is asked for, 200 at most. Raises InvalidInput for what is no number of rows."""
        asked = request.query_params.get(self.page_size_query_param) or str(self.page_size)
        if not (asked.isascii() and asked.isdigit() and len(asked) < 10 and int(asked)):
            raise InvalidInput(_("The limit is a whole number from 1 to 200."), field="limit")
        return min(int(asked), self.max_page_size)

    def paged(self, rows: Any, view: "ApiView", serializer: type[Serializer[Any]]) -> Response:
        """One page of rows as the serializer shows them."""
        page = self.paginate_queryset(rows, view.request, view)
        return self.get_paginated_response(serializer(page, many=True).data)


class ApiView(APIView):
    """A REST endpoint: check, call, answer."""

    pagination_class = Pages

    @property
    def subject(self) -> Any:
        """Who asks (`accounts.types.Subject`)."""
        return self.request.subject  # type: ignore[attr-defined]


def checked(serializer: type[Serializer[Any]], data: Any) -> dict[str, Any]:
    """The input in its clean form. Raises the framework's ValidationError, which answers 400 and names the field."""
    given = serializer(data=data)
    given.is_valid(raise_exception=True)
    return dict(given.validated_data)


def envelope(code: str, message: str, extra: Any = None) -> dict[str, Any]:
    """The one form of every error."""
    return {"error": {"code": code, "message": message, "extra": extra or {}}}


def answer_error(error: Exception, context: dict[str, Any]) -> Response:
    """Turn any exception of a view into the envelope. What we don't understand is logged and answered as 500 without details."""
    error = translated(error)
    if isinstance(error, TrellisError):
        return trellis_answer(error)
    if isinstance(error, ValidationError):
        return Response(envelope("invalid_input", "; ".join(error.messages)), status=status.HTTP_400_BAD_REQUEST)
    if isinstance(error, exceptions.ValidationError):
        return Response(envelope("invalid_input", first_sentence(error.detail), error.detail), status=error.status_code)
    if isinstance(error, exceptions.APIException | Http404 | PermissionDenied):
        return framework_answer(error, context)
    log.exception("api.unexpected", path=context["request"].path, exc_info=error)
    return Response(
        envelope("unexpected", str(_("Something went wrong on our side; the log has the details."))), status=500
    )


def translated(error: Exception) -> Exception:
    """Django's own errors about requests and the database as ours."""
    match error:
        case RequestDataTooBig():
            return TooLarge(_("The body is too large."))
        case SuspiciousOperation() | UnreadablePostError():
            return InvalidInput(_("The request can't be used as it is."))
        case OperationalError() | InterfaceError():
            log.warning("api.database_unreachable", error=str(error))
            return EngineUnavailable(_("The database can't be reached."))
        case _:
            return error


def trellis_answer(error: TrellisError) -> Response:
    headers = {"Retry-After": str(error.extra["retry_after_s"])} if "retry_after_s" in error.extra else {}
    if error.status == status.HTTP_401_UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    return Response(envelope(error.code, str(error), error.extra), status=error.status, headers=headers)


def framework_answer(error: Exception, context: dict[str, Any]) -> Response:
    response = framework_handler(error, context)
    if response is None:  # only these three kinds are handed in, and the framework answers all of them
        raise error
    detail = response.data.get("detail") if isinstance(response.data, dict) else None
    code = getattr(detail, "code", None) or ("not_found" if isinstance(error, Http404) else "refused")
    return Response(envelope(code, str(detail or error)), status=response.status_code, headers=dict(response.headers))


def first_sentence(detail: Any) -> str:
    """A readable line from the framework's nested validation errors: `field: message`."""
    if isinstance(detail, dict):
        field, inner = next(iter(detail.items()))
        return f"{field}: {first_sentence(inner)}" if field != "non_field_errors" else first_sentence(inner)
    if isinstance(detail, list):
        return first_sentence(detail[0]) if detail else ""
    return str(detail)

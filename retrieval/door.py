"""Who is at the door of an asynchronous endpoint, and how it refuses: the same authenticators, CSRF check and error envelope as all of REST."""

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any

from asgiref.sync import sync_to_async
from django.core.exceptions import SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt
from rest_framework.exceptions import APIException, MethodNotAllowed, UnsupportedMediaType
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from accounts.types import Subject
from common.api import answer_error, checked
from common.bodies import JsonParser, read_json
from common.errors import NotAuthenticated, TrellisError

METHODS = ("get", "post", "put", "patch", "delete")
REFUSED = (TrellisError, APIException, SuspiciousOperation, OperationalError, InterfaceError)

Endpoint = Callable[..., Coroutine[Any, Any, HttpResponseBase]]


def subject_at(request: HttpRequest) -> Subject:
    """Whose key or session this is. Raises NotAuthenticated, or PermissionDenied for a session without its CSRF token."""
    request.body  # noqa: B018 (kept, because the CSRF check parses it and the endpoint reads it again)
    asked = Request(request, parsers=[parser() for parser in APIView.parser_classes])
    for authenticator in APIView.authentication_classes:
        if authenticator().authenticate(asked) is not None:
            return request.subject  # type: ignore[attr-defined,no-any-return]
    raise NotAuthenticated(_("Sign in, or send an API key as `Authorization: Bearer …`."))


asubject_at = sync_to_async(subject_at)


def endpoint(view_class: type[APIView]) -> Callable[[Endpoint], Endpoint]:
    """Makes an asynchronous function a REST endpoint. `view_class` describes it for OpenAPI and is never called."""

    allowed = [name for name in METHODS if hasattr(view_class, name)]

    def made(function: Endpoint) -> Endpoint:
        @wraps(function)
        async def view(request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponseBase:
            try:
                if (request.method or "").lower() not in allowed:
                    raise MethodNotAllowed(request.method or "")
                return await function(request, *arguments, **named)
            except REFUSED as error:
                answer = as_json(answer_error(error, {"request": request}))
            if answer.status_code == 405:
                answer["Allow"] = ", ".join(name.upper() for name in allowed)
            return answer

        exempt = csrf_exempt(view)
        exempt.cls, exempt.initkwargs = view_class, {}  # type: ignore[attr-defined]
        return exempt

    return made


def as_json(response: Response) -> JsonResponse:
    answer = JsonResponse(response.data, status=response.status_code, json_dumps_params={"ensure_ascii": False})
    for name, value in response.headers.items():
        if name.lower() not in ("content-type", "content-length"):
            answer[name] = value
    return answer


def body_of(request: HttpRequest, serializer: type[Serializer[Any]]) -> dict[str, Any]:
    """The checked body. Raises InvalidInput, or the framework's ValidationError."""
    if request.content_type != JsonParser.media_type:
        raise UnsupportedMediaType(request.content_type or "")
    return checked(serializer, read_json(request.body or b"{}"))

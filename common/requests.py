"""Gives each request an id, which stands in its log lines, its audit events and its answer's header."""

import re
from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from common.ids import uuid7
from common.logs import request_id

HEADER = "X-Request-Id"
FORM = re.compile(r"[A-Za-z0-9-]{8,64}")


class RequestIdMiddleware:
    """Takes a well-formed id from the request, else makes one."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        if self.is_async:
            return self.answer(request)
        token = request_id.set(wanted_id(request))
        try:
            response = self.get_response(request)
        finally:
            request_id.reset(token)
        response[HEADER] = request.META["trellis.request_id"]  # type: ignore[index]
        return response

    async def answer(self, request: HttpRequest) -> HttpResponseBase:
        request_id.set(wanted_id(request))
        response: HttpResponseBase = await self.get_response(request)  # type: ignore[misc]
        response[HEADER] = request.META["trellis.request_id"]
        return response


def wanted_id(request: HttpRequest) -> str:
    """The caller's id when it has the form of one, else a new one; kept on the request."""
    given = request.headers.get(HEADER, "")
    chosen = given if FORM.fullmatch(given) else uuid7().hex
    request.META["trellis.request_id"] = chosen
    return chosen

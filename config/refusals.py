"""What is answered when no view answers: the pages of `templates/`, and below /api/ the one error envelope."""

from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views import defaults
from django.views.decorators.csrf import csrf_exempt

from common.api import envelope
from common.errors import EngineUnavailable, Forbidden, InvalidInput, NotFound, TrellisError

API = "/api/"


def is_api(request: HttpRequest) -> bool:
    return request.path_info.startswith(API)


def refusal(code: str, message: str, status: int) -> JsonResponse:
    return JsonResponse(envelope(code, message), status=status, json_dumps_params={"ensure_ascii": False})


@csrf_exempt
def unknown_address(request: HttpRequest) -> HttpResponse:
    """Any address below /api/ that there is not."""
    return refusal("not_found", _("There is no such address. /api/docs/ lists those that there are."), 404)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400, and 413 for a body that is too large."""
    if not is_api(request):
        return defaults.bad_request(request, exception)
    if isinstance(exception, RequestDataTooBig):
        return refusal("too_large", _("The body is too large."), 413)
    return refusal("invalid_input", _("The request can't be used as it is."), 400)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403"""
    if is_api(request):
        return refusal("forbidden", _("You may not do this."), 403)
    return defaults.permission_denied(request, exception)


def page_not_found(request: HttpRequest, exception: Any) -> HttpResponse:
    """404"""
    return unknown_address(request) if is_api(request) else defaults.page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """500"""
    if is_api(request):
        return refusal("unexpected", _("Something went wrong on our side; the log has the details."), 500)
    return defaults.server_error(request)


class RefusalMiddleware:
    """A page whose service refuses answers with the page of that refusal; REST has its own way (see `common.api`)."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """None leaves the error to Django."""
        if not isinstance(error, TrellisError) or is_api(request):
            return None
        pages = {NotFound: "404.html", Forbidden: "403.html", InvalidInput: "400.html", EngineUnavailable: "503.html"}
        name = next((page for kind, page in pages.items() if isinstance(error, kind)), "500.html")
        return render(request, name, {"reason": str(error)}, status=error.status)

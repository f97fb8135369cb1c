"""Turns requests away whose address or cookies hold a NUL character, before anything looks at them: PostgreSQL takes none, and no honest client sends one."""

from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.core.exceptions import BadRequest
from django.http import HttpRequest
from django.http.response import HttpResponseBase

NUL = "\x00"


class CleanRequestMiddleware:
    """Raises BadRequest, which the handler for 400 answers."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        if is_unclean(request):
            raise BadRequest("NUL in the address or in a cookie")
        return self.get_response(request)


def is_unclean(request: HttpRequest) -> bool:
    """Whether there is a NUL, percent-encoded or not."""
    address = f"{request.path_info}?{request.META.get('QUERY_STRING', '')}"
    return NUL in address or "%00" in address or any(NUL in text for text in request.COOKIES.values())

"""Keeps the server unreachable from outside while it isn't safe there, however it was started: a bare uvicorn does not ask us where it may listen.

Wraps the ASGI application. The address that a request came in on says whether it came from outside; once all is well it is not asked again.
"""

import json
from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import sync_to_async
from django.db import connection
from django.utils.translation import gettext as _
from starlette.types import Receive, Scope, Send

from config.exposure import exposure_faults, is_loopback


class ExposureGuard:
    """Answers 503 to whoever comes from outside, until nothing is wrong."""

    def __init__(self, application: Callable[[Any, Any, Any], Awaitable[None]]) -> None:
        self.application = application
        self.is_safe = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.is_safe or scope["type"] != "http" or _came_locally(scope):
            await self.application(scope, receive, send)
            return
        faults = await sync_to_async(_faults)()
        self.is_safe = not faults
        if self.is_safe:
            await self.application(scope, receive, send)
        else:
            await _refuse(send)


def _faults() -> list[str]:
    try:
        return exposure_faults()
    finally:
        connection.close()  # back to the pool: there is no request yet whose end would do it


def _came_locally(scope: Scope) -> bool:
    server = scope.get("server")
    return server is None or is_loopback(server[0])


async def _refuse(send: Send) -> None:
    error = {
        "code": "not_ready",
        "message": _("This server isn't set up for access from outside; `manage.py doctor` says why."),
        "extra": {},
    }
    headers = [(b"content-type", b"application/json"), (b"retry-after", b"60")]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps({"error": error}).encode()})

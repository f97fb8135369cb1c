"""Below a sub-path (PUBLIC_URL), Django is always given the whole path: some proxies pass it on, others strip it, and both must work."""

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.types import Receive, Scope, Send


class SubPath:
    """Wraps the ASGI application; `prefix` is "" or begins with a slash and ends without one."""

    def __init__(self, application: Callable[[Any, Any, Any], Awaitable[None]], prefix: str) -> None:
        self.application = application
        self.prefix = prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not f"{scope['path']}/".startswith(f"{self.prefix}/"):
            scope = {**scope, "path": self.prefix + scope["path"]}
        await self.application(scope, receive, send)

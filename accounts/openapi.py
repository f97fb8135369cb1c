"""Tells the description of REST how requests say who they are."""

from typing import Any

from drf_spectacular.authentication import SessionScheme
from drf_spectacular.extensions import OpenApiAuthenticationExtension


class KeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """An API key as a bearer token."""

    target_class = "accounts.authentication.KeyAuthentication"
    name = "key"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "bearerFormat": "trl_…"}


class PageScheme(SessionScheme):  # type: ignore[no-untyped-call]
    """The session of the pages."""

    target_class = "accounts.authentication.SessionAuthentication"
    name = "session"

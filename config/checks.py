"""System checks of the whole: what must hold before the server starts."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

from config.conf import server_settings
from config.exposure import is_loopback, is_weak


@register(Tags.security)
def outside_needs_a_secret(app_configs: Sequence[AppConfig] | None, **options: Any) -> list[CheckMessage]:
    """A server that may be reached from outside has a secret key of its own. Whether there is an administrator is asked when it starts."""
    host = server_settings().host
    if is_loopback(host) or not is_weak(settings.SECRET_KEY):
        return []
    hint = "Leave it out, so that one is made and kept, or set 50 random characters."
    return [
        Error(f"TRELLIS_SECRET_KEY is short or well known, and TRELLIS_HOST is {host}.", hint=hint, id="trellis.E001")
    ]

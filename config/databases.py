"""From one PostgreSQL URL to what Django and psycopg want. Django's own pool needs CONN_MAX_AGE = 0 and health checks."""

from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit


def django_database(url: str, *, pool_size: int) -> dict[str, Any]:
    """One entry of DATABASES for `postgresql://user:password@host:port/name?option=value`."""
    parts = urlsplit(url)
    pool = {"min_size": 1, "max_size": pool_size, "timeout": 15}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "HOST": parts.hostname or "",
        "PORT": str(parts.port or ""),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "NAME": parts.path.lstrip("/"),
        "CONN_MAX_AGE": 0,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {"pool": pool, **dict(parse_qsl(parts.query))},
    }

"""`/health/live` says that the process answers; `/health/ready` that it can serve: database, migrations, queue. Neither tells a secret."""

import psycopg
import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.schema import is_pending

_seen = {"migrated": False}  # once true it stays true while this process lives


@never_cache
@require_safe
def live(request: HttpRequest) -> JsonResponse:
    """GET /health/live"""
    return JsonResponse({"live": True})


@never_cache
@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """GET /health/ready"""
    missing = not_ready()
    return JsonResponse({"ready": not missing, "missing": missing}, status=503 if missing else 200)


def not_ready() -> list[str]:
    """What the server lacks to serve; empty when it is ready."""
    missing = []
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        _seen["migrated"] = _seen["migrated"] or not is_pending(MigrationExecutor(connection))
        if not _seen["migrated"]:
            missing.append("migrations")
    except (DatabaseError, psycopg.Error):
        missing.append("database")
    if not _queue_answers():
        missing.append("queue")
    return missing


def _queue_answers() -> bool:
    try:
        with redis.Redis.from_url(settings.CELERY_BROKER_URL, socket_timeout=2, socket_connect_timeout=2) as client:
            return bool(client.ping())
    except redis.exceptions.RedisError:
        return False

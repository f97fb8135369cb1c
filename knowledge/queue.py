"""Tell the workers what waits. The ledger knows it anyway: a broker that is down costs nothing but time, because the sweep tells them again."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import structlog
from celery import current_app
from django.utils import timezone
from kombu.exceptions import OperationalError

from knowledge.models import StageRun
from knowledge.runs import UNFINISHED

log = structlog.get_logger(__name__)

INDEXING = "indexing"
SHORT = "short"
READ = "knowledge.tasks.read_version"
PURGE = "knowledge.tasks.purge_document"


def send_versions(version_ids: Sequence[UUID]) -> int:
    """Queue the reading of these versions; gives how many were queued."""
    return _send(READ, INDEXING, version_ids, "version_id")


def send_purges(document_ids: Sequence[UUID]) -> int:
    """Queue the deleting of these documents."""
    return _send(PURGE, SHORT, document_ids, "document_id")


def waiting_in(queue: str) -> int | None:
    """Messages in a queue; None when the broker can't be asked."""
    with current_app.connection_for_write(connect_timeout=2) as wire:
        is_away: tuple[type[BaseException], ...] = (OperationalError, *wire.connection_errors)
        try:
            wire.ensure_connection(max_retries=1, interval_start=0, interval_step=0)  # kombu's own first wait is 2 s
            channel: Any = wire.default_channel
            return int(channel.queue_declare(queue, passive=True).message_count)
        except tuple(wire.channel_errors):
            return 0  # a queue that is empty does not exist
        except is_away as error:
            log.warning("queue.unreachable", queue=queue, error=str(error))
            return None


def _send(task: str, queue: str, ids: Sequence[UUID], whole: str) -> int:
    sent: list[UUID] = []
    try:
        with current_app.producer_or_acquire() as producer:
            for id in ids:
                current_app.send_task(
                    task, args=[str(id)], queue=queue, producer=producer, retry=False, ignore_result=True
                )
                sent.append(id)
    except OperationalError as error:
        log.warning("queue.unreachable", queue=queue, unsent=len(ids) - len(sent), error=str(error))
    if sent:
        StageRun.objects.filter(**{f"{whole}__in": sent}, state__in=UNFINISHED).update(queued_at=timezone.now())
    return len(sent)

"""One message to the workers, sent if the broker is there. What it loses, the periodic looks find; so one that is away is not waited for at every commit."""

from collections.abc import Sequence

import structlog
from celery import current_app
from kombu.exceptions import OperationalError

from inference.resting import Rest

log = structlog.get_logger(__name__)

LEFT_ALONE_S = 30.0
_away = Rest(LEFT_ALONE_S)


def send(task: str, queue: str, arguments: Sequence[str] = ()) -> None:
    """More than one of a kind do no harm."""
    if _away.is_on:
        return
    try:
        current_app.send_task(task, args=list(arguments), queue=queue, retry=False, ignore_result=True)
    except OperationalError as error:
        _away.begin()
        log.warning("queue.unreachable", queue=queue, task=task, error=str(error))

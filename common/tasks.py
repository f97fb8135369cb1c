"""The base of every Celery task: one of the two places that may catch everything. It decides what is tried again and logs how each task ended."""

import time
from typing import Any

import structlog
from celery import Task
from django.db import InterfaceError, OperationalError

from common.errors import TrellisError

log = structlog.get_logger(__name__)

MAX_RETRIES = 5
FIRST_WAIT_S = 2


class TrellisTask(Task):  # type: ignore[type-arg]
    """Retries what is retryable with growing waits; anything else ends the task and is logged, never the worker."""

    abstract = True
    max_retries = MAX_RETRIES

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        begun = time.monotonic()
        try:
            result = super().__call__(*args, **kwargs)
        except (OperationalError, InterfaceError) as error:
            raise self.retry(exc=error, countdown=self.wait_s()) from error
        except TrellisError as error:
            if error.retryable:
                raise self.retry(exc=error, countdown=self.wait_s()) from error
            log.warning("task.failed", task=self.name, code=error.code, message=str(error), args=args)
            return None
        log.info("task.done", task=self.name, seconds=round(time.monotonic() - begun, 3))
        return result

    def wait_s(self) -> int:
        return int(FIRST_WAIT_S * 2 ** (self.request.retries or 0))

"""Keep account of model calls: at once for synchronous callers, by a thread of its own for the question path.

`at` of a row is when it is written, which is at the end of the call or moments later.
"""

import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor

import structlog
from django.db import Error, connection

from inference.services import usage_record, usage_record_all
from inference.types import Usage

log = structlog.get_logger(__name__)

WAITS_S = (0.5, 2.0, 8.0)


class LedgerMeter:
    """Writes in the caller's thread. Inside a transaction that is undone the record would be undone too, so call models outside one."""

    def record(self, usage: Usage) -> None:
        usage_record(usage=usage)


class QueuedMeter:
    """Gives the call to one writing thread and returns at once.

    The interpreter's ordinary end waits until everything is written (`ThreadPoolExecutor` sees to it). While the database is away it tries
    again for some seconds; what can't be written then goes to the log, whole.
    """

    def __init__(self) -> None:
        self._waiting: deque[Usage] = deque()
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="meter")

    def record(self, usage: Usage) -> None:
        self._waiting.append(usage)
        self._writer.submit(self._write)

    def flush(self) -> None:
        """Return when everything recorded so far is written."""
        self._writer.submit(self._write).result()

    def _write(self) -> None:
        """Write all that waits in one statement: when calls come fast, most turns find nothing left."""
        usages = [self._waiting.popleft() for _ in range(len(self._waiting))]
        if not usages:
            return
        for wait_s in (*WAITS_S, None):
            try:
                usage_record_all(usages=usages)
                return
            except Error as error:
                if wait_s is None:
                    log.exception("usage.lost", usages=[repr(usage) for usage in usages], message=str(error))
                    return
                time.sleep(wait_s)
            finally:
                connection.close()  # back to the pool: this thread has no request whose end would do it

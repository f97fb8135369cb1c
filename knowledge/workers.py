"""What makes a Celery worker ours: signs of life from its main loop, leases given back when it is asked to end, and a ceiling for the memory of its children."""

import resource
from typing import Any

import psycopg
import structlog
from celery import bootsteps, signals

from knowledge import beats, closing
from knowledge.conf import knowledge_settings

log = structlog.get_logger(__name__)

MIB = 1024 * 1024


class SignsOfLife(bootsteps.StartStopStep):
    """Says every few seconds, from the main loop itself, that the worker is alive and which queues it serves."""

    requires = ("celery.worker.components:Timer",)

    def start(self, worker: Any) -> None:
        self.tell(worker)
        self.timer = worker.timer.call_repeatedly(beats.EVERY_S, self.tell, (worker,))

    def stop(self, worker: Any) -> None:
        if timer := getattr(self, "timer", None):
            timer.cancel()
        try:
            beats.leave(worker.hostname)
        except psycopg.Error as error:
            log.warning("worker.no_farewell", error=str(error))

    def tell(self, worker: Any) -> None:
        try:
            beats.beat(worker.hostname, sorted(worker.app.amqp.queues.consume_from))
        except psycopg.Error as error:
            log.warning("worker.no_sign_of_life", error=str(error))


@signals.worker_shutting_down.connect(weak=False)
def give_leases_back(**_more: Any) -> None:
    """The children see it at their next batch, long before the supervisor loses its patience."""
    closing.ask()


@signals.worker_process_init.connect(weak=False)
def set_ceiling(**_more: Any) -> None:
    """A child that wants more memory gets MemoryError and fails that one document, before the system ends somebody at random."""
    ceiling = knowledge_settings().worker_memory_mb * MIB
    _soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if hard == resource.RLIM_INFINITY or hard > ceiling:
        resource.setrlimit(resource.RLIMIT_DATA, (ceiling, hard))

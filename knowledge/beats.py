"""Signs of life of whole workers, so that a page can say within seconds that nobody serves a queue.

They are written from a worker's main process, which must not open the pool that its children would inherit: a connection of their own, each time.
"""

from collections.abc import Sequence
from datetime import timedelta

import psycopg
from django.utils import timezone

from knowledge.leases import connection_parameters
from knowledge.models import WorkerBeat

SWEEP = "sweep"
EVERY_S = 5
COUNTS_FOR = timedelta(seconds=20)
BEAT = """
INSERT INTO knowledge_workerbeat (name, queues, at) VALUES (%s, to_jsonb(%s::text[]), clock_timestamp())
ON CONFLICT (name) DO UPDATE SET queues = excluded.queues, at = excluded.at
"""


def beat(name: str, queues: Sequence[str]) -> None:
    """This worker is alive and serves these queues. Raises psycopg.Error."""
    with psycopg.connect(**connection_parameters(), autocommit=True) as wire:
        wire.execute(BEAT, [name, list(queues)])


def leave(name: str) -> None:
    """This worker has ended. Raises psycopg.Error."""
    with psycopg.connect(**connection_parameters(), autocommit=True) as wire:
        wire.execute("DELETE FROM knowledge_workerbeat WHERE name = %s", [name])


def is_served(queue: str) -> bool:
    """Whether a worker that serves this queue was alive seconds ago."""
    return queue in queues_served()


def queues_served() -> set[str]:
    """Every queue that a living worker serves."""
    rows = WorkerBeat.objects.filter(at__gt=timezone.now() - COUNTS_FOR).values_list("queues", flat=True)
    return {queue for queues in rows for queue in queues}


def swept() -> None:
    """The ledger has just been looked through."""
    WorkerBeat.objects.update_or_create(name=SWEEP, defaults={"queues": [], "at": timezone.now()})


def swept_s_ago() -> float | None:
    """Seconds since the last sweep; None when there was none for a day."""
    at = WorkerBeat.objects.filter(name=SWEEP).values_list("at", flat=True).first()
    return (timezone.now() - at).total_seconds() if at else None


def forget_old() -> int:
    """Remove workers that have been silent for a day."""
    return WorkerBeat.objects.filter(at__lt=timezone.now() - timedelta(days=1)).delete()[0]

"""Who may work on a stage: leases in the ledger with a fencing token, kept alive from a connection of their own.

`Lease.check` belongs at the beginning of each batch's transaction: it holds the row so that nobody can take the stage over before the batch is
stored, and raises when somebody has. It takes a share lock on the key only, so that signs of life and progress pass by it.
"""

import json
import threading
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import psycopg
import structlog
from django.db import connection
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from common.errors import LeaseLost, TrellisError
from knowledge import closing
from knowledge.conf import knowledge_settings
from knowledge.faults import fault_of
from knowledge.holders import has_gone, this_worker
from knowledge.models import RunState, StageRun

log = structlog.get_logger(__name__)

TAKE = """
UPDATE knowledge_stagerun AS run SET
    state = 'running', token = token + 1, worker = %(worker)s, error = NULL, retry_at = NULL, finished_at = NULL, queued_at = NULL,
    attempts = attempts + 1, units_before = done_units, started_at = clock_timestamp(), heartbeat_at = clock_timestamp(),
    lease_until = clock_timestamp() + make_interval(secs => %(lease_s)s), updated_at = clock_timestamp()
WHERE id = (
    SELECT id FROM knowledge_stagerun
    WHERE id = %(run)s AND (state IN ('waiting', 'done') OR (state = 'running' AND (lease_until < clock_timestamp() OR worker = %(gone)s)))
    FOR UPDATE
)
RETURNING token, attempts, waits, done_units, total_units
"""
# What a batch stores can be made again from the original, so its commit need not wait for the disk; taking a lease and publishing do.
CHECK = """
SELECT set_config('synchronous_commit', 'off', true) FROM knowledge_stagerun
WHERE id = %s AND token = %s AND state = 'running' FOR KEY SHARE
"""
BEAT = """
UPDATE knowledge_stagerun SET heartbeat_at = clock_timestamp(), lease_until = clock_timestamp() + make_interval(secs => %s),
    done_units = %s, total_units = %s, tokens = tokens + %s, attempts = LEAST(attempts, %s)
WHERE id = %s AND token = %s AND state = 'running'
"""
END = """
UPDATE knowledge_stagerun SET state = %s, error = %s::jsonb, retry_at = clock_timestamp() + make_interval(secs => %s), done_units = %s, total_units = %s,
    tokens = tokens + %s, attempts = %s, waits = %s, lease_until = NULL, heartbeat_at = clock_timestamp(), updated_at = clock_timestamp(),
    finished_at = CASE WHEN %s THEN clock_timestamp() END
WHERE id = %s AND token = %s AND state = 'running' RETURNING set_config('synchronous_commit', 'off', true)
"""
FIRST_WAIT_S = 10
LONGEST_WAIT_S = 300


class LeaseTaken(LeaseLost):
    """Another worker has this stage, or there is nothing to do in it."""

    code = "lease_taken"


class WorkerClosing(LeaseLost):
    """This process is asked to end; what is stored stays, the rest is for another worker."""

    code = "worker_closing"


class WorkerVanished(TrellisError):
    """Whoever read this ended without a word, again and again."""

    code = "worker_vanished"


@dataclass(slots=True)
class Lease:
    """The right to store results of one stage, while its token is the newest."""

    run_id: UUID
    token: int
    attempts: int = 1
    waits: int = 0
    done: int = 0
    total: int = 0
    tokens: int = 0
    has_progress: bool = False
    _ended: threading.Event = field(default_factory=threading.Event)
    _counting: threading.Lock = field(default_factory=threading.Lock)

    @property
    def is_first(self) -> bool:
        """Whether nobody has worked on this stage before."""
        return self.token == 1

    def check(self) -> None:
        """Call first in each batch's transaction. Raises LeaseLost when the batch must not be stored, WorkerClosing when it is time to go."""
        if closing.is_asked():
            raise WorkerClosing(_("The worker is ending; the rest will be done by the next one."))
        with connection.cursor() as cursor:
            cursor.execute(CHECK, [self.run_id, self.token])
            if cursor.fetchone() is None:
                raise LeaseLost(_("This stage was cancelled or taken over by another worker."))

    def progress(self, done: int, total: int) -> None:
        """Say how far the stage is, for people; written with the next sign of life."""
        self.has_progress = self.has_progress or done > self.done
        self.done, self.total = done, total

    def spend(self, tokens: int) -> None:
        """Add tokens of a model call to the stage."""
        with self._counting:
            self.tokens += tokens

    def finish(self) -> None:
        """The stage is done."""
        self._end(RunState.DONE, done=max(self.done, self.total))

    def give_back(self) -> None:
        """Leave the rest to whoever comes next, at once."""
        self._end(RunState.WAITING, attempts=max(0, self._held_against() - 1), waits=self.waits)

    def put_off(self, error: TrellisError) -> None:
        """An engine is away: wait, longer each time, and say why."""
        wait_s = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** min(self.waits, 10))
        self._end(RunState.WAITING, error=error, wait_s=wait_s, waits=self.waits + 1)

    def fail(self, error: TrellisError) -> None:
        """It can't be done as it is; a person may have it tried again."""
        self._end(RunState.FAILED, error=error)

    def _end(
        self,
        state: RunState,
        *,
        error: TrellisError | None = None,
        wait_s: float | None = None,
        attempts: int = 0,
        waits: int = 0,
        done: int | None = None,
    ) -> None:
        self.rest()
        said = json.dumps(fault_of(error)) if error else None
        is_final = state in (RunState.DONE, RunState.FAILED)
        units = [self.done if done is None else done, self.total, self._unwritten()]
        with connection.cursor() as cursor:
            cursor.execute(END, [state, said, wait_s, *units, attempts, waits, is_final, self.run_id, self.token])

    def _held_against(self) -> int:
        """How many holders have vanished here in a row, this one counted, should it vanish now. One that was asked to end is not at fault."""
        if closing.is_asked():
            return 0
        return min(self.attempts, 1) if self.has_progress else self.attempts

    def _unwritten(self) -> int:
        with self._counting:
            tokens, self.tokens = self.tokens, 0
        return tokens

    def keep_alive(self) -> None:
        """Begin to write signs of life from a thread; `rest` ends it."""
        threading.Thread(target=self._beat, name="heartbeat", daemon=True, args=(connection_parameters(),)).start()

    def rest(self) -> None:
        """No more signs of life."""
        self._ended.set()

    def _beat(self, parameters: dict[str, Any]) -> None:
        settings = knowledge_settings()
        wire: psycopg.Connection[Any] | None = None
        while not self._ended.wait(settings.heartbeat_s):
            values = [
                settings.lease_s,
                self.done,
                self.total,
                self._unwritten(),
                self._held_against(),
                self.run_id,
                self.token,
            ]
            try:
                wire = wire or psycopg.connect(**parameters, autocommit=True)
                wire.execute(BEAT, values)
            except psycopg.Error as error:
                log.warning("lease.no_heartbeat", run=str(self.run_id), error=str(error))
                wire = None
        if wire is not None:
            wire.close()


def take(run: StageRun) -> Lease:
    """Take a stage that waits, whose holder is gone, or of which something is missing again.

    Raises LeaseTaken, and WorkerVanished after too many holders have vanished at one spot.
    """
    gone = run.worker if run.state == RunState.RUNNING and has_gone(run.worker) else ""
    values: dict[str, Any] = {
        "run": run.pk,
        "worker": this_worker(),
        "lease_s": knowledge_settings().lease_s,
        "gone": gone,
    }
    with connection.cursor() as cursor:
        cursor.execute(TAKE, values)
        row = cursor.fetchone()
    if row is None:
        raise LeaseTaken(_("Another worker has this stage."))
    lease = Lease(run.pk, *row)
    if lease.attempts > knowledge_settings().attempts:
        error = WorkerVanished(
            format_lazy(
                _(
                    "The process that read this was ended from outside {count} times at the same spot, most likely because it needed more memory "
                    "than there is. Split the file, or give the workers more memory, then try again."
                ),
                count=lease.attempts - 1,
            )
        )
        lease.fail(error)
        raise error
    return lease


def connection_parameters() -> dict[str, Any]:
    """How to reach the ledger outside Django's pool."""
    wanted = ("dbname", "user", "password", "host", "port", "sslmode", "sslrootcert", "options")
    known = connection.get_connection_params()
    return {name: known[name] for name in wanted if name in known} | {
        "connect_timeout": 5,
        "application_name": "trellis heartbeat",
    }

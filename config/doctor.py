"""What an operator should know to be well: each check says what it found and, when something is wrong, one line of advice.

Only looks; starts and changes nothing. Checks that need an engine are left out when it does not answer, because then that is the fault to mend first.
"""

import shutil
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from common.errors import Misconfigured, TrellisError
from config.celery import app
from config.embedded.addresses import embedder_address, redis_url
from config.embedded.state import read_state
from config.engine_status import EngineStatus, engine_statuses
from config.exposure import has_administrator, is_weak
from config.schema import is_pending, refuse_newer
from config.supervised import NAME as PROGRAMS
from inference.http_embedder import HttpEmbedder
from inference.meters import LedgerMeter
from inference.selectors import active_space, known_fingerprint
from knowledge import beats
from knowledge.conf import knowledge_settings
from ontology.fact_vectors.sentences import waiting
from ontology.models import Graph

OLDEST_POSTGRES = 15
OLDEST_PGVECTOR = (0, 8, 4)
SWEEPS_MISSED = 3
LOW_DISK_BYTES = 2 << 30
QUEUES = ("indexing", "short")
WORKERS_ANSWER_WITHIN_S = 2.0
STARTING_S = 60  # workers and beat begin when the web server answers, one after the other
ADVICE = {
    "postgres": "Start the server with `make run` (when it runs and this one hangs: end it and start it anew), or look at the database that DATABASE_URL names; the log is log/postgres.log in the data folder.",
    "valkey": "Start the server with `make run` (when it runs and this one hangs: end it and start it anew), or look at the server that REDIS_URL names; the log is log/valkey.log in the data folder.",
    "graph": "Start the server with `make run` (when it runs and this one hangs: end it and start it anew), or check NEO4J_URI, NEO4J_USER and NEO4J_PASSWORD; the log is log/graph.log in the data folder.",
    "embedder": "Start the server with `make run` (when it runs and this one hangs: end it and start it anew), or check EMBEDDING_BASE_URL; the log is log/embedder.log in the data folder.",
    "llama": "Check LLM_BASE_URL and LLM_API_KEY, or the GGUF file; answers are quoted meanwhile. The log is log/llama.log in the data folder.",
}


@dataclass(frozen=True, slots=True)
class Check:
    """One finding; `advice` is empty when it is fine."""

    name: str
    ok: bool
    found: str
    advice: str = ""


def examine(data: Path) -> list[Check]:
    """Every check that can be made now."""
    engines = {engine.name: engine for engine in engine_statuses(data)}
    checks = [_engine(engine) for engine in engines.values()]
    if engines["postgres"].ready:
        checks += _database()
        checks.append(_administrator())
        checks.append(_beat(data))
        checks.append(_fact_vectors(engines["embedder"].ready))
        if engines["embedder"].ready:
            checks.append(_vectors())
    if engines["valkey"].ready:
        checks += _queues(data)
    return [*checks, _disk(data), _secret_key(), *_secret_files(data)]


def _finding(name: str, ok: bool, found: str, advice: str) -> Check:
    return Check(name, ok, found, "" if ok else advice)


def _engine(engine: EngineStatus) -> Check:
    found = f"{engine.kind}, {engine.version} at {engine.url}" if engine.ready else f"{engine.kind}, does not answer"
    return _finding(f"engine:{engine.name}", engine.ready, found, ADVICE[engine.name])


def _database() -> Iterator[Check]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('server_version_num')::int / 10000, current_setting('server_version')")
        major, version = cursor.fetchall()[0]
        cursor.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
        pgvector = next((row[0] for row in cursor.fetchall()), "")
    yield _finding(
        "postgres:version", major >= OLDEST_POSTGRES, version, f"Upgrade PostgreSQL to {OLDEST_POSTGRES} or newer."
    )
    new_enough = bool(pgvector) and tuple(int(part) for part in pgvector.split(".")) >= OLDEST_PGVECTOR
    wanted = ".".join(map(str, OLDEST_PGVECTOR))
    yield _finding(
        "pgvector:version",
        new_enough,
        pgvector or "not there",
        f"Install pgvector {wanted} or newer (older ones can corrupt an index), then ALTER EXTENSION vector UPDATE.",
    )
    yield _migrations()


def _migrations() -> Check:
    executor = MigrationExecutor(connection)
    try:
        refuse_newer(executor)
    except Misconfigured as error:
        return Check("migrations", False, "written by a newer release", str(error))
    pending = is_pending(executor)
    return _finding(
        "migrations",
        not pending,
        "pending" if pending else "all applied",
        "Run `manage.py migrate`, or restart with `make run`.",
    )


def _administrator() -> Check:
    try:
        there = has_administrator()
    except DatabaseError:
        there = False
    return _finding("administrator", there, "there is one" if there else "nobody", "Run `manage.py createsuperuser`.")


def _is_starting(data: Path) -> bool:
    """Whether the server's programs were started so lately that what is missing may be on its way."""
    programs = read_state(data, PROGRAMS)
    return programs is not None and programs.is_alive() and time.time() - programs.started < STARTING_S


def _swept_s_ago() -> float | None:
    try:
        return beats.swept_s_ago()
    except DatabaseError:
        return None


def _beat(data: Path) -> Check:
    """The sweep is due every few seconds; who asks for it is the beat."""
    late_after = SWEEPS_MISSED * knowledge_settings().sweep_s + 30
    while ((swept := _swept_s_ago()) is None or swept >= late_after) and _is_starting(data):
        time.sleep(1)
    return _finding(
        "beat",
        swept is not None and swept < late_after,
        "no sweep of the ledger yet" if swept is None else f"last sweep of the ledger {swept:.0f} s ago",
        "Start the server with `make run`, or the beat alone: `celery -A config.celery beat`. Without it lost messages and old bins stay as they are.",
    )


def _vectors() -> Check:
    """The active space has to be the embedder's: its size, and the fingerprint of what it does."""
    name = "vectors"
    embedder = HttpEmbedder(embedder_address, meter=LedgerMeter())
    try:
        info, space = embedder.info(), active_space()
        if space is None:
            return Check(name, True, f"{info.dims} dimensions; nothing embedded yet")
        fits = space.raw_dims == info.dims and space.fingerprint == known_fingerprint(info.fingerprint)
    except (TrellisError, DatabaseError) as error:
        return Check(name, False, str(error), "Look at the embedder's log, and run `manage.py migrate`.")
    finally:
        embedder.close()
    return _finding(
        name,
        fits,
        f"embedder {info.model} gives {info.dims}; the active space {space} wants {space.raw_dims}",
        "Go back to the model that the space was made with, or fill a space for the new one: `manage.py space`.",
    )


def _fact_vectors(is_embedder_ready: bool) -> Check:
    """Facts wait for their vectors for a moment; with a dead embedder for ever."""
    try:
        space = active_space()
        graphs = Graph.objects.select_related("skeleton")
        count = sum(waiting(graph, space.pk if space else None).count for graph in graphs)
    except DatabaseError as error:
        return Check("fact_vectors", False, str(error), "Run `manage.py migrate`.")
    found = f"{count} facts wait for a vector" if count else "every fact has one"
    advice = "They get them when the embedder answers again; it is the fault to mend."
    return _finding("fact_vectors", not count or is_embedder_ready, found, advice)


def _served() -> dict[str, list[str]]:
    """The queues that are served now, each with the workers that answered."""
    answers = app.control.inspect(timeout=WORKERS_ANSWER_WITHIN_S).active_queues() or {}
    found: dict[str, list[str]] = {}
    for worker in sorted(answers):
        for queue in answers[worker]:
            found.setdefault(queue["name"], []).append(worker)
    return found


def _queues(data: Path) -> Iterator[Check]:
    answers = _served()
    while not answers.keys() >= set(QUEUES) and _is_starting(data):
        answers = _served()
    with redis.Redis.from_url(redis_url(), socket_timeout=3) as client:
        waiting = {queue: int(client.llen(queue)) for queue in QUEUES}
    for queue in QUEUES:
        workers = answers.get(queue, [])
        found = f"{waiting[queue]} waiting, served by {', '.join(workers) or 'nobody'}"
        advice = f"Start a worker: `celery -A config.celery worker -Q {queue}`, or the whole server with `make run`."
        yield _finding(f"queue:{queue}", bool(workers), found, advice)


def _disk(data: Path) -> Check:
    place = next(folder for folder in (data, *data.parents) if folder.exists())
    free = shutil.disk_usage(place).free
    advice = f"Make room for {data}: reading stops and the database may halt when it is full."
    return _finding("disk", free > LOW_DISK_BYTES, f"{free / (1 << 30):.1f} GiB free", advice)


def _secret_key() -> Check:
    weak = is_weak(settings.SECRET_KEY)
    return _finding(
        "secret_key",
        not weak,
        "short or well known" if weak else "its own",
        "Leave TRELLIS_SECRET_KEY out, so that one is made and kept, or set 50 random characters.",
    )


def _secret_files(data: Path) -> Iterator[Check]:
    """Nobody but the owner may read them."""
    folder = data / "secrets"
    if folder.is_dir():
        open_ones = [file.name for file in sorted(folder.iterdir()) if stat.S_IMODE(file.stat().st_mode) & 0o077]
        found = f"readable by others: {', '.join(open_ones)}" if open_ones else "readable by the owner only"
        yield _finding("secret_files", not open_ones, found, f"Run `chmod 600 {folder}/*`.")

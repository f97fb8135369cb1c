"""The HNSW index of one embedding space, outside migrations, and the lock under which spaces come and go.

The expression and the literal space make it a partial index of that space alone; a query must use the same cast and the same literal (see `retrieval.arms.vector`).
"""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from django.db import connection
from django.utils.translation import gettext as _
from psycopg.sql import SQL, Composed, Identifier, Literal

from common.errors import Conflict
from inference.models import EmbeddingSpace
from knowledge.leases import connection_parameters

SPACES_LOCK = 7_301_001  # held shared by who writes vectors, alone by who makes or switches a space
PREPARING_LOCK = 7_301_002  # held by the one process that fits and fills

BUILD_MEMORY = "256MB"
# pgvector's usual ef_construction of 64 builds in a quarter of the time, but at 100,000 rows it finds two in a hundred true neighbours fewer.
CREATE = """
CREATE INDEX {concurrently} IF NOT EXISTS {name} ON knowledge_chunkvector
USING hnsw ((reduced::halfvec({dims})) halfvec_cosine_ops) WITH (ef_construction = 200) WHERE space_id = {space}
"""
IS_VALID = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)"


def index_name(space: EmbeddingSpace) -> str:
    """By the space's key and not its number, which another one may have had."""
    return f"chunkvector_near_{space.pk.hex}"


def create_index(space: EmbeddingSpace, *, concurrently: bool) -> None:
    """Build it. Concurrently: outside a transaction, while others read and write; what a killed build left is removed first."""
    if concurrently and not is_valid(space):
        drop_index(space)
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('maintenance_work_mem', %s, false)", [BUILD_MEMORY])
        try:
            cursor.execute(_create(space, concurrently=concurrently))
        finally:
            if not connection.needs_rollback:
                cursor.execute("RESET maintenance_work_mem")


def drop_index(space: EmbeddingSpace) -> None:
    """Remove it when it is there."""
    with connection.cursor() as cursor:
        cursor.execute(SQL("DROP INDEX IF EXISTS {}").format(Identifier(index_name(space))))


def is_valid(space: EmbeddingSpace) -> bool:
    """Whether the index is there and whole."""
    with connection.cursor() as cursor:
        cursor.execute(IS_VALID, [index_name(space)])
        row = cursor.fetchone()
    return bool(row and row[0])


def size_bytes(space: EmbeddingSpace) -> int:
    """Bytes of the index on disk, 0 when there is none."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT coalesce(pg_relation_size(to_regclass(%s)), 0)", [index_name(space)])
        row = cursor.fetchone()
    return int(row[0]) if row else 0


def hold_spaces(*, alone: bool) -> None:
    """Until the transaction ends, spaces stay as they are; alone, so that no vector is being written meanwhile."""
    function = "pg_advisory_xact_lock" if alone else "pg_advisory_xact_lock_shared"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(%s)", [SPACES_LOCK])


@contextmanager
def preparing() -> Iterator[None]:
    """One process at a time prepares spaces. Raises Conflict when another one does.

    The lock is held by a connection of its own: one from the pool may be handed on while it still holds it, and then nobody could prepare any more.
    """
    with psycopg.connect(**connection_parameters(), autocommit=True) as holder:
        row = holder.execute("SELECT pg_try_advisory_lock(%s)", [PREPARING_LOCK]).fetchone()
        if not (row and row[0]):
            raise Conflict(_("Another process is preparing an embedding space. Wait until it has ended."))
        yield


def _create(space: EmbeddingSpace, *, concurrently: bool) -> Composed:
    return SQL(CREATE).format(
        concurrently=SQL("CONCURRENTLY" if concurrently else ""),
        name=Identifier(index_name(space)),
        dims=Literal(space.dims),
        space=Literal(space.pk),
    )

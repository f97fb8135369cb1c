"""Statements that join whole tables, kept from going through one of them once for each row of the other."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper


@contextmanager
def joining_whole_tables() -> Iterator[CursorWrapper]:
    """A cursor inside a transaction whose joins are by hash or by order.

    PostgreSQL takes tables that it has no statistics of yet, and what a recursion gives, to have few rows, and would join them by nested loops: right after a large
    import, 2,000 entities with 4,000 relations took 16 s instead of 0.05.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('enable_nestloop'), set_config('enable_nestloop', 'off', true)")
        before, _off = cursor.fetchone()
        yield cursor
        cursor.execute("SELECT set_config('enable_nestloop', %s, true)", [before])

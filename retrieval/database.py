"""How the question path speaks SQL: one pool of asynchronous connections per event loop, a transaction per statement, a limit on the server's side.

Never the ORM, whose connections a stream would hold. Errors of the driver become ours here.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, LiteralString
from weakref import WeakKeyDictionary

import psycopg
from django.utils.translation import gettext_lazy as _
from psycopg import AsyncConnection
from psycopg.errors import QueryCanceled
from psycopg.rows import DictRow, dict_row
from psycopg.sql import SQL, Composed
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from common.errors import EngineTimeout, EngineUnavailable

Connection = AsyncConnection[DictRow]
Statement = LiteralString | Composed
Pool = AsyncConnectionPool[Connection]
# After a few runs PostgreSQL may keep one plan for all parameters; what fits one small knowledge base scans a big one.
OWN_PLAN = {"plan_cache_mode": "force_custom_plan"}


@dataclass(frozen=True, slots=True)
class Database:
    """PostgreSQL for questions. `url` is asked for when a loop first needs a pool, so that a test or an engine that moved is followed."""

    url: Callable[[], str]
    limit_s: float
    size: int = 8
    pools: "WeakKeyDictionary[asyncio.AbstractEventLoop, Pool]" = field(default_factory=WeakKeyDictionary)

    @asynccontextmanager
    async def transaction(self, *, settings: Mapping[str, str] | None = None) -> AsyncIterator[Connection]:
        """A read-only transaction whose statements the server ends after the limit. Raises EngineUnavailable, EngineTimeout."""
        try:
            pool = await self.pool()
            async with pool.connection(timeout=self.limit_s) as connection, connection.transaction():
                await connection.execute(
                    *local_settings({**OWN_PLAN, "statement_timeout": f"{self.limit_s:.3f}s", **(settings or {})})
                )
                yield connection
        except (QueryCanceled, PoolTimeout) as error:
            raise EngineTimeout(_("The database did not answer in time.")) from error
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            raise EngineUnavailable(_("The database can't be reached.")) from error

    async def rows(self, statement: Statement, parameters: Mapping[str, Any]) -> Sequence[DictRow]:
        """All rows of one statement, in a transaction of its own."""
        async with self.transaction() as connection:
            return await (await connection.execute(statement, parameters)).fetchall()

    async def pool(self) -> Pool:
        """This loop's pool, opened when first asked for."""
        loop = asyncio.get_running_loop()
        if loop not in self.pools:
            pool: Pool = AsyncConnectionPool(
                self.url(),
                min_size=1,
                max_size=self.size,
                open=False,
                check=AsyncConnectionPool.check_connection,
                kwargs={"row_factory": dict_row, "autocommit": True, "application_name": "trellis questions"},
                name="questions",
            )
            self.pools[loop] = pool
            await pool.open()
        return self.pools[loop]

    async def close(self) -> None:
        """Close this loop's pool; commands and tests call it before their loop ends."""
        pool = self.pools.pop(asyncio.get_running_loop(), None)
        if pool is not None:
            await pool.close()


def local_settings(settings: Mapping[str, str]) -> tuple[Composed, list[str]]:
    """One statement that sets them all until the transaction ends."""
    calls = SQL(", ").join([SQL("set_config(%s, %s, true)")] * len(settings))
    return SQL("SELECT {}").format(calls), [part for setting in settings.items() for part in setting]

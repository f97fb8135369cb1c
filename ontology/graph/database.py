"""The graph database for workers and commands: a synchronous client over the official driver that speaks with Neo4j and with the embedded engine alike.

It makes few attempts, each bounded, and gives errors of our own: EngineUnavailable when the server can't be reached, GraphFailed when it answers with a fault of its
own, GraphRefused when what was sent can't be stored. The driver is made when it is first needed, in the process that needs it.
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from django.utils.translation import gettext_lazy as _
from neo4j import Driver, GraphDatabase, Session
from neo4j.exceptions import (
    AuthError,
    ConstraintError,
    DriverError,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
    TransientError,
)

from common.errors import EngineRefused, EngineUnavailable
from ontology.graph.cypher import CONSTRAINTS

ATTEMPTS = 5
FIRST_WAIT_S = 0.05
CONNECT_S = 5.0
STATEMENT_S = 120.0
FETCH_ROWS = 1000

CUT_OFF = (ServiceUnavailable, SessionExpired, OSError)
# A value that the driver can't pack is one of the last three.
FAULTS = (Neo4jError, DriverError, OSError, ValueError, TypeError, OverflowError)
CONTENT_CODES = ("Neo.ClientError.Statement.", "Neo.ClientError.Schema.", "Neo.ClientError.Transaction.")

Result = TypeVar("Result")
Row = dict[str, Any]
Statement = tuple[str, Mapping[str, Any]]


class Server(Protocol):
    """Where a Bolt server is and who we are there."""

    @property
    def url(self) -> str: ...
    @property
    def user(self) -> str: ...
    @property
    def password(self) -> str: ...


class GraphFailed(EngineUnavailable):
    """The graph database answered that it could not do it, through no fault of what was sent."""

    code = "graph_failed"


class GraphRefused(EngineRefused):
    """What was sent can't be stored as it is; trying again does not help."""

    code = "graph_refused"


@dataclass(slots=True)
class GraphDatabaseClient:
    """`server` is asked again whenever a driver is made, because an embedded engine may move."""

    server: Callable[[], Server]
    statement_s: float = STATEMENT_S
    _driver: Driver | None = None
    _made_for: tuple[str, str, str] | None = None
    _is_prepared: bool = False
    _guard: threading.RLock = field(default_factory=threading.RLock)

    def rows(self, statement: str, **parameters: Any) -> list[Row]:
        """All rows of one statement that only reads."""
        return self._attempts(lambda session: self._in_transaction(session, [(statement, parameters)])[-1])

    def write(self, statements: Sequence[Statement]) -> list[list[Row]]:
        """Several statements in one transaction, all or none; the rows of each. Without any it does nothing."""
        if not statements:
            return []
        return self._attempts(lambda session: self._in_transaction(session, statements))

    def stream(self, statement: str, **parameters: Any) -> Iterator[Row]:
        """Rows of one statement as they come, in flat memory; one attempt."""
        with self._session() as session, translated():
            for record in session.run(statement, parameters):
                yield record.data()

    def prepare(self) -> None:
        """Make the constraints, once a process."""
        if self._is_prepared:
            return
        for constraint in CONSTRAINTS:
            self._attempts(lambda session, one=constraint: session.run(one).consume())  # type: ignore[misc]
        self._is_prepared = True

    def version(self) -> str:
        """What the server calls itself. Raises EngineUnavailable."""
        with translated():
            return self._open().get_server_info().agent

    def close(self) -> None:
        """Let the driver go; the next statement makes another."""
        with self._guard:
            driver, self._driver, self._is_prepared = self._driver, None, False
        if driver is not None:
            driver.close()

    def _in_transaction(self, session: Session, statements: Sequence[Statement]) -> list[list[Row]]:
        with session.begin_transaction(timeout=self.statement_s) as transaction:
            found = [
                [record.data() for record in transaction.run(text, dict(parameters))] for text, parameters in statements
            ]
            transaction.commit()
        return found

    def _attempts(self, act: Callable[[Session], Result]) -> Result:
        """Once more after what may go away by itself: transient errors, races for a constraint, a connection that was cut."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                with self._session() as session:
                    return act(session)
            except FAULTS as error:
                if attempt >= attempts_for(error):
                    raise translation_of(error) from error
                if isinstance(error, CUT_OFF):
                    self.close()  # the server may have moved
            time.sleep(FIRST_WAIT_S * 2**attempt)
        raise AssertionError("the last attempt returns or raises")

    @contextmanager
    def _session(self) -> Iterator[Session]:
        with self._open().session(fetch_size=FETCH_ROWS) as session:
            yield session

    def _open(self) -> Driver:
        with self._guard:
            server = self.server()
            wanted = (server.url, server.user, server.password)
            if self._driver is None or self._made_for != wanted:
                self.close()
                self._driver = GraphDatabase.driver(
                    server.url,
                    auth=(server.user, server.password),
                    connection_timeout=CONNECT_S,
                    connection_acquisition_timeout=CONNECT_S,
                    max_transaction_retry_time=0,
                    keep_alive=True,
                )
                self._made_for = wanted
            return self._driver


def attempts_for(error: Exception) -> int:
    """How often what ended like this is tried. A dead server is not worth many."""
    if isinstance(error, CUT_OFF):
        return 2
    return ATTEMPTS if isinstance(error, (TransientError, ConstraintError)) else 1


def translation_of(error: Exception) -> EngineUnavailable | GraphRefused:
    """An error of the driver as one of ours."""
    if isinstance(error, AuthError):
        return EngineUnavailable(_("The graph database does not let us in: check NEO4J_USER and NEO4J_PASSWORD."))
    if isinstance(error, CUT_OFF):
        return EngineUnavailable(_("The graph database can't be reached."))
    said = str(getattr(error, "message", None) or error)[:500]
    if isinstance(error, (Neo4jError, DriverError)) and not is_about_content(error):
        return GraphFailed(_("The graph database failed: %(said)s") % {"said": said})
    return GraphRefused(_("The graph database can't store it: %(said)s") % {"said": said})


def is_about_content(error: Exception) -> bool:
    """Whether fewer or other rows might be taken."""
    code = getattr(error, "code", None) or ""
    return code.startswith(CONTENT_CODES)


@contextmanager
def translated() -> Iterator[None]:
    """Errors of the driver inside become ours."""
    try:
        yield
    except (Neo4jError, DriverError, OSError) as error:
        raise translation_of(error) from error

"""Errors of the driver: which are tried again, and as what they reach the projector."""

import pytest
from neo4j.exceptions import (
    AuthError,
    ClientError,
    ConstraintError,
    CypherTypeError,
    DatabaseError,
    ServiceUnavailable,
    SessionExpired,
    TransientError,
)

from common.errors import EngineUnavailable
from ontology.graph.database import (
    ATTEMPTS,
    GraphDatabaseClient,
    GraphFailed,
    GraphRefused,
    attempts_for,
    translation_of,
)


def server_said(kind, code):
    error = kind("it says no")
    error._neo4j_code = code
    return error


RACE = server_said(ConstraintError, "Neo.ClientError.Schema.ConstraintValidationFailed")
DEADLOCK = server_said(TransientError, "Neo.TransientError.Transaction.DeadlockDetected")
TYPE = server_said(CypherTypeError, "Neo.ClientError.Statement.TypeError")
LOST = server_said(ClientError, "Neo.ClientError.Database.DatabaseNotFound")
BROKEN = server_said(DatabaseError, "Neo.DatabaseError.General.UnknownError")


@pytest.mark.parametrize(
    ("error", "attempts"),
    [
        (RACE, ATTEMPTS),
        (DEADLOCK, ATTEMPTS),
        (ServiceUnavailable("gone"), 2),
        (SessionExpired("gone"), 2),
        (ConnectionRefusedError(), 2),
        (TYPE, 1),
        (BROKEN, 1),
        (OverflowError("too big"), 1),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_may_pass_is_tried_again_and_a_dead_server_only_once_more(error, attempts):
    assert attempts_for(error) == attempts


@pytest.mark.parametrize(
    ("error", "ours"),
    [
        (ServiceUnavailable("gone"), EngineUnavailable),
        (ConnectionResetError(), EngineUnavailable),
        (server_said(AuthError, "Neo.ClientError.Security.Unauthorized"), EngineUnavailable),
        (BROKEN, GraphFailed),
        (LOST, GraphFailed),
        (DEADLOCK, GraphFailed),
        (TYPE, GraphRefused),
        (RACE, GraphRefused),
        (OverflowError("too big"), GraphRefused),
        (ValueError("no"), GraphRefused),
    ],
    ids=lambda value: getattr(value, "__name__", type(value).__name__),
)
def test_errors_become_ours(error, ours):
    assert type(translation_of(error)) is ours


def test_only_content_is_refused_so_that_a_fault_of_the_server_sets_nothing_aside():
    assert not issubclass(GraphFailed, GraphRefused)
    assert GraphFailed.retryable
    assert not GraphRefused.retryable


def test_without_statements_nobody_is_asked():
    def nowhere():
        raise AssertionError

    assert GraphDatabaseClient(nowhere).write([]) == []

"""Before the tables are emptied for the next test, whoever still works in the test's database is waited for, then ended."""

import psycopg
import pytest
from django.db import connection

from tests import conftest


@pytest.fixture
def other(transactional_db):
    wanted = connection.get_connection_params()
    with psycopg.connect(**{key: wanted[key] for key in ("host", "port", "user", "password", "dbname")}) as opened:
        yield opened


def test_a_connection_that_stays_in_a_transaction_is_ended(other, monkeypatch):
    monkeypatch.setattr(conftest, "OTHERS_PATIENCE_S", 0.05)
    other.execute("SELECT count(*) FROM accounts_department")

    conftest.quiet_the_database()

    with pytest.raises(psycopg.OperationalError):
        other.execute("SELECT 1")


def test_an_idle_connection_is_left(other):
    other.execute("SELECT count(*) FROM accounts_department")
    other.commit()

    conftest.quiet_the_database()

    assert other.execute("SELECT 1").fetchone() == (1,)

"""What all tests share: a PostgreSQL of their own from the wheel, started when the first test needs it."""

import gc
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from config.databases import django_database
from config.embedded.postgres import PostgresEngine

# No example has to hurry: the machine is busy with other tests. CI looks at the same examples each time, and half as many, so that what lands is decided by the change.
hypothesis.settings.register_profile("patient", deadline=None)
hypothesis.settings.register_profile("ci", derandomize=True, deadline=None, max_examples=50)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "patient")


# Java engines that live for seconds: compiled once and simply, collected by one thread. A quarter less CPU time for the tests of the graph.
os.environ.setdefault("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")

OTHERS_PATIENCE_S = 3
OTHERS_AT_WORK = """
    SELECT {deed} FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend' AND state <> 'idle'
"""


def pytest_configure() -> None:
    """Static files straight from their folders, passwords hashed fast, and no database emptied under somebody's hands."""
    from django.conf import settings
    from django.test import TransactionTestCase

    TransactionTestCase._fixture_teardown = lambda case: empty_the_database()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)  # the imported half of Django lives as long as the tests do

    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    settings.WHITENOISE_AUTOREFRESH = True
    settings.WHITENOISE_USE_FINDERS = True
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


LONGEST_FIRST = ("tests/browser/", "tests/engines/", "tests/stories/", "tests/api/", "tests/db/", "tests/unit/")
SHARE_A_SERVER = ("tests/browser/", "tests/engines/ontology/")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Those that take longest first, so that no process ends the others' day with them."""
    items.sort(key=lambda item: next((n for n, path in enumerate(LONGEST_FIRST) if item.nodeid.startswith(path)), 99))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """File by file, but those that share a server on one process: the browser's, and a graph database that each test empties."""
    from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]

    class Together(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            shared = next((path for path in SHARE_A_SERVER if nodeid.startswith(path)), None)
            return shared or super()._split_scope(nodeid)

    return Together(config, log)


def quiet_the_database() -> None:
    """Wait until no other connection is at work, and end those that stay: emptying all tables beside a transaction can end as a deadlock.

    A process that was killed leaves its last statement running in the server; a thread that a deadline gave up goes on for a while.
    """
    from django.db import connection

    if connection.in_atomic_block:
        return
    until = time.monotonic() + OTHERS_PATIENCE_S
    with connection.cursor() as cursor:
        while time.monotonic() < until:
            cursor.execute(OTHERS_AT_WORK.format(deed="count(*)"))
            if cursor.fetchone() == (0,):
                return
            time.sleep(0.02)
        cursor.execute(OTHERS_AT_WORK.format(deed="pg_terminate_backend(pid, 5000)"))


KEPT = {"django_content_type", "auth_permission", "django_migrations"}
MANY_ROWS = 2000


def empty_the_database() -> None:
    """What Django's `flush` leaves, in a tenth of its time: only tables that have rows, and no permissions made anew.

    Rows by the thousand go by `flush`, which leaves none of them dead in an index for the next test.
    """
    from django.core.management import call_command
    from django.db import connection, transaction

    quiet_the_database()
    names = sorted({*connection.introspection.django_table_names(only_existing=True, include_views=False)} - KEPT)
    quoted = {name: connection.ops.quote_name(name) for name in names}
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(f"(SELECT '{name}' FROM {table} LIMIT 1)" for name, table in quoted.items()))
        filled = [quoted[name] for (name,) in cursor.fetchall()]
        cursor.execute("SET LOCAL session_replication_role = replica")  # foreign keys are not asked
        gone = 0
        for table in filled:
            cursor.execute(f"DELETE FROM {table}")
            gone += cursor.rowcount
        if gone > MANY_ROWS:
            transaction.set_rollback(True)
    if gone > MANY_ROWS:
        call_command("flush", verbosity=0, interactive=False, allow_cascade=False, inhibit_post_migrate=False)


@pytest.fixture(autouse=True)
def own_language() -> None:
    """Each test begins in the language of the settings, whatever a page before it was asked for in."""
    from django.utils import translation

    translation.deactivate()


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgresEngine]:
    """The embedded PostgreSQL with its data in a temporary folder, without fsync."""
    engine = PostgresEngine(Path(tmp_path_factory.mktemp("postgres")), profile="test")
    engine.start()
    yield engine
    engine.stop()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(postgres: PostgresEngine) -> None:
    """Point Django at it before pytest-django makes the test database."""
    from django.conf import settings
    from django.db import connections

    wanted = django_database(postgres.url, pool_size=8)
    settings.DATABASES["default"].update(wanted)
    connections["default"].settings_dict.update(wanted)

"""The database is migrated after a dump, and never by an older release."""

from pathlib import Path

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from common.errors import Misconfigured
from config import schema


@pytest.fixture(autouse=True)
def migrated(db, settings):
    """The tests' database is made from the models; here it is one that all migrations have been applied to."""
    settings.MIGRATION_MODULES = {}
    for app, name in MigrationExecutor(connection).loader.disk_migrations:
        MigrationRecorder(connection).record_applied(app, name)


def test_data_of_a_newer_release_is_refused() -> None:
    MigrationRecorder(connection).record_applied("accounts", "0999_from_the_future")
    with pytest.raises(Misconfigured, match=r"newer release.*accounts\.0999_from_the_future"):
        schema.refuse_newer(MigrationExecutor(connection))


def test_an_application_that_is_no_longer_installed_does_not_count() -> None:
    MigrationRecorder(connection).record_applied("left_long_ago", "0001_initial")
    schema.refuse_newer(MigrationExecutor(connection))


def test_nothing_is_done_when_nothing_is_pending(tmp_path: Path) -> None:
    assert not schema.bring_up_to_date(tmp_path)
    assert not (tmp_path / "VERSION").exists()


def test_what_was_not_applied_is_pending() -> None:
    MigrationRecorder(connection).record_unapplied("ontology", "0001_initial")
    assert schema.is_pending(MigrationExecutor(connection))

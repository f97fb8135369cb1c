"""What all tests share: a PostgreSQL of their own from the wheel, started when the first test needs it."""

import os
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from config.databases import django_database
from config.embedded.postgres import PostgresEngine

# CI looks at the same examples each time, so that what lands is decided by the change; everywhere else Hypothesis goes on searching.
hypothesis.settings.register_profile("ci", derandomize=True, deadline=None)
if os.environ.get("CI"):
    hypothesis.settings.load_profile("ci")


def pytest_configure() -> None:
    """Static files straight from their folders, and passwords hashed fast."""
    from django.conf import settings

    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    settings.WHITENOISE_AUTOREFRESH = True
    settings.WHITENOISE_USE_FINDERS = True
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


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

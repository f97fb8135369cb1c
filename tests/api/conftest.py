"""What tests over HTTP share: the server's tools bound to a temporary folder, and a small world that is made once for all routes."""

from collections.abc import Iterator

import pytest
from django.test import override_settings

from knowledge import tools as reading
from retrieval import tools as asking
from tests.api.world import World, make_world
from tests.conftest import empty_the_database
from tests.factories import make_tools


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """Committed, so that connections of their own see it; removed after the module."""
    with django_db_blocker.unblock(), override_settings(AXES_ENABLED=False):
        made = make_world(tmp_path_factory.mktemp("world"))
        before = list(reading._made), list(asking._made)
        reading.bind(lambda: made.corpus.tools)
        used = make_tools()
        asking.bind(lambda: used)
        yield made
        reading._made[:], asking._made[:] = before
        reading.tools.cache_clear()
        empty_the_database()

"""The page of queues and engines for an operator whose broker hangs: it takes connections and says nothing."""

import socket

import pytest

from config.conf import engine_settings
from knowledge import queue


@pytest.fixture
def hung_broker(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        monkeypatch.setenv("REDIS_URL", f"redis://127.0.0.1:{listener.getsockname()[1]}/0")
        engine_settings.cache_clear()
        yield
    engine_settings.cache_clear()


def test_a_broker_that_hangs_is_waited_for_once(hung_broker, browse, monkeypatch):
    asked: list[str] = []
    monkeypatch.setattr(queue, "waiting_in", asked.append)

    assert browse("operator").get("/admin/queues/").status_code == 200
    assert asked == []

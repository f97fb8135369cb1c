"""A broker that is down never fails an upload; what it did not hear of is found by the sweep when it is back."""

import socket

from config.celery import app
from knowledge import queue
from knowledge.models import StageRun
from knowledge.sweeping import requeue
from tests.stories.knowledge.conftest import forget_connections


def nobody() -> str:
    """An address where nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"redis://127.0.0.1:{taken.getsockname()[1]}/0"


def test_an_upload_succeeds_without_a_broker_and_is_queued_later(broker, send):
    app.conf.broker_url = app.conf.broker_write_url = nobody()
    forget_connections()

    job = send("a.md", "The pump stops.")

    assert job.items.get().outcome == "new"
    assert not StageRun.objects.exclude(queued_at=None).exists()
    assert requeue() == 0

    app.conf.broker_url = app.conf.broker_write_url = broker.url
    forget_connections()

    assert requeue() == 1
    assert queue.waiting_in(queue.INDEXING) == 1
    assert requeue() == 0

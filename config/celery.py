"""The Celery application: two queues, `indexing` for reading documents and `short` for everything that is over in seconds.

Who does what twice is decided by leases in the ledger, not by the broker: tasks are acknowledged late and may come again.
"""

import os
from contextlib import suppress

from celery import Celery, signals
from kombu.exceptions import OperationalError

from knowledge.conf import knowledge_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("trellis")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.update(
    task_default_queue="short",
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    worker_prefetch_multiplier=1,
    task_ignore_result=True,
    broker_connection_retry_on_startup=True,
    # One attempt: who uploads must not wait for a broker that is away; the sweep of the ledger repairs it.
    broker_transport_options={
        "visibility_timeout": 3600,
        "socket_timeout": 5,
        "socket_connect_timeout": 5,
        "max_retries": 1,
    },
    worker_max_memory_per_child=knowledge_settings().worker_memory_mb * 1024 // 2,
    beat_schedule={
        "sweep": {
            "task": "knowledge.tasks.sweep",
            "schedule": knowledge_settings().sweep_s,
            "options": {"expires": 60},
        },
        "tend-graphs": {
            "task": "ontology.tasks.tend",
            "schedule": 20.0,
            "options": {"expires": 20, "queue": "indexing"},
        },
        "tend": {
            "task": "knowledge.tasks.tend",
            "schedule": 60.0,
            "options": {"expires": 60, "queue": "indexing"},
        },
        "project": {
            "task": "ontology.tasks.project_what_waits",
            "schedule": 15.0,
            "options": {"expires": 15},
        },
    },
    worker_hijack_root_logger=False,
    timezone="UTC",
)
app.autodiscover_tasks()


@signals.celeryd_init.connect
def add_steps(**_more: object) -> None:
    """Signs of life: added when a worker begins, because the models that they need are loaded by then and not before."""
    from knowledge.workers import SignsOfLife

    app.steps["worker"].add(SignsOfLife)


@signals.beat_init.connect
def sweep_at_once(**_more: object) -> None:
    """What was lost while the server was away is not left until the first interval is over. Without a broker the next sweep comes by itself."""
    with suppress(OperationalError):
        app.send_task("knowledge.tasks.sweep", expires=60)

"""A Celery worker for stories: reads with the hash embedder, and stands still at a chosen place once, so that a test can do something to it there.

Each message that a worker is done with leaves a file `ended-NAME` in PAUSE_FOLDER.

PAUSE_AT is "stage:n": before the n-th batch of that stage is stored, a file with the child's pid is written to PAUSE_FOLDER, and the child waits until the
file `go` is there. Whoever comes to that place later finds the file of the first and goes on. In that stage a document called `dies.md` ends its reader as
the system does when memory is short, each time, and one called `eats.md` wants more memory than a worker may have.
"""

import os
import signal
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import django
from celery.signals import task_postrun

from config.celery import app

django.setup()

from config import wiring  # noqa: E402
from inference.hash_embedder import HashEmbedder  # noqa: E402
from knowledge import tools as tools_of_process  # noqa: E402
from knowledge.leases import Lease  # noqa: E402
from knowledge.models import Version  # noqa: E402
from knowledge.ports import Step  # noqa: E402
from knowledge.tools import Tools  # noqa: E402

FOLDER = Path(os.environ["PAUSE_FOLDER"])
STAGE, _, PLACE = os.environ.get("PAUSE_AT", "none:1").partition(":")


class PausingLease:
    """A lease that stands still before one of its batches."""

    def __init__(self, lease: Lease) -> None:
        self.lease = lease
        self.batches = 0

    def check(self) -> None:
        self.batches += 1
        if self.batches == int(PLACE):
            pause()
        self.lease.check()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.lease, name)


def pause() -> None:
    """Say who is here, and wait."""
    try:
        with (FOLDER / "paused").open("x") as file:
            file.write(str(os.getpid()))
    except FileExistsError:
        return
    while not (FOLDER / "go").exists():
        time.sleep(0.02)


@task_postrun.connect
def leave_a_trace(task: Any, **_: Any) -> None:
    (FOLDER / f"ended-{task.request.hostname}").touch()


@dataclass(frozen=True, slots=True)
class PausingStep:
    """The real step, with the lease that stands still."""

    step: Step
    name: str

    def is_done(self, version: Version) -> bool:
        return self.step.is_done(version)

    def run(self, version: Version, lease: Lease, tools: Tools) -> None:
        if version.document.path == "dies.md":
            os.kill(os.getpid(), signal.SIGKILL)
        if version.document.path == "eats.md":
            bytearray(8 << 30)
        self.step.run(version, PausingLease(lease), tools)  # type: ignore[arg-type]

    def forget(self, version: Version) -> None:
        self.step.forget(version)


def tools() -> Tools:
    made = wiring.knowledge_tools()
    way_in = tuple(PausingStep(step, step.name) if step.name == STAGE else step for step in made.way_in)
    return replace(made, embedder=HashEmbedder(), way_in=way_in)


tools_of_process.bind(tools)
app.conf.broker_transport_options = {
    **app.conf.broker_transport_options,
    "visibility_timeout": int(os.environ.get("VISIBILITY_S", "3600")),
}

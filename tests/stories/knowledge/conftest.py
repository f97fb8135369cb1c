"""What stories of the way in share: a real broker, real workers that can be killed, people, and files."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from django.db import connections
from kombu import pools

from accounts.models import Department, User
from accounts.subjects import subject_of_user
from accounts.types import Subject
from common.storage import FolderStorage
from config.celery import app
from config.conf import PROJECT
from config.embedded.valkey import ValkeyEngine
from inference.hash_embedder import HashEmbedder
from knowledge.ingest import WAY_IN
from knowledge.models import Document, Job, KnowledgeBase, Membership, Role
from knowledge.services.uploads import upload
from knowledge.tools import Tools
from knowledge.uploading import IncomingFile
from knowledge.words.split import WordSplitter

PATIENCE_S = 180
LEASE_S = 4


def until(what: Callable[[], Any], *, patience_s: float = PATIENCE_S) -> Any:
    """The first true value; fails when there is none in time."""
    end = time.monotonic() + patience_s
    while time.monotonic() < end:
        if found := what():
            return found
        time.sleep(0.1)
    pytest.fail("It did not happen in time.")


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ValkeyEngine]:
    engine = ValkeyEngine(Path(tmp_path_factory.mktemp("valkey")))
    engine.start()
    yield engine
    engine.stop()


@pytest.fixture
def broker(valkey: ValkeyEngine) -> Iterator[ValkeyEngine]:
    """The broker with empty queues, and this process's Celery pointed at it."""
    before = app.conf.broker_url
    app.conf.broker_url = app.conf.broker_write_url = app.conf.broker_read_url = valkey.url
    forget_connections()
    with app.connection_for_write() as wire:
        wire.default_channel.client.flushall()
    yield valkey
    app.conf.broker_url = app.conf.broker_write_url = app.conf.broker_read_url = before
    forget_connections()


def forget_connections() -> None:
    """Celery keeps pools by address; the next message opens new ones."""
    pools.reset()
    app._pool = None
    app.amqp._producer_pool = None


def database_address() -> str:
    return "postgresql://{USER}:{PASSWORD}@{HOST}:{PORT}/{NAME}".format(**connections["default"].settings_dict)


@pytest.fixture(scope="session")
def forking(
    valkey: ValkeyEngine, django_db_setup: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator["subprocess.Popen[str]"]:
    """The process that all workers of a session are forked from."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.stories.knowledge.forked_workers"],
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={
            **os.environ,
            "TRELLIS_DATA_DIR": str(tmp_path_factory.mktemp("forking")),
            "DATABASE_URL": database_address(),
            "REDIS_URL": valkey.url,
            "CELERY_SKIP_CHECKS": "1",
        },
    )
    yield process
    process.communicate()


class Workers:
    """Starts workers and ends those that a test left alive."""

    def __init__(self, folder: Path, forking: "subprocess.Popen[str]") -> None:
        self.folder = folder
        self.forking = forking
        self.processes: list[psutil.Process] = []

    def start(self, *, pause_at: str = "none:1", queues: str = "indexing,short", **environment: str) -> psutil.Process:
        name = f"w{len(self.processes)}"
        asked = {
            "arguments": [
                *("-c", "1", "-Q", queues, "-n", f"{name}@story"),
                *("--without-mingle", "--without-gossip", "--loglevel", "WARNING"),
            ],
            "log": str(self.folder / f"{name}.log"),
            "environment": {
                "TRELLIS_DATA_DIR": str(self.folder),
                "TRELLIS_LEASE_S": str(LEASE_S),
                "TRELLIS_HEARTBEAT_S": "0.5",
                "PAUSE_AT": pause_at,
                "PAUSE_FOLDER": str(self.folder),
                **environment,
            },
        }
        assert self.forking.stdin
        assert self.forking.stdout
        print(json.dumps(asked), file=self.forking.stdin, flush=True)
        self.processes.append(psutil.Process(int(self.forking.stdout.readline())))
        return self.processes[-1]

    def paused(self) -> int:
        """The pid of the child that stands still; waits for it."""
        file = self.folder / "paused"
        return int(until(lambda: file.exists() and file.read_text()))

    def go(self) -> None:
        """Let it go on."""
        (self.folder / "go").touch()

    def ended_a_task(self, name: str) -> bool:
        """Whether this worker (`w0`, `w1` …, as they were started) was given a message and is done with it."""
        return (self.folder / f"ended-{name}@story").exists()

    def kill(self, process: psutil.Process) -> None:
        """kill −9 for a worker and its children."""
        for child in process.children(recursive=True):
            child.kill()
        process.kill()
        process.wait()

    def end(self) -> None:
        for process in self.processes:
            if process.is_running():
                self.kill(process)

    def log(self) -> str:
        return "\n".join(path.read_text(errors="replace")[-3000:] for path in sorted(self.folder.glob("w*.log")))


@pytest.fixture
def workers(
    broker: ValkeyEngine, forking: "subprocess.Popen[str]", tmp_path: Path, transactional_db: None
) -> Iterator[Workers]:
    """Workers on the test's database; they end before it is emptied."""
    started = Workers(tmp_path, forking)
    yield started
    started.end()
    print(started.log())  # shown when the test fails


@pytest.fixture
def tools(tmp_path: Path) -> Tools:
    return Tools(
        storage=FolderStorage(tmp_path / "storage"), embedder=HashEmbedder(), splitter=WordSplitter(), way_in=WAY_IN
    )


@pytest.fixture
def kb(transactional_db: None) -> KnowledgeBase:
    return KnowledgeBase.objects.create(
        slug="pumps", name="Pumps", department=Department.objects.create(name="Service")
    )


@pytest.fixture
def editor(kb: KnowledgeBase) -> Subject:
    user = User.objects.create(username="edith", department=kb.department)
    Membership.objects.create(kb=kb, user=user, role=Role.EDITOR)
    return subject_of_user(user)


Send = Callable[..., Job]


@pytest.fixture
def send(editor: Subject, kb: KnowledgeBase, tools: Tools) -> Send:
    """`send("a.md", text)` uploads; the reading is queued unless `enqueue=False`."""

    def sent(path: str, text: str, *, enqueue: bool = True) -> Job:
        return upload(subject=editor, kb=kb, files=[IncomingFile(path, text.encode())], tools=tools, enqueue=enqueue)

    return sent


def long_text(paragraphs: int) -> str:
    """Paragraphs that differ, each about a chunk long."""
    words = ["pump", "valve", "seal", "water", "heat", "motor", "shaft", "bearing", "oil", "filter"]
    lines = []
    for number in range(paragraphs):
        sentence = " ".join(words[(number + place) % len(words)] for place in range(12))
        lines.append(" ".join(f"Part {number} step {step}: {sentence}." for step in range(16)))
    return "\n\n".join(lines)


def is_read(document: Document) -> bool:
    """Whether readers see its newest version."""
    newest = document.versions.order_by("-number").values_list("pk", flat=True).first()
    return Document.objects.filter(pk=document.pk, live_version_id=newest).exists()

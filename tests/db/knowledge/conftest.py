"""What tests of the way in share: tools without a model, people, a knowledge base, and a short way from bytes to a read document."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from accounts.models import Department, User
from accounts.subjects import subject_of_user
from accounts.types import Subject
from common.storage import FolderStorage
from inference.hash_embedder import HashEmbedder
from knowledge.ingest import WAY_IN, ingest
from knowledge.models import Document, Job, KnowledgeBase, Membership, Role, Version
from knowledge.services.uploads import upload
from knowledge.tools import Tools
from knowledge.uploading import IncomingFile


class PlainWords:
    """Latin words, for tests that are not about words."""

    def terms(self, text: str) -> "Counter[str]":
        return Counter(re.findall(r"[a-z0-9]+", text.lower()))


@pytest.fixture
def tools(tmp_path: Path) -> Tools:
    return Tools(
        storage=FolderStorage(tmp_path / "storage"), embedder=HashEmbedder(), splitter=PlainWords(), way_in=WAY_IN
    )


@pytest.fixture
def department(db: None) -> Department:
    return Department.objects.create(name="Service")


@pytest.fixture
def kb(department: Department) -> KnowledgeBase:
    return KnowledgeBase.objects.create(slug="pumps", name="Pumps", department=department)


@pytest.fixture
def editor(kb: KnowledgeBase, department: Department) -> Subject:
    user = User.objects.create(username="edith", department=department)
    Membership.objects.create(kb=kb, user=user, role=Role.EDITOR)
    return subject_of_user(user)


@pytest.fixture
def viewer(kb: KnowledgeBase, department: Department) -> Subject:
    user = User.objects.create(username="vera", department=department)
    Membership.objects.create(kb=kb, user=user, role=Role.VIEWER)
    return subject_of_user(user)


@pytest.fixture
def stranger(db: None) -> Subject:
    return subject_of_user(User.objects.create(username="stan", department=Department.objects.create(name="Elsewhere")))


Send = Callable[..., Job]


@pytest.fixture
def send(editor: Subject, kb: KnowledgeBase, tools: Tools) -> Send:
    """`send({"a.md": "text"})` uploads and reads nothing."""

    def sent(files: dict[str, str | bytes], **said: Any) -> Job:
        incoming = [
            IncomingFile(path, text.encode() if isinstance(text, str) else text, said=said)
            for path, text in files.items()
        ]
        return upload(subject=editor, kb=kb, files=incoming, tools=tools, enqueue=False)

    return sent


@pytest.fixture
def read(send: Send, tools: Tools) -> Callable[..., Document]:
    """`read("a.md", "text")` uploads, reads and gives the document."""

    def whole(path: str, text: str | bytes, **said: Any) -> Document:
        item = send({path: text}, **said).items.get()
        ingest(Version.objects.select_related("document__kb").get(pk=item.version_id), tools)
        return Document.objects.get(pk=item.document_id)

    return whole

"""People, knowledge bases and documents for tests, made the way the product makes them: files go the whole way in, with a model that hashes words."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import connections
from psycopg.conninfo import make_conninfo

from accounts.models import Department, User
from accounts.subjects import subject_of_user
from accounts.types import Subject
from common.conf import load_settings
from common.storage import FolderStorage
from inference.hash_embedder import HashEmbedder
from inference.ports import ChatEngine
from knowledge.ingest import WAY_IN, ingest
from knowledge.models import Document, KnowledgeBase, Membership, Role, Version
from knowledge.services.uploads import upload
from knowledge.tools import Tools as ReadingTools
from knowledge.uploading import IncomingFile
from knowledge.words.split import WordSplitter
from retrieval.answerers.model import ModelAnswerer
from retrieval.answerers.quoting import QuotingAnswerer
from retrieval.arms.keyword import KeywordArm
from retrieval.arms.vector import VectorArm
from retrieval.conf import RetrievalSettings
from retrieval.database import Database
from retrieval.services import StoredCitations
from retrieval.tools import Tools, limits_from

WORDS = WordSplitter()
PATIENT = {"embed_limit_s": 60, "arm_limit_s": 60, "pack_limit_s": 60, "generate_limit_s": 60, "answer_limit_s": 300}


def make_department(name: str = "Service") -> Department:
    return Department.objects.get_or_create(name=name)[0]


def make_user(username: str, *, department: str = "Service", **fields: Any) -> User:
    user = User(username=username, department=make_department(department), **fields)
    user.set_password("correct horse battery")
    user.save()
    return user


def make_member(username: str, kb: KnowledgeBase, role: Role = Role.VIEWER, **fields: Any) -> User:
    """A person with a role in a knowledge base."""
    user = make_user(username, **fields)
    Membership.objects.create(kb=kb, user=user, role=role)
    return user


def make_kb(slug: str = "pumps", *, department: str = "Service") -> KnowledgeBase:
    return KnowledgeBase.objects.create(slug=slug, name=slug.capitalize(), department=make_department(department))


@dataclass
class Corpus:
    """A knowledge base that texts can be read into. `subject` is the server itself."""

    kb: KnowledgeBase
    folder: Path
    subject: Subject = field(default_factory=Subject.system)

    def __post_init__(self) -> None:
        self.tools = ReadingTools(
            storage=FolderStorage(self.folder / "storage"),
            embedder=HashEmbedder(),
            splitter=WORDS,
            way_in=WAY_IN,
            citations=StoredCitations(),
        )

    def read(self, path: str, text: str | bytes, **said: Any) -> Document:
        """Upload, read, publish."""
        content = text.encode() if isinstance(text, str) else text
        incoming = [IncomingFile(path, content, said=said)]
        job = upload(subject=self.subject, kb=self.kb, files=incoming, tools=self.tools, enqueue=False)
        item = job.items.get()
        assert item.version_id is not None, item.error
        ingest(Version.objects.select_related("document__kb").get(pk=item.version_id), self.tools)
        assert item.document_id is not None
        return Document.objects.get(pk=item.document_id)


def database_url_of_tests() -> str:
    """The database of the tests, for connections that are not Django's."""
    wanted = connections["default"].settings_dict
    parts = {key.lower(): wanted[key] for key in ("HOST", "PORT", "USER", "PASSWORD") if wanted[key]}
    return make_conninfo("", dbname=wanted["NAME"], **parts)


def make_tools(*, engine: ChatEngine | None = None, embedder: Any = None, **limits: float) -> Tools:
    """What questions are answered with, over the tests' database; `limits` are fields of RetrievalSettings. Without them nothing is ever too slow."""
    settings = load_settings(RetrievalSettings).model_copy(update={**PATIENT, **limits})
    database = Database(database_url_of_tests, limit_s=settings.arm_limit_s, size=4)
    keyword = KeywordArm(database, WORDS)
    answerers: dict[str, Any] = {"quote": QuotingAnswerer(WORDS, keyword)}
    if engine is not None:
        answerers["model"] = ModelAnswerer(engine, WORDS, settings)
    return Tools(
        database=database,
        embedder=embedder or HashEmbedder(),
        arms=(VectorArm(database), keyword),
        answerers=answerers,
        limits=limits_from(settings),
        settings=settings,
    )


def subject_for(user: User) -> Subject:
    return subject_of_user(user)

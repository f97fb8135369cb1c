"""A small world for tests over all routes: one knowledge base with one of everything, and people and keys that stand in every relation to it."""

from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

from django.conf import settings
from django.test import Client

from accounts.models import User
from accounts.services.keys import key_create
from accounts.types import Subject
from knowledge.models import (
    Chunk,
    Document,
    Job,
    KeyGrant,
    KnowledgeBase,
    Membership,
    Role,
    StoredPicture,
    Upload,
    Version,
)
from knowledge.services.bin import document_bin
from knowledge.services.uploads import upload_stage
from knowledge.uploading import IncomingFile
from ontology.graphs import source_of
from ontology.models import (
    AttributeValue,
    Entity,
    Evidence,
    Quarantined,
    QuarantineRule,
    Relation,
    SplitSuggestion,
    Suggestion,
)
from retrieval.models import Conversation, Message, MessageRole
from tests.factories import Corpus, make_department, make_kb, make_member, make_user, subject_for

SECRETS = ("Quorvex", "Zyntharion")
TEXT = "# Zyntharion\n\nThe Zyntharion stops at 80 °C.\n\n## Restart\n\nIt starts again by itself.\n"
PNG = b"\x89PNG\r\n\x1a\n" + bytes(16)
ALL_SCOPES = ["read", "ask", "write", "manage"]


@dataclass
class World:
    """Rows by name, people by relation, and the texts of keys."""

    corpus: Corpus
    people: dict[str, User] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    ids: dict[str, str] = field(default_factory=dict)
    clients: dict[str, Client] = field(default_factory=dict)
    sessions: dict[str, str] = field(default_factory=dict)

    def client(self, who: str) -> Client:
        """Theirs, signed in as `sign_in` left them, or with their key, and with no other cookie."""
        if who not in self.clients:
            headers = {"Authorization": f"Bearer {self.keys[who]}"} if who in self.keys else {}
            self.clients[who] = Client(headers=headers)
        client = self.clients[who]
        client.cookies.clear()
        if who in self.sessions:
            client.cookies[settings.SESSION_COOKIE_NAME] = self.sessions[who]
        return client


def make_world(folder: Path) -> World:
    kb = make_kb("secret")
    KnowledgeBase.objects.filter(pk=kb.pk).update(name="Quorvex", description="All about the Quorvex")
    world = World(Corpus(kb, folder))
    add_people(world, kb)
    add_keys(world, kb)
    add_documents(world, kb)
    add_facts(world, kb)
    add_talk(world)
    sign_in(world)
    return world


def sign_in(world: World) -> None:
    """Once for all calls: what a call does to its session is rolled back with it."""
    for who, user in world.people.items():
        client = Client()
        client.force_login(user)
        world.sessions[who] = client.cookies[settings.SESSION_COOKIE_NAME].value


def add_people(world: World, kb: KnowledgeBase) -> None:
    world.people = {
        "administrator": make_user("ada", is_administrator=True),
        "owner": make_member("olga", kb, Role.OWNER),
        "editor": make_member("edith", kb, Role.EDITOR),
        "viewer": make_member("vera", kb),
        "stranger": make_user("stan", department="Elsewhere"),
        "operator": make_user("opal", is_operator=True),
        "manager": make_user("max"),
    }
    world.people["manager"].managed_departments.add(make_department())
    world.ids["member"] = str(Membership.objects.get(user=world.people["viewer"]).pk)
    world.ids["department"] = str(make_department().pk)
    world.ids["user"] = str(world.people["viewer"].pk)


def add_keys(world: World, kb: KnowledgeBase) -> None:
    """All belong to the owner: one that may everything, one that may only read, one that was granted nothing."""
    for name, scopes, is_granted in (
        ("key", ALL_SCOPES, True),
        ("reading key", ["read"], True),
        ("idle key", ALL_SCOPES, False),
    ):
        made = key_create(subject=Subject.system(), owner=world.people["owner"], name=name, scopes=scopes)
        world.keys[name] = made.text
        world.ids.setdefault("key", str(made.key.pk))
        if is_granted:
            KeyGrant.objects.create(kb=kb, key=made.key)


def add_documents(world: World, kb: KnowledgeBase) -> None:
    corpus, owner = world.corpus, subject_for(world.people["owner"])
    binned = document_bin(
        subject=owner, document=corpus.read("old.md", "# Old Zyntharion\n\nGone."), tools=corpus.tools
    )
    document = corpus.read("manuals/zyntharion.md", TEXT)
    version = Version.objects.get(document=document)
    corpus.tools.storage.keep("pictures/one", [PNG])
    picture = StoredPicture.objects.create(
        version=version, key="pictures/one", media_type="image/png", caption="Zyntharion", start=0, end=0
    )
    staged: Upload = upload_stage(
        subject=owner, kb=kb, files=[IncomingFile("new.md", b"# Zyntharion II")], tools=corpus.tools
    )
    world.ids |= {
        "slug": kb.slug,
        "document": str(document.pk),
        "binned": str(Document.objects.get(pk=binned.pk).pk),
        "version": str(version.pk),
        "chunk": str(Chunk.objects.filter(version=version).first().pk),
        "job": str(Job.objects.order_by("pk").last().pk),
        "picture": str(picture.pk),
        "upload": str(staged.pk),
    }


def add_facts(world: World, kb: KnowledgeBase) -> None:
    """Two entities with a value and a relation, all of which the document supports."""
    graph = source_of(kb.pk).graph
    entity, other = (
        Entity.objects.create(graph=graph, class_name="System", name=name, normal_name=name.casefold(), support=1)
        for name in ("Zyntharion", "Quorvex Mark II")
    )
    value = AttributeValue.objects.create(
        entity=entity, name="purpose", value="Zyntharion things", text="Zyntharion things", value_key="z", support=1
    )
    relation = Relation.objects.create(graph=graph, source=entity, type="uses", target=other, support=1)
    facts = ({"entity": entity}, {"entity": other}, {"attribute": value}, {"relation": relation})
    for fact in facts:
        Evidence.objects.create(
            graph=graph,
            document_id=world.ids["document"],
            version_id=world.ids["version"],
            chunk_id=world.ids["chunk"],
            start=14,
            end=45,
            extractor="pattern",
            is_live=True,
            **fact,
        )
    world.ids |= {
        "graph": str(graph.pk),
        "entity": str(entity.pk),
        "other": str(other.pk),
        "value": str(value.pk),
        "relation": str(relation.pk),
    }
    add_questions(world, entity, other)


def add_questions(world: World, entity: Entity, other: Entity) -> None:
    """What waits for editors: a pair that may be one, one that may be two, a case in quarantine, and a decision for ever."""
    graph = entity.graph
    left, right = sorted((entity, other), key=lambda each: each.pk)
    reasons = [{"kind": "same_name", "left": "Zyntharion", "right": "Quorvex Mark II"}]
    suggestion = Suggestion.objects.create(graph=graph, left=left, right=right, score=0.9, reasons=reasons)
    SplitSuggestion.objects.create(graph=graph, entity=entity, parts=[[world.ids["document"]], []], score=0.7)
    case = Quarantined.objects.create(
        graph=graph,
        document_id=world.ids["document"],
        version_id=world.ids["version"],
        chunk_id=world.ids["chunk"],
        start=14,
        end=45,
        kind="entity",
        reason="unknown_class",
        about="Zyntharion class",
        found={"kind": "entity", "who": {"name": "Zyntharion", "class_name": "Zyntharion class"}},
        found_key="z",
        extractor="model",
    )
    rule = QuarantineRule.objects.create(graph=graph, reason="unknown_class", about="Quorvex", action="ignore")
    world.ids |= {"suggestion": str(suggestion.pk), "case": str(case.pk), "rule": str(rule.pk)}


def add_talk(world: World) -> None:
    """The owner has asked something."""
    talk = Conversation.objects.create(user=world.people["owner"], title="About the Zyntharion", kb_slugs=["secret"])
    client_id = uuid4()
    question = Message.objects.create(
        conversation=talk, role=MessageRole.USER, parts=[{"text": "Zyntharion?"}], client_id=client_id
    )
    answer = Message.objects.create(
        conversation=talk,
        role=MessageRole.ASSISTANT,
        question=question,
        client_id=client_id,
        parts=[{"quote": 1}],
        citations=[citation(world)],
        answerer="quote",
        language="en",
    )
    world.ids |= {"conversation": str(talk.pk), "message": str(answer.pk), "client": str(client_id)}


def citation(world: World) -> dict[str, object]:
    """As answers keep them."""
    return {
        "n": 1,
        "document": world.ids["document"],
        "version": world.ids["version"],
        "chunk": world.ids["chunk"],
        "start": 14,
        "end": 45,
        "page": None,
        "kind": "paragraph",
        "mark": [14, 45],
        "lead": None,
    }

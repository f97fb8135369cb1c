"""What a person vouches for outlives its documents, but is seen only where it was known from: over lists, pages, REST, exports, pictures, paths and communities."""

from typing import Any

import pytest

from accounts.models import User
from accounts.subjects import subject_of_user
from knowledge.ingest import ingest
from knowledge.models import KnowledgeBase, Membership, Role, Version
from knowledge.services.bin import document_bin, document_restore
from knowledge.services.uploads import upload
from knowledge.uploading import IncomingFile
from ontology.graph.desired import Desired
from ontology.graphs import skeleton_of
from ontology.models import AttributeValue, Entity, Graph, Relation
from ontology.selectors.facts import entities, facts
from ontology.services.facts import attribute_add, attribute_judge, entity_add, relation_judge
from ontology.services.identity import entities_merge, entity_confirm, entity_rename
from ontology.services.judging import Judgement, entities_judge
from ontology.services.table_import import entities_import
from ontology.table_rows import TableRow
from tests.api.ontology.conftest import client_of

pytestmark = pytest.mark.django_db
SECRETS = ("Mail Gateway", "邮件系统", "64", "Old Gateway")
NOTE = "# Secret\n\nMail Gateway calls Auth Server.\n\n邮件系统调用认证系统。\n\n| System | Memory |\n| --- | --- |\n| Auth Server | 64 |\n"


@pytest.fixture
def open_base(kb: KnowledgeBase, graph: Graph, one_sided: Any, editor: Any, tools: Any) -> KnowledgeBase:
    """Another base of the same graph, which `one_sided` reads and in which the editor edits; it names the Auth Server."""
    other = KnowledgeBase.objects.get(slug="other")
    Membership.objects.create(kb=other, user_id=editor.user_id, role=Role.EDITOR)
    files = [IncomingFile("open.md", b"# Open\n\nAuth Server runs.")]
    job = upload(subject=editor, kb=other, files=files, tools=tools, enqueue=False)
    ingest(Version.objects.select_related("document__kb").get(pk=job.items.get().version_id), tools)
    return other


@pytest.fixture
def secret(read: Any, open_base: KnowledgeBase, editor: Any, tools: Any) -> Any:
    """A document that `one_sided` may not read; all that it says is confirmed, and it is binned."""
    document = read("secret.md", NOTE)
    for entity in Entity.objects.filter(name__in=("Mail Gateway", "邮件系统")):
        entity_confirm(subject=editor, entity_id=entity.pk)
    for value in AttributeValue.objects.all():
        attribute_judge(subject=editor, value_id=value.pk, is_right=True)
    for relation in Relation.objects.all():
        relation_judge(subject=editor, relation_id=relation.pk, is_right=True)
    document_bin(subject=editor, document=document, tools=tools)
    return document


def told_everywhere(client: Any, graph: Graph) -> str:
    """All that the routes tell of the graph."""
    auth = Entity.objects.get(name="Auth Server").pk
    api = f"/api/v1/graphs/{graph.pk}/"
    paths = [f"{api}entities/", f"{api}relations/", f"{api}picture", f"{api}communities", f"/api/v1/entities/{auth}/"]
    paths += [f"/api/v1/entities/{auth}/export", f"/api/v1/entities/{auth}/export?kind=markdown", f"/entities/{auth}/"]
    paths += [f"/api/v1/entities/{auth}/neighbours", "/entities/?kb=other"]
    answers = [client.get(path) for path in paths]
    assert {answer.status_code for answer in answers} <= {200}, [
        (a.status_code, p) for a, p in zip(answers, paths, strict=True)
    ]
    return "".join(answer.content.decode() for answer in answers)


def subject_of(username: str) -> Any:
    return subject_of_user(User.objects.get(username=username))


def test_confirmed_facts_of_a_binned_document_are_seen_by_readers_of_its_base_alone(secret, graph, one_sided, vera):
    hidden, seen = told_everywhere(one_sided, graph), ""
    for path in (f"/api/v1/graphs/{graph.pk}/entities/", f"/api/v1/graphs/{graph.pk}/relations/"):
        seen += vera.get(path).content.decode()

    assert not [each for each in SECRETS if f'"{each}"' in hidden or f">{each}<" in hidden]
    assert "Mail Gateway" in seen
    assert "邮件系统" in seen


def test_the_export_of_facts_and_entities_keeps_them_likewise(secret, graph, one_sided, vera, editor):
    for username, is_seen in (("one-sided", False), ("vera-http", True), ("edith", True)):
        subject = subject_of(username)
        words = str([*facts(subject, graph.pk), *entities(subject, graph.pk)])
        assert ("Mail Gateway" in words) == is_seen, username
        assert ("'value': 64" in words) == (username == "edith"), (
            username
        )  # who sees no Auth Server, sees nothing of it


def test_each_alone_is_not_found(secret, one_sided):
    mail, value, relation = (
        Entity.objects.get(name="Mail Gateway"),
        AttributeValue.objects.get(),
        Relation.objects.first(),
    )

    for path in (f"entities/{mail.pk}/", f"attributes/{value.pk}/evidence/", f"relations/{relation.pk}/evidence/"):
        assert one_sided.get(f"/api/v1/{path}").status_code == 404
    assert one_sided.get(f"/entities/{mail.pk}/").status_code == 404


def test_restoring_the_document_and_binning_it_again_tells_nothing(secret, graph, one_sided, editor, tools):
    secret.refresh_from_db()
    document_restore(subject=editor, document=secret, tools=tools)
    secret.refresh_from_db()
    restored = told_everywhere(one_sided, graph)
    document_bin(subject=editor, document=secret, tools=tools)

    assert "Mail Gateway" not in restored + told_everywhere(one_sided, graph)


def test_the_graph_database_is_told_where_they_are_known_from(secret, graph, kb, open_base):
    desired = Desired(graph.pk, skeleton_of(Graph.objects.select_related("skeleton").get(pk=graph.pk)))
    mail, call = Entity.objects.get(name="Mail Gateway"), Relation.objects.get(source__name="Mail Gateway")

    assert desired.entities([mail.pk])[mail.pk].properties["kbs"] == [str(kb.pk)]
    assert desired.relations([call.pk]).edges[call.pk].properties["kbs"] == [str(kb.pk)]


def test_the_page_says_who_confirmed_what_no_document_says_now_and_who_added_what_none_ever_said(
    secret, vera, editor, graph
):
    auth = Entity.objects.get(name="Auth Server")
    attribute_add(subject=editor, entity_id=auth.pk, name="released", raw="2020-01-02")
    page = client_of(User.objects.get(username="edith")).get(f"/entities/{auth.pk}/").content.decode()

    assert page.count("Confirmed by edith; no document that you may read says so now") == 2  # the value, the relation
    assert page.count("Added by hand: edith") == 1


def test_what_is_added_by_hand_to_what_one_base_alone_names_is_known_there(open_base, graph, one_sided, editor, read):
    read("secret.md", "# Secret\n\nMail Gateway starts.")
    mail, auth = Entity.objects.get(name="Mail Gateway"), Entity.objects.get(name="Auth Server")
    attribute_add(subject=editor, entity_id=auth.pk, name="memory_limit", raw="77")
    attribute_add(subject=editor, entity_id=mail.pk, name="memory_limit", raw="88")
    entity_confirm(subject=editor, entity_id=mail.pk)
    entities_merge(subject=editor, into_id=auth.pk, others=[mail.pk])

    told = one_sided.get(f"/api/v1/entities/{auth.pk}/").json()
    assert [value["value"] for value in told["attributes"]] == [77]
    assert told["names"] == []


def test_what_is_added_by_hand_to_a_graph_of_several_bases_is_for_those_who_read_all(
    open_base, graph, one_sided, vera, editor
):
    made = entity_add(subject=editor, graph_id=graph.pk, class_name="System", name="Secret Server")
    row = TableRow(number=2, class_name="System", name="Hidden Server", aliases=("Veiled",), values={"Memory": "5"})
    entities_import(subject=editor, graph_id=graph.pk, rows=[row], file_name="x.csv")

    for username, is_seen in (("one-sided", False), ("vera-http", False), ("edith", True)):
        client = client_of(User.objects.get(username=username))
        names = [each["name"] for each in client.get(f"/api/v1/graphs/{graph.pk}/entities/").json()["results"]]
        assert (
            {"Secret Server", "Hidden Server"} <= set(names)
            if is_seen
            else "Server" not in str(names).replace("Auth Server", "")
        )
        assert (client.get(f"/api/v1/entities/{made.pk}/").status_code == 200) == is_seen


def test_where_one_base_feeds_the_graph_it_was_added_there_whatever_joins_later(note, graph, editor, kb, request):
    entity_add(subject=editor, graph_id=graph.pk, class_name="System", name="Plain Server")
    client = request.getfixturevalue("one_sided")
    vera = request.getfixturevalue("vera")

    assert "Plain Server" in vera.get(f"/api/v1/graphs/{graph.pk}/entities/").content.decode()
    assert "Plain Server" not in client.get(f"/api/v1/graphs/{graph.pk}/entities/").content.decode()


def test_many_confirmed_at_once_and_old_names_are_remembered_likewise(open_base, graph, one_sided, editor, read, tools):
    document = read("secret.md", "# Secret\n\nOld Gateway starts.")
    old = Entity.objects.get(name="Old Gateway")
    entities_judge(subject=editor, judgements=[Judgement(old.pk, "confirmed")])
    entity_rename(subject=editor, entity_id=old.pk, name="New Gateway")
    document_bin(subject=editor, document=document, tools=tools)

    assert "Gateway" not in one_sided.get(f"/api/v1/graphs/{graph.pk}/entities/?q=gateway").content.decode()
    assert one_sided.get(f"/api/v1/graphs/{graph.pk}/entities/?q=old").json()["results"] == []

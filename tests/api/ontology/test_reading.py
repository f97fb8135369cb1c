"""What REST tells of a graph: lists, one entity, places, neighbours, paths; and what it keeps from those who may read only a part."""

import pytest

from knowledge.models import KnowledgeBase, Membership
from ontology.models import Entity, Evidence
from ontology.services.facts import entity_add, relation_add
from ontology.services.identity import entities_merge
from tests.cases import cases

pytestmark = pytest.mark.django_db


def get(client, path, **query):
    answer = client.get(f"/api/v1/{path}", query)
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_graphs_are_told_with_their_knowledge_bases_and_counts(vera, stan, graph, note):
    (row,) = get(vera, "graphs/")["results"]

    assert row["knowledge_bases"] == [graph.sources.get().kb.slug]
    assert row["classes"]["System"] == 2
    assert get(vera, "graphs/", kb=row["knowledge_bases"][0])["results"] == [row]
    assert get(vera, "graphs/", kb="another")["results"] == []
    assert get(stan, "graphs/")["results"] == []
    assert get(stan, "graphs/", kb=row["knowledge_bases"][0])["results"] == []


def test_documents_are_narrowed_to_a_knowledge_base(vera, stan, graph, note):
    slug = graph.sources.get().kb.slug
    other = KnowledgeBase.objects.create(slug="empty", name="空", department=note.kb.department)
    Membership.objects.create(kb=other, role="viewer")

    assert [row["id"] for row in get(vera, "documents/", kb=slug)["results"]] == [str(note.pk)]
    assert get(vera, "documents/", kb="empty")["results"] == []
    assert vera.get("/api/v1/documents/?kb=none").status_code == 404
    assert stan.get(f"/api/v1/documents/?kb={slug}").status_code == 404


def test_the_skeleton_is_told_as_written_and_as_understood(vera, graph):
    told = get(vera, f"graphs/{graph.pk}/skeleton")

    assert "title: Pumps" in told["text"]
    assert told["compiled"]["relations"]["calls"]["sources"] == ["System"]


@cases(
    ("query", "names"),
    [
        ({"q": "auth"}, ["Auth Server"]),
        ({"q": "ＡＵＴＨ server"}, ["Auth Server"]),
        ({"class": "System", "q": "gate"}, ["Mail Gateway"]),
        ({"q": "%"}, []),
        ({"q": "m_il"}, []),
        ({"state": "confirmed"}, []),
        ({"min_support": 1000}, []),
    ],
)
def test_entities_are_found_by_name_class_state_and_support(vera, graph, note, query, names):
    assert [row["name"] for row in get(vera, f"graphs/{graph.pk}/entities/", **query)["results"]] == names


@pytest.mark.parametrize(("language", "label"), [("en", "System"), ("zh-hans", "系统")])
def test_classes_of_listed_entities_are_named_in_the_language_that_is_asked_for(vera, graph, note, language, label):
    answer = vera.get(f"/api/v1/graphs/{graph.pk}/entities/?q=auth", headers={"accept-language": language})

    assert [(row["class"], row["class_label"]) for row in answer.json()["results"]] == [("System", label)]


def test_pages_of_entities_follow_each_other_without_gap_or_double(vera, graph, note):
    whole = [row["id"] for row in get(vera, f"graphs/{graph.pk}/entities/")["results"]]
    pieces, url = [], f"/api/v1/graphs/{graph.pk}/entities/?limit=1"
    while url:
        page = vera.get(url).json()
        pieces += [row["id"] for row in page["results"]]
        url = page["next"]

    assert pieces == whole
    assert len(whole) == Entity.objects.count()


def test_an_entity_is_told_with_values_relations_and_places_in_their_words(vera, named):
    told = get(vera, f"entities/{named('Auth Server').pk}/")

    (value,) = told["attributes"]
    assert (value["name"], value["value"], value["contradicted"]) == ("memory_limit", 64, False)
    (relation,) = told["relations"]
    assert (relation["type"], relation["outgoing"], relation["entity"]["name"]) == ("calls", False, "Mail Gateway")
    assert "calls Auth Server" in relation["evidence"][0]["quote"]
    assert "Auth Server" in [place["quote"] for place in told["evidence"]]


def test_places_come_in_pages(vera, named):
    path = f"entities/{named('Auth Server').pk}/evidence/"
    first = get(vera, path, limit=1)
    rest = get(vera, path, limit=100, after=first["next"])

    assert len(first["results"]) == 1
    assert len(rest["results"]) == Evidence.objects.filter(entity=named("Auth Server")).count() - 1
    assert rest["next"] is None


def test_values_that_contradict_each_other_are_both_told_and_marked(vera, read, named):
    read("other.md", "# Servers\n\n| System | Memory |\n| --- | --- |\n| Auth Server | 128 |\n")

    values = get(vera, f"entities/{named('Auth Server').pk}/")["attributes"]
    assert {(value["value"], value["contradicted"]) for value in values} == {(64, True), (128, True)}


def test_neighbours_are_bounded_and_narrowed(vera, named):
    path = f"entities/{named('Auth Server').pk}/neighbours"

    assert {node["name"] for node in get(vera, path)["nodes"]} == {"Auth Server", "Mail Gateway"}
    assert len(get(vera, path, limit=1)["nodes"]) == 1
    assert get(vera, path, relation="keeps")["edges"] == []
    assert get(vera, path, **{"class": "Person"})["edges"] == []
    assert vera.get(f"/api/v1/{path}?limit=2001").status_code == 400


def test_the_shortest_way_is_told_in_order(vera, editor, graph, named):
    far = entity_add(subject=editor, graph_id=graph.pk, class_name="System", name="Store Server")
    relation_add(subject=editor, source_id=named("Auth Server").pk, type="calls", target_id=far.pk)

    told = get(vera, f"graphs/{graph.pk}/path", source=named("Mail Gateway").pk, target=far.pk)
    assert [node["name"] for node in told["nodes"]] == ["Mail Gateway", "Auth Server", "Store Server"]
    assert [edge["type"] for edge in told["edges"]] == ["calls", "calls"]


def test_where_there_is_no_way_it_says_so(vera, editor, graph, named):
    alone = entity_add(subject=editor, graph_id=graph.pk, class_name="System", name="Store Server")

    assert get(vera, f"graphs/{graph.pk}/path", source=named("Mail Gateway").pk, target=alone.pk)["found"] is False


def test_a_merged_entity_is_answered_by_the_one_it_stands_behind(vera, editor, graph, named):
    one = entity_add(subject=editor, graph_id=graph.pk, class_name="System", name="Authenticator")
    entities_merge(subject=editor, into_id=named("Auth Server").pk, others=[one.pk])

    told = get(vera, f"entities/{one.pk}/")
    assert (told["name"], told["names"][0]["name"]) == ("Auth Server", "Authenticator")
    assert [row["name"] for row in get(vera, f"graphs/{graph.pk}/entities/", q="authenticator")["results"]] == [
        "Auth Server"
    ]


def test_relations_are_listed_by_type_and_entity(vera, graph, named):
    path = f"graphs/{graph.pk}/relations/"

    assert (
        get(vera, path, type="calls", entity=named("Auth Server").pk)["results"][0]["source"]["name"] == "Mail Gateway"
    )
    assert get(vera, path, type="keeps")["results"] == []


def test_a_relation_of_an_entity_with_what_was_merged_into_it_is_told_nowhere(vera, graph, editor, named):
    auth, mail = named("Auth Server").pk, named("Mail Gateway").pk
    entities_merge(subject=editor, into_id=auth, others=[mail])

    assert get(vera, f"graphs/{graph.pk}/relations/")["results"] == []
    assert get(vera, f"entities/{auth}/")["relations"] == []
    assert get(vera, f"graphs/{graph.pk}/picture")["edges"] == []


def test_who_may_not_read_the_documents_sees_nothing_of_a_shared_graph(one_sided, graph, named, call):
    assert get(one_sided, f"graphs/{graph.pk}/entities/")["results"] == []
    assert get(one_sided, f"graphs/{graph.pk}/entities/", q="auth")["results"] == []
    assert get(one_sided, f"graphs/{graph.pk}/relations/")["results"] == []
    assert get(one_sided, f"graphs/{graph.pk}/picture") == {"nodes": [], "edges": [], "is_cut": False}
    assert get(one_sided, f"graphs/{graph.pk}/")["classes"] == {}
    auth = named("Auth Server").pk
    for path in (f"entities/{auth}/", f"entities/{auth}/export", f"relations/{call.pk}/evidence/"):
        assert one_sided.get(f"/api/v1/{path}").status_code == 404


def test_a_fact_by_hand_is_known_where_it_was_added_but_not_by_names_that_stand_elsewhere(one_sided, graph, named):
    Entity.objects.create(
        graph=graph,
        class_name="System",
        name="Known Server",
        normal_name="known server",
        is_confirmed=True,
        known_in=[graph.sources.get(kb__slug="other").kb_id],
        merged_into=named("Auth Server"),
    )

    (row,) = get(one_sided, f"graphs/{graph.pk}/entities/")["results"]
    assert (row["name"], row["support"]) == ("Known Server", 0)
    assert "Auth" not in str(get(one_sided, f"entities/{row['id']}/"))


@cases("name", ["<script>alert(1)</script>", "x'}) DETACH DELETE n //", "[a](javascript:alert(1))"])
def test_hostile_names_stay_text_in_exports(vera, named, name):
    entity = named("Auth Server")
    Entity.objects.filter(pk=entity.pk).update(name=name)

    exported = vera.get(f"/api/v1/entities/{entity.pk}/export?kind=markdown")
    text = exported.content.decode()
    assert exported["Content-Type"].startswith("text/markdown")
    assert "<script>" not in text
    assert "](javascript" not in text
    assert get(vera, f"entities/{entity.pk}/export")["name"] == name
    assert "<script>alert" not in vera.get(f"/entities/{entity.pk}/").content.decode()

"""The entity desk over REST: suggestions, merges taken back, splits, and many judgements at once."""

import pytest
from django.db.models import Q

from accounts.models import User
from knowledge.models import Membership, Role
from ontology.graphs import source_of
from ontology.models import Entity, NeverMerge
from ontology.services.facts import entity_add
from ontology.services.suggestions import suggestions_refresh
from tests.cases import cases
from tests.factories import make_kb

pytestmark = pytest.mark.django_db


def post(client, path, status=200, **body):
    answer = client.post(f"/api/v1/{path}", body, content_type="application/json")
    assert answer.status_code == status, answer.content
    return answer.json() if answer.content else None


def get(client, path, status=200):
    answer = client.get(f"/api/v1/{path}")
    assert answer.status_code == status, answer.content
    return answer.json()


@pytest.fixture
def suggestion(read, graph, edith):
    read("a.md", "The Mail Gateway calls Auth Server.")
    read("b.md", "The Mails Gateway calls Auth Server.")
    suggestions_refresh(graph_id=graph.pk)
    return get(edith, f"graphs/{graph.pk}/suggestions/")["results"][0]


def test_a_suggestion_has_two_ends_and_reasons_in_the_words_of_the_readers_language(suggestion, graph, edith):
    assert {suggestion["left"]["name"], suggestion["right"]["name"]} == {"Mail Gateway", "Mails Gateway"}
    assert 0.6 <= suggestion["score"] <= 1
    assert "differ in spelling only" in suggestion["reasons"][0]["text"]

    answer = edith.get(f"/api/v1/graphs/{graph.pk}/suggestions/", headers={"Accept-Language": "zh-CN"})

    assert "differ" not in answer.json()["results"][0]["reasons"][0]["text"]


def test_merging_goes_into_the_one_that_was_chosen_and_is_listed(suggestion, graph, edith):
    done = post(edith, f"suggestions/{suggestion['id']}/decide", decision="merge", into=suggestion["right"]["id"])
    assert done["state"] == "merged"

    merge = get(edith, f"graphs/{graph.pk}/merges/")["results"][0]

    assert (merge["name"], merge["into"]["name"], merge["by"]) == (
        suggestion["left"]["name"],
        suggestion["right"]["name"],
        "edith-http",
    )
    post(edith, f"entities/{merge['id']}/unmerge", revision=merge["revision"])
    assert get(edith, f"graphs/{graph.pk}/merges/")["results"] == []
    assert len(get(edith, f"graphs/{graph.pk}/suggestions/")["results"]) == 1


def test_a_third_can_not_be_merged_into_and_a_stranger_can_not_decide(suggestion, edith, vera, stan):
    third = Entity.objects.get(name="Auth Server")

    post(edith, f"suggestions/{suggestion['id']}/decide", status=400, decision="merge", into=str(third.pk))
    post(vera, f"suggestions/{suggestion['id']}/decide", status=403, decision="merge")
    post(stan, f"suggestions/{suggestion['id']}/decide", status=404, decision="merge")


def test_different_is_remembered(suggestion, edith):
    post(edith, f"suggestions/{suggestion['id']}/decide", decision="different")

    assert NeverMerge.objects.count() == 1


def test_later_and_back(suggestion, graph, edith):
    post(edith, f"suggestions/{suggestion['id']}/decide", decision="later")
    assert get(edith, f"graphs/{graph.pk}/suggestions/")["results"] == []
    assert len(get(edith, f"graphs/{graph.pk}/suggestions/?state=later")["results"]) == 1

    post(edith, f"suggestions/{suggestion['id']}/decide", decision="reopen")

    assert len(get(edith, f"graphs/{graph.pk}/suggestions/")["results"]) == 1


def test_the_second_of_two_editors_is_told_and_nothing_is_merged(suggestion, edith):
    post(edith, f"entities/{suggestion['left']['id']}/confirm")

    told = post(
        edith,
        f"suggestions/{suggestion['id']}/decide",
        status=409,
        decision="merge",
        revisions={suggestion["left"]["id"]: suggestion["left"]["revision"]},
    )

    assert "edith-http" in told["error"]["message"]
    assert not Entity.objects.exclude(merged_into=None).exists()


def fresh_card(client, suggestion):
    answer = client.get(f"/desk/suggestions/{suggestion['id']}/?since=2020-01-01T00:00:00Z")
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_pair_that_somebody_merged_meanwhile_asks_for_nothing_and_shows_the_one_that_is_left(suggestion, edith):
    left, right = suggestion["left"], suggestion["right"]
    post(edith, f"entities/{left['id']}/merge", others=[right["id"]])

    card = fresh_card(edith, suggestion)

    assert "Decide again" not in card
    assert 'data-deed="seen"' in card
    assert f"/entities/{left['id']}/" in card
    assert f"/entities/{right['id']}/" not in card
    assert "is one with" in card


def test_so_it_is_where_one_of_the_two_was_merged_with_a_third_or_rejected(suggestion, editor, graph, edith):
    third = entity_add(subject=editor, graph_id=graph.pk, class_name="System", name="邮件系统")
    left, right = suggestion["left"], suggestion["right"]
    post(edith, f"entities/{third.pk}/merge", others=[left["id"]])
    post(edith, f"entities/{right['id']}/reject")

    card = fresh_card(edith, suggestion)

    assert "Decide again" not in card
    assert f"/entities/{third.pk}/" in card
    assert "is rejected." in card


def test_a_pair_that_somebody_declared_different_says_so_and_offers_the_way_back(suggestion, edith):
    post(edith, f"suggestions/{suggestion['id']}/decide", decision="different")

    card = fresh_card(edith, suggestion)

    assert "Decide again" not in card
    assert 'data-deed="may_merge"' in card


def test_a_pair_that_only_changed_is_decided_again(suggestion, edith):
    post(edith, f"entities/{suggestion['left']['id']}/confirm")

    card = fresh_card(edith, suggestion)

    assert "Decide again" in card
    assert 'data-deed="merge"' in card


def test_many_are_judged_with_a_preview_and_back_to_what_each_was(suggestion, graph, edith):
    left, right = suggestion["left"], suggestion["right"]
    post(edith, f"entities/{left['id']}/confirm")
    lines = [{"entity": end["id"], "state": "rejected"} for end in (left, right)]
    preview = post(edith, f"graphs/{graph.pk}/judgements", judgements=lines, preview=True)
    assert {(row["before"], row["after"]) for row in preview} == {("confirmed", "rejected"), ("found", "rejected")}
    assert not Entity.objects.filter(is_rejected=True).exists()

    done = post(edith, f"graphs/{graph.pk}/judgements", judgements=lines)
    assert Entity.objects.filter(is_rejected=True).count() == 2

    back = [{"entity": row["entity"], "state": row["before"], "revision": row["revision"]} for row in done]
    post(edith, f"graphs/{graph.pk}/judgements", judgements=back)
    assert not Entity.objects.filter(is_rejected=True).exists()
    assert Entity.objects.get(is_confirmed=True).name == left["name"]


def test_one_stale_line_stops_all(suggestion, graph, edith):
    lines = [
        {"entity": suggestion["left"]["id"], "state": "rejected"},
        {"entity": suggestion["right"]["id"], "state": "rejected", "revision": 99},
    ]

    post(edith, f"graphs/{graph.pk}/judgements", status=409, judgements=lines)

    assert not Entity.objects.filter(is_rejected=True).exists()


@cases("lines", [[], [{"entity": "x", "state": "rejected"}], [{"entity": None, "state": "?"}]])
def test_judgements_that_can_not_be_read_are_refused(suggestion, graph, edith, lines):
    post(edith, f"graphs/{graph.pk}/judgements", status=400, judgements=lines)


@cases("states", [("confirmed", "rejected"), ("rejected", "rejected")])
@cases("preview", [True, False])
def test_what_is_judged_twice_in_one_call_is_refused_and_nothing_is_decided(suggestion, graph, edith, states, preview):
    lines = [{"entity": suggestion["left"]["id"], "state": state} for state in states]

    post(edith, f"graphs/{graph.pk}/judgements", status=400, judgements=lines, preview=preview)

    assert not Entity.objects.filter(Q(is_rejected=True) | Q(is_confirmed=True)).exists()


@cases("decision", ["merge", "different"])
def test_revisions_that_are_of_no_end_are_refused(suggestion, edith, decision):
    post(edith, f"suggestions/{suggestion['id']}/decide", status=400, decision=decision, revisions={"x": 1})

    assert not Entity.objects.exclude(merged_into=None).exists()


def test_an_entity_is_split_by_documents(read, graph, edith):
    read("a.md", "# Log Server\n\nMemory: 64\n\nReleased: 2001-02-03\n")
    other = read("b.md", "# Log Server\n\nMemory: 128\n\nReleased: 2019-08-07\n")
    suggestions_refresh(graph_id=graph.pk)
    split = get(edith, f"graphs/{graph.pk}/splits/")["results"][0]
    assert "can" in split["reasons"][0]["text"] or "as" in split["reasons"][0]["text"]

    new = post(edith, f"entities/{split['entity']['id']}/split", status=201, documents=[str(other.pk)])

    assert new["name"] == "Log Server"
    assert get(edith, f"graphs/{graph.pk}/splits/")["results"] == []


@cases("path", ["suggestions/", "splits/", "merges/", "quarantine/", "quarantine/rules/"])
def test_viewers_are_refused_and_strangers_do_not_know(graph, note, vera, stan, one_sided, path):
    get(vera, f"graphs/{graph.pk}/{path}", status=403)
    get(stan, f"graphs/{graph.pk}/{path}", status=404)
    get(one_sided, f"graphs/{graph.pk}/{path}", status=403)


def test_the_desk_opens_where_something_waits(suggestion, kb, edith):
    other = make_kb("aaa-first-by-name")
    Membership.objects.create(kb=other, user=User.objects.get(username="edith-http"), role=Role.EDITOR)
    source_of(other.pk)

    assert edith.get("/desk/").context["kb"] == kb
    assert edith.get(f"/desk/?kb={other.slug}").context["kb"] == other

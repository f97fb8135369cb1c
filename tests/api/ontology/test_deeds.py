"""What editors do over REST, what a stale revision is told, and what readers are refused."""

from uuid import UUID

import pytest

from ontology.models import AttributeValue, Entity, NeverMerge, Relation
from ontology.services.facts import entity_add
from tests.cases import cases

pytestmark = pytest.mark.django_db


def post(client, path, status=200, **body):
    answer = client.post(f"/api/v1/{path}", body, content_type="application/json")
    assert answer.status_code == status, answer.content
    return answer.json() if answer.content else None


@pytest.fixture
def auth(named):
    return named("Auth Server")


@pytest.fixture
def other(editor, graph):
    return entity_add(subject=editor, graph_id=graph.pk, class_name="System", name="Authenticator")


@pytest.mark.parametrize(("deed", "confirmed", "rejected"), [("confirm", True, False), ("reject", False, True)])
def test_an_editor_decides_and_takes_it_back(edith, auth, deed, confirmed, rejected):
    row = post(edith, f"entities/{auth.pk}/{deed}", revision=auth.revision)
    assert (row["confirmed"], row["rejected"], row["revision"]) == (confirmed, rejected, auth.revision + 1)

    row = post(edith, f"entities/{auth.pk}/leave", revision=row["revision"])
    assert (row["confirmed"], row["rejected"]) == (False, False)


def test_the_second_of_two_editors_is_told_by_whom_and_nothing_is_overwritten(edith, auth):
    post(edith, f"entities/{auth.pk}/confirm", revision=auth.revision)

    told = post(edith, f"entities/{auth.pk}/reject", status=409, revision=auth.revision)
    assert "edith-http" in told["error"]["message"]
    assert told["error"]["extra"]["revision"] == auth.revision + 1
    assert not Entity.objects.get(pk=auth.pk).is_rejected


@cases("path", ["attributes/", "relations/", "keep-apart"])
def test_facts_too_are_refused_with_a_stale_revision(edith, auth, other, path):
    bodies = {
        "attributes/": {"name": "memory_limit", "value": "12000"},
        "relations/": {"type": "calls", "target": str(other.pk)},
        "keep-apart": {"other": str(other.pk)},
    }
    post(edith, f"entities/{auth.pk}/confirm")

    post(edith, f"entities/{auth.pk}/{path}", status=409, revision=auth.revision, **bodies[path])


def test_a_rejected_entity_is_gone_for_readers_and_found_by_editors(edith, vera, auth, graph):
    post(edith, f"entities/{auth.pk}/reject")

    assert vera.get(f"/api/v1/entities/{auth.pk}/").status_code == 404
    found = edith.get(f"/api/v1/graphs/{graph.pk}/entities/?state=rejected").json()["results"]
    assert [row["name"] for row in found] == ["Auth Server"]


def test_renaming_keeps_the_old_name_as_another(edith, vera, auth):
    body = {"name": "Sign-in Server", "revision": auth.revision}
    answer = edith.patch(f"/api/v1/entities/{auth.pk}/", body, content_type="application/json")

    assert answer.json()["name"] == "Sign-in Server"
    assert vera.get(f"/api/v1/entities/{auth.pk}/").json()["names"] == [{"name": "Auth Server", "merged": None}]


@cases("name", ["<script>x</script>", "a" * 1000, "`}) MATCH (n) DETACH DELETE n", "   "])
def test_what_can_be_no_name_is_refused_with_a_reason(edith, auth, graph, name):
    for send in (
        lambda: edith.patch(f"/api/v1/entities/{auth.pk}/", {"name": name}, content_type="application/json"),
        lambda: edith.post(
            f"/api/v1/graphs/{graph.pk}/entities/", {"name": name, "class": "System"}, content_type="application/json"
        ),
    ):
        answer = send()
        assert answer.status_code == 400
        assert answer.json()["error"]["message"]


def test_a_merge_is_previewed_without_a_change_then_done_then_taken_back(edith, vera, auth, other):
    preview = post(edith, f"entities/{auth.pk}/merge", others=[str(other.pk)], preview=True)
    assert preview["names"] == ["Auth Server", "Authenticator"]
    assert preview["attributes"][0]["value"] == 64
    assert Entity.objects.filter(merged_into=auth).count() == 0

    merged = post(edith, f"entities/{auth.pk}/merge", others=[str(other.pk)], revisions={str(other.pk): other.revision})
    assert merged["names"] == [{"name": "Authenticator", "merged": str(other.pk)}]

    post(edith, f"entities/{other.pk}/unmerge")
    assert vera.get(f"/api/v1/entities/{other.pk}/").json()["name"] == "Authenticator"


@cases("revisions", [{"x": 1}, {"": 1}, {"认证": 1}, {str(UUID(int=7)): 1}, {"{auth}": -1}, {"{auth}": "?"}])
def test_revisions_that_guard_nothing_are_refused_and_nothing_is_merged(edith, auth, other, revisions):
    given = {key.format(auth=auth.pk): value for key, value in revisions.items()}

    post(edith, f"entities/{auth.pk}/merge", status=400, others=[str(other.pk)], revisions=given)

    assert not Entity.objects.exclude(merged_into=None).exists()


def test_a_merge_into_what_somebody_merged_meanwhile_is_stale(edith, editor, graph, auth, other):
    third = entity_add(subject=editor, graph_id=graph.pk, class_name="System", name="Third Server")
    post(edith, f"entities/{auth.pk}/merge", others=[str(other.pk)])

    told = {"others": [str(third.pk)], "revisions": {str(other.pk): other.revision}}
    post(edith, f"entities/{other.pk}/merge", status=409, **told)

    assert Entity.objects.exclude(merged_into=None).count() == 1


def test_two_that_were_kept_apart_are_not_merged_until_that_is_taken_back(edith, auth, other):
    post(edith, f"entities/{auth.pk}/keep-apart", status=204, other=str(other.pk))
    for preview in (True, False):
        post(edith, f"entities/{auth.pk}/merge", status=409, others=[str(other.pk)], preview=preview)

    edith.delete(f"/api/v1/entities/{auth.pk}/keep-apart", {"other": str(other.pk)}, content_type="application/json")
    assert not NeverMerge.objects.exists()


def test_a_value_by_hand_corrects_another(edith, vera, auth):
    wrong = AttributeValue.objects.get(entity=auth)
    post(
        edith,
        f"entities/{auth.pk}/attributes/",
        status=201,
        name="memory_limit",
        value="12000",
        instead_of=str(wrong.pk),
    )

    (value,) = vera.get(f"/api/v1/entities/{auth.pk}/").json()["attributes"]
    assert (value["value"], value["confirmed"]) == (12000, True)


def test_a_value_that_can_not_be_read_is_refused_with_a_reason(edith, auth):
    told = post(edith, f"entities/{auth.pk}/attributes/", status=400, name="memory_limit", value="a lot")

    assert told["error"]["message"]


def test_relations_are_added_in_both_directions_and_judged(edith, vera, auth, other):
    post(edith, f"entities/{auth.pk}/relations/", status=201, type="calls", target=str(other.pk), incoming=True)
    told = vera.get(f"/api/v1/entities/{other.pk}/").json()["relations"]
    assert [(each["outgoing"], each["entity"]["name"]) for each in told] == [(True, "Auth Server")]

    post(edith, f"relations/{told[0]['id']}/judge", is_right=False)
    assert vera.get(f"/api/v1/entities/{other.pk}/").json()["relations"] == []


def test_a_relation_outside_of_the_skeleton_is_refused(edith, auth, named):
    paper = named("Gateways")

    post(edith, f"entities/{auth.pk}/relations/", status=400, type="calls", target=str(paper.pk))


def test_readers_may_change_nothing_and_strangers_know_nothing(vera, stan, auth):
    for path in ("confirm", "reject", "leave", "unmerge"):
        post(vera, f"entities/{auth.pk}/{path}", status=403)
        post(stan, f"entities/{auth.pk}/{path}", status=404)


def test_the_second_of_two_who_judge_one_relation_is_told_whichever_page_they_look_at(edith, auth, named):
    on_its_page = edith.get(f"/api/v1/entities/{auth.pk}/").json()["relations"][0]
    on_the_other = edith.get(f"/api/v1/entities/{named('Mail Gateway').pk}/").json()["relations"][0]
    path = f"relations/{on_its_page['id']}/judge"
    post(edith, path, is_right=True, revision=on_its_page["revision"])

    told = post(edith, path, status=409, is_right=False, revision=on_the_other["revision"])

    assert "edith-http" in told["error"]["message"]
    assert Relation.objects.get().is_confirmed


def test_the_page_sends_the_revision_with_every_judgement_of_a_relation(edith, auth, named):
    source = named("Mail Gateway")
    Entity.objects.filter(pk=source.pk).update(revision=7)
    page = edith.get(f"/entities/{auth.pk}/").content.decode()

    forms = [form for form in page.split("<form") if "api/v1/relations/" in form]
    assert len(forms) == 2
    assert all('name="revision" value="7"' in form for form in forms)


def test_a_refusal_names_classes_as_people_call_them(edith, auth, named):
    answer = edith.post(
        f"/api/v1/entities/{auth.pk}/relations/",
        {"type": "calls", "target": str(named("Gateways").pk)},
        content_type="application/json",
        headers={"accept-language": "zh-hans"},
    )

    assert "系统" in answer.json()["error"]["message"]

"""Communities over HTTP and on the command line."""

import json
from dataclasses import replace
from io import StringIO
from uuid import UUID

import pytest
from django.core.management import call_command

from ontology.communities.refresh import communities_refresh
from ontology.models import Community, CommunityMember
from ontology.pages.communities import told
from ontology.selectors.communities import CommunityShown
from tests.cases import cases

pytestmark = pytest.mark.django_db


@pytest.fixture
def path(graph, note):
    communities_refresh(graph_id=graph.pk, quiet_s=0)
    return f"/api/v1/graphs/{graph.pk}/communities"


def test_communities_are_told_with_their_entities_and_places(vera, path):
    told = vera.get(path).json()

    (found,) = told["results"]
    assert {"Mail Gateway", "Auth Server"} <= {each["name"] for each in found["entities"]}
    assert found["size"] == 3
    assert found["evidence"][0]["url"]
    assert (found["parent"], found["by_model"], told["is_cut"]) == (None, False, False)


@cases(("query", "status"), [("level=7", 200), ("level=-1", 400), ("limit=0", 400), ("level=x", 400)])
def test_levels_and_limits_are_checked(vera, path, query, status):
    answer = vera.get(f"{path}?{query}")

    assert answer.status_code == status
    assert status != 200 or answer.json()["results"] == []


def test_a_stranger_knows_of_no_graph_and_one_sided_readers_of_no_community(stan, one_sided, path):
    assert stan.get(path).status_code == 404
    assert one_sided.get(path).json() == {"results": [], "is_cut": False}


def test_the_command_tells_them_in_json_and_in_words(path, kb):
    said, plain = StringIO(), StringIO()
    call_command("graph", "communities", "--kb", kb.slug, "--json", stdout=said)
    call_command("graph", "communities", "--kb", kb.slug, stdout=plain)

    assert json.loads(said.getvalue().splitlines()[0])["size"] == 3
    assert "(3 entities)" in plain.getvalue()


@pytest.fixture
def page(path, kb):
    return f"/graph/communities/?kb={kb.slug}"


@pytest.fixture
def smaller(path, graph):
    """A community inside of the one there is."""
    whole = Community.objects.get(graph=graph)
    inner = Community.objects.create(graph=graph, level=1, key="inner", parent=whole, size=2)
    members = list(whole.members.order_by("rank").values_list("entity_id", flat=True)[:2])
    CommunityMember.objects.bulk_create(
        CommunityMember(community=inner, entity_id=entity, rank=rank) for rank, entity in enumerate(members)
    )
    return whole, inner


def test_the_page_shows_a_reader_titles_summaries_members_and_where_it_says_so(vera, page, named):
    shown = vera.get(page).content.decode()

    assert f"/entities/{named('Auth Server').pk}/" in shown
    assert "calls Auth Server" in shown
    assert "3 entities" in shown
    assert "&amp;in=" not in shown


def test_quotations_are_told_without_marks_and_a_models_words_as_they_are():
    found = CommunityShown(UUID(int=1), 0, None, "t", "# Rules - 1. A replaces *B*. 年假 #3", 2, False, (), ())

    assert told(found) == "Rules A replaces B. 年假 #3"
    assert told(replace(found, is_by_model=True)) == found.summary


def test_the_page_is_in_the_language_of_the_reader(vera, page):
    assert "社群" in vera.get(page, headers={"accept-language": "zh-hans"}).content.decode()


def test_one_goes_into_a_community_and_back(vera, page, smaller):
    whole, inner = smaller
    assert f"&amp;in={whole.pk}" in vera.get(page).content.decode()

    inside = vera.get(f"{page}&in={whole.pk}").content.decode()
    assert "2 entities" in inside
    assert f"&amp;in={inner.pk}" not in inside
    deepest = vera.get(f"{page}&in={inner.pk}").content.decode()
    assert f"&amp;in={whole.pk}" in deepest
    assert "no smaller groups" in deepest


def test_who_may_read_none_of_it_is_not_told_that_there_is_a_community(stan, one_sided, page, smaller, named):
    whole, _inner = smaller

    assert stan.get(page).status_code == 404
    assert one_sided.get(f"{page}").status_code == 404
    other = one_sided.get("/graph/communities/?kb=other").content.decode()
    assert "Auth Server" not in other
    assert "No communities yet" in other
    assert one_sided.get(f"/graph/communities/?kb=other&in={whole.pk}").status_code == 404


@pytest.mark.parametrize("query", ["in=x", "in=01900000-0000-7000-8000-000000000000"])
def test_a_community_that_is_not_there_is_not_found(vera, page, query):
    assert vera.get(f"{page}&{query}").status_code == 404


@cases("number", ["0", "-1", "x", "999999999999", "２"])
def test_a_page_that_can_not_be_is_the_first_or_empty(vera, page, number):
    assert vera.get(f"{page}&page={number}").status_code == 200

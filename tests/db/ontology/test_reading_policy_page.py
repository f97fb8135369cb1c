"""The page on which an owner says what a model reads: who may, what it shows, what it refuses, and what is on record of it."""

import pytest

from accounts.models import AuditEvent
from inference.models import UsageRecord
from knowledge.models import Job
from ontology.models import GraphSource, ModelPolicy
from tests.cases import cases
from tests.db.ontology import test_model_policy as policies
from tests.db.ontology.test_skeleton_pages import client_of, html

pytestmark = pytest.mark.django_db

meter, model, source, tools = policies.meter, policies.model, policies.source, policies.tools
owner, unread, prices = policies.owner, policies.unread, policies.prices
PAGE = "/ontology/pumps/model/"


@pytest.fixture
def page(unread, owner):
    return client_of(owner)


@pytest.mark.parametrize(("who", "looks", "sets"), [("owner", 200, 302), ("viewer", 403, 403), ("stranger", 404, 404)])
def test_the_owner_sets_and_others_may_not(who, looks, sets, graph, request):
    client = client_of(request.getfixturevalue(who))

    assert client.get(PAGE).status_code == looks
    assert client.post(PAGE, {"policy": "titles"}).status_code == sets
    assert GraphSource.objects.get().policy == ("titles" if who == "owner" else "off")


def test_an_editor_looks_and_is_told_who_may_set(unread, editor):
    client = client_of(editor)
    shown = html(client.get(PAGE))

    assert "An owner of the knowledge base sets this" in shown
    assert '<button class="button button--primary">' not in shown
    assert client.post(PAGE, {"policy": "all"}).status_code == 403


def test_it_is_reached_from_the_ontology(page):
    assert f'href="{PAGE}"' in html(page.get("/ontology/pumps/"))


def test_the_estimate_stands_there_before_the_start_and_what_was_spent(page, kb, prices, model):
    GraphSource.objects.update(tokens_used=12345, token_cap=20000)
    for purpose in ("extract", "propose", "ask"):
        UsageRecord.objects.create(
            purpose=purpose, model="m", kb_id=kb.pk, prompt_tokens=10, completion_tokens=5, cost_micros=2_500_000
        )

    shown = html(page.get(PAGE))

    assert "12,345" in shown
    assert "of 20,000" in shown
    assert "<dd>2</dd>" in shown
    assert "<dd>5" in shown
    assert "scripted-1" in shown
    assert "Price" in shown


def test_without_prices_none_are_shown_and_without_a_model_that_is_said(page, model):
    model.names = ()
    shown = html(page.get(PAGE))

    assert "Price" not in shown
    assert "No model answers here" in shown


def test_what_is_set_is_on_record_and_leads_to_the_job(page):
    answer = page.post(PAGE, {"policy": "all", "token_cap": "500,000"})

    source = GraphSource.objects.get()
    assert (source.policy, source.token_cap) == (ModelPolicy.ALL, 500_000)
    assert answer["Location"] == f"/jobs/{Job.objects.get(kind='reread').pk}/"
    event = AuditEvent.objects.get(action="graph_source.set_policy")
    assert (event.before["policy"], event.after["token_cap"]) == ("off", 500_000)


def test_an_empty_limit_is_none(page):
    page.post(PAGE, {"policy": "titles", "token_cap": "500"})
    page.post(PAGE, {"policy": "titles", "token_cap": " "})

    assert GraphSource.objects.get().token_cap is None


@cases(
    ("sent", "words"),
    [
        ({"policy": "everything"}, "Choose what a model reads."),
        ({}, "Choose what a model reads."),
        ({"policy": "all", "token_cap": "a lot"}, "Write a whole number such as 500,000"),
        ({"policy": "all", "token_cap": "一百万"}, "Write a whole number such as 500,000"),
        ({"policy": "all", "token_cap": "-5"}, "Write a whole number such as 500,000"),
        ({"policy": "all", "token_cap": "1.5"}, "Write a whole number such as 500,000"),
        ({"policy": "all", "token_cap": "9" * 19}, "a whole number from 0 to"),
        ({"policy": "all", "token_cap": "9" * 40}, "Write a whole number such as 500,000"),
    ],
)
def test_bad_input_is_refused_with_a_sentence_and_changes_nothing(page, sent, words):
    answer = page.post(PAGE, {"token_cap": "", **sent})

    assert answer.status_code == 200
    assert words in html(answer)
    assert GraphSource.objects.get().policy == "off"


def test_a_limit_that_is_too_low_is_marked(page):
    GraphSource.objects.update(token_cap=1)

    assert html(page.get(PAGE)).count("more than the limit of tokens") == 2

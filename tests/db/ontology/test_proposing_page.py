"""A model names what counting found: asked once, by policy and within the limit, paid for, believed only as far as it fits; without it the counted proposals stand and that is said."""

import json
from html import unescape

import pytest

from common.errors import Forbidden
from inference.types import Purpose
from ontology.models import GraphSource, SkeletonVersion
from ontology.services import proposing
from ontology.services.proposing import Offer, asking_about, drafts_name
from tests.cases import cases
from tests.db.ontology import test_model_reading as reading
from tests.db.ontology.test_skeleton_pages import client_of, html
from tests.reading_model import says
from tests.scripted_model import Script

pytestmark = pytest.mark.django_db

meter, model = reading.meter, reading.model
PAGE = "/ontology/pumps/propose/"
SAID = {
    "classes": [
        {
            "drafts": ["Machine"],
            "name": "Equipment",
            "label_en": "Equipment",
            "label_zh": "设备",
            "description_en": "What lifts.",
            "description_zh": "起重的东西。",
        }
    ],
    "attributes": [
        {
            "draft": "Machine.weight",
            "type": "number",
            "label_en": "Mass",
            "label_zh": "质量",
            "description_en": "",
            "description_zh": "",
        }
    ],
}
WORDS = says(json.dumps(SAID, ensure_ascii=False))


@pytest.fixture
def page(graph, editor, read):
    read("machines.md", "# Machines\n\n| Machine | Weight |\n| --- | --- |\n| Crane | 12 |\n| Winch | 3 |")
    return client_of(editor)


@pytest.fixture
def allowed(page):
    GraphSource.objects.update(policy="titles")
    return page


def test_a_model_is_offered_with_what_it_may_cost_and_asked_when_that_is_wanted(allowed, model):
    shown = html(allowed.get(PAGE))

    assert "scripted-1 is asked once" in shown
    assert "Crane · Winch" in shown
    assert model.requests == []


def test_what_it_says_is_shown_and_goes_into_the_text_only_when_chosen(allowed, model, meter, kb, department, editor):
    model.script = WORDS
    shown = html(allowed.post(PAGE, {"ask": "1"}))
    said = unescape(shown.split('name="said" value="')[1].split('"')[0])

    assert "named by a model" in shown
    assert "Equipment · 设备" in shown
    assert len(model.requests) == 1
    assert model.requests[0]["response_format"]["type"] == "json_schema"
    assert SkeletonVersion.objects.count() == 1

    text = html(allowed.post(PAGE, {"draft": "Equipment", "said": said}))
    assert "Equipment: {labels: {en: Equipment, zh: 设备}, description: {en: What lifts., zh: 起重的东西。}" in text
    assert "weight: {type: number, labels: {en: Mass, zh: 质量}, keys: [Weight]}" in text
    assert "Nothing was chosen" in html(allowed.post(PAGE, {"said": said}))
    assert len(model.requests) == 1
    assert SkeletonVersion.objects.count() == 1


def test_the_knowledge_base_pays(allowed, model, meter, kb, department, editor):
    model.script = WORDS
    allowed.post(PAGE, {"ask": "1"})

    charge = meter.usages[0].charge
    assert (charge.purpose, charge.kb_id, charge.department_id, charge.user_id) == (
        Purpose.PROPOSE,
        kb.pk,
        department.pk,
        editor.user_id,
    )
    tokens = meter.usages[0].tokens
    assert GraphSource.objects.get().tokens_used == tokens.prompt + tokens.completion > 0


@cases(
    ("script", "words"),
    [
        (says("I would rather not."), "made no sense"),
        (says('{"classes": [{"drafts": ["Nobody"]}], "attributes": 5}'), "made no sense"),
        (says("{", finish_reason="length"), "made no sense"),
        (Script(status=503), "did not answer"),
        (Script(pieces=("{",), after="break"), "did not answer"),
        (Script(pieces=(), after="blanks"), "did not answer"),
        (Script(pieces=("hm",), after="hang"), "did not answer in time"),
    ],
)
def test_a_model_that_is_dead_or_talks_nonsense_leaves_the_counted_proposals(
    allowed, model, monkeypatch, script, words
):
    monkeypatch.setattr(proposing, "CALL_S", 5.0)
    html(allowed.get(PAGE))
    model.answering = lambda body: script

    shown = html(allowed.post(PAGE, {"ask": "1"}))

    assert words in shown
    assert "Crane · Winch" in shown
    assert "named by a model" not in shown
    assert 'name="said"' not in shown


def test_what_was_said_until_the_time_was_over_counts(allowed, model, monkeypatch):
    monkeypatch.setattr(proposing, "CALL_S", 1.0)
    model.script = Script(pieces=(json.dumps(SAID, ensure_ascii=False)[:-60],), after="hang")

    assert "Equipment · 设备" in html(allowed.post(PAGE, {"ask": "1"}))


def test_an_engine_that_knows_no_schema_is_asked_in_words(allowed, model):
    refuses = Script(status=400)
    model.answering = lambda body: refuses if "response_format" in body else WORDS

    assert "Equipment · 设备" in html(allowed.post(PAGE, {"ask": "1"}))
    assert [body.get("response_format", {}).get("type") for body in model.requests] == [
        "json_schema",
        "json_object",
        None,
    ]


def test_a_small_window_is_shown_fewer_and_one_that_is_too_small_nothing(allowed, model):
    model.window_tokens = 300

    assert "do not fit" in html(allowed.post(PAGE, {"ask": "1"}))
    assert model.requests == []


def test_a_base_that_no_model_may_read_is_shown_to_none(page, model, kb, editor):
    shown = html(page.post(PAGE, {"ask": "1"}))

    assert "a model may read nothing of this knowledge base" in shown
    assert 'href="/ontology/pumps/model/"' in shown
    assert model.requests == []


def test_the_limit_of_the_base_is_not_passed(allowed, model):
    GraphSource.objects.update(token_cap=100)

    assert "more than this knowledge base may still cost" in html(allowed.post(PAGE, {"ask": "1"}))
    assert model.requests == []
    assert GraphSource.objects.get().tokens_used == 0


def test_without_a_model_that_is_said(allowed, model):
    model.names = ()

    assert "no model answers here" in html(allowed.get(PAGE))
    assert "Crane · Winch" in html(allowed.post(PAGE, {"ask": "1"}))


def test_readers_ask_nothing(page, model, viewer, kb):
    assert client_of(viewer).post(PAGE, {"ask": "1"}).status_code == 403
    for asks in (asking_about, lambda subject, kb, drafts: drafts_name(subject=subject, kb=kb, drafts=drafts)):
        with pytest.raises(Forbidden):
            asks(viewer, kb, [])


def test_where_nothing_is_found_nobody_is_asked(graph, kb, editor, model):
    assert asking_about(editor, kb, []).offer is Offer.NOTHING


@cases("said", ["nonsense", "{", '{"classes": [1]}', "x" * 200_000])
def test_words_that_no_model_said_change_nothing(allowed, said):
    assert "Machine: {labels: {en: Machine}" in html(allowed.post(PAGE, {"draft": "Machine", "said": said}))

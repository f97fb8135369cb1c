"""A model reads what readers see already. Q6: an engine that answers gold gives gold; T06, T13, T15, T16: what goes wrong goes into quarantine, by reason, and costs little."""

import json
from dataclasses import replace

import pytest

from inference.types import Purpose
from knowledge.ingest import ingest
from knowledge.models import Chunk, Document, Job, RunState, StageRun, Version
from knowledge.selectors.items import result_of
from knowledge.selectors.progress import progress_of
from knowledge.services.reading import reading_retry
from knowledge.spending import spent
from ontology import extract
from ontology.conf import ontology_settings
from ontology.graphs import compiled
from ontology.model_reading import binding, reading
from ontology.model_reading.purse import CALLS_A_CHUNK
from ontology.model_reading.question import ChunkText, Questions
from ontology.models import (
    AttributeValue,
    Evidence,
    ExtractedVersion,
    GraphSource,
    KeptModelOutput,
    ModelPolicy,
    Quarantined,
    Relation,
    SkeletonVersion,
)
from ontology.selectors.facts import EXISTS
from ontology.types import Where
from tests.cases import cases
from tests.meters import ListMeter
from tests.reading_model import by_text, gold, reader_of, says, says_facts, text_of
from tests.scripted_model import Script, ScriptedModel

pytestmark = pytest.mark.django_db

PLAIN = """
classes:
  Machine:
    attributes:
      weight: {type: number, unit: kg}
      built: {type: date}
  Worker: {}
  Paper: {subject: true}
relations:
  feeds:
    from: [Machine]
    to: [Machine]
    attributes: {rate: {type: integer}}
  runs: {from: [Worker], to: [Machine]}
"""
FEEDS = "The press feeds the oven."


def relation(source, type_name, target, quote, ends=("Machine", "Machine"), **attributes):
    item = {
        "type": type_name,
        "source": source,
        "source_class": ends[0],
        "target": target,
        "target_class": ends[1],
        "quote": quote,
    }
    return {**item, "attributes": attributes} if attributes else item


PRESS = relation("press", "feeds", "oven", FEEDS)


@pytest.fixture
def tools(tools):
    return replace(tools, afterwards=(reading,))


@pytest.fixture
def meter():
    return ListMeter()


@pytest.fixture
def model(meter):
    with ScriptedModel(window_tokens=8192) as running:
        running.script = says_facts()
        binding.bind(lambda: reader_of(running, meter))
        yield running
    binding._made.clear()


@pytest.fixture
def source(graph, kb):
    """The base with a skeleton that rules find nothing with, read by a model."""
    graph.skeleton = SkeletonVersion.objects.create(
        graph=graph, number=2, text=PLAIN, fingerprint=compiled(PLAIN).fingerprint
    )
    graph.save()
    GraphSource.objects.filter(kb=kb).update(policy=ModelPolicy.ALL)
    return GraphSource.objects.get(kb=kb)


@pytest.fixture
def facts(graph):
    def known():
        relations = Relation.objects.filter(EXISTS, graph=graph).select_related("source", "target")
        values = AttributeValue.objects.filter(EXISTS, entity__graph=graph).select_related("entity")
        return {
            *(
                (
                    r.source.name,
                    r.source.class_name,
                    r.type,
                    r.target.name,
                    r.target.class_name,
                    *(v["value"] for v in r.attributes.values()),
                )
                for r in relations
            ),
            *((v.entity.name, v.entity.class_name, v.name, v.value) for v in values),
        }

    return known


@pytest.fixture
def aside(graph):
    return lambda: sorted(
        (each.reason, each.about) for each in Quarantined.objects.filter(graph=graph, extractor="model")
    )


def run_of(document):
    return StageRun.objects.get(document=document, stage="model")


def sections(*texts):
    return "\n\n".join(f"# Part {n}\n\n{text}" for n, text in enumerate(texts))


def test_an_engine_that_answers_gold_gives_a_graph_equal_to_gold(read, source, model, facts, aside):
    said = [
        (FEEDS, "relations", PRESS),
        (
            "The oven weighs 1.2 t",
            "attributes",
            {
                "class": "Machine",
                "entity": "oven",
                "attribute": "weight",
                "value": "1.2 t",
                "quote": "The oven weighs 1.2 t",
            },
        ),
        (
            "Ada runs the press",
            "relations",
            relation("Ada", "runs", "press", "Ada runs the press", ("Worker", "Machine")),
        ),
        ("Ada runs the press", "entities", {"class": "Worker", "name": "Ada", "aliases": []}),
        (
            "烤箱给包装机供料，每小时 1.2 万件",
            "relations",
            relation("烤箱", "feeds", "包装机", "烤箱给包装机供料，每小时 1.2 万件", rate="1.2 万"),
        ),
        (
            "built in March 2024",
            "attributes",
            {
                "class": "Machine",
                "entity": "press",
                "attribute": "built",
                "value": "March 2024",
                "quote": "built in March 2024",
            },
        ),
    ]
    model.answering = gold(said)

    read("a.md", sections(FEEDS + " Ada runs the press.", "The oven weighs 1.2 t when it is cold."))
    read("b.md", "烤箱给包装机供料，每小时 1.2 万件。\n\nThe press was built in March 2024.")
    read("c.md", FEEDS)

    assert facts() == {
        ("press", "Machine", "feeds", "oven", "Machine"),
        ("Ada", "Worker", "runs", "press", "Machine"),
        ("烤箱", "Machine", "feeds", "包装机", "Machine", 12000),
        ("oven", "Machine", "weight", 1200.0),
        ("press", "Machine", "built", "2024-03"),
    }
    assert aside() == []
    assert Relation.objects.get(source__name="press", type="feeds").support == 2


def test_every_fact_cites_its_sentence(read, source, model):
    model.answering = gold([(FEEDS, "relations", PRESS)])

    document = read("a.md", "Long before. " * 30 + FEEDS + " Long after." * 30)

    evidence = Evidence.objects.get(relation__isnull=False)
    assert (evidence.extractor, evidence.is_live) == ("model", True)
    assert document.live_version.text[evidence.start : evidence.end] == FEEDS


@cases(
    ("lists", "reasons"),
    [
        ({"relations": [relation("press", "devours", "oven", FEEDS)]}, {("unknown_relation", "devours")}),
        (
            {"relations": [relation("press", f"type_{n}", "oven", FEEDS) for n in range(9)]},
            {("unknown_relation", f"type_{n}") for n in range(9)},
        ),
        ({"relations": [relation("press", "runs", "oven", FEEDS)]}, {("wrong_ends", "Machine runs Machine")}),
        ({"entities": [{"class": "Robot", "name": "press"}]}, {("unknown_class", "Robot")}),
        (
            {"entities": [{"class": name, "name": "press"} for name in ("Document", "Chunk", "Entity")]},
            {("unknown_class", name) for name in ("Document", "Chunk", "Entity")},
        ),
        ({"entities": [{"class": "Machine", "name": "lathe"}]}, {("not_in_text", "Machine")}),
        ({"relations": [relation("press", "feeds", "oven", "The press always feeds it.")]}, {("not_in_text", "feeds")}),
        (
            {
                "attributes": [
                    {"class": "Machine", "entity": "press", "attribute": "colour", "value": "oven", "quote": FEEDS}
                ]
            },
            {("unknown_attribute", "Machine.colour")},
        ),
        (
            {
                "attributes": [
                    {"class": "Machine", "entity": "press", "attribute": "weight", "value": "oven", "quote": FEEDS}
                ]
            },
            {("unreadable_value", "Machine.weight")},
        ),
        (
            {
                "attributes": [
                    {"class": "Machine", "entity": "press", "attribute": "weight", "value": "12 kg", "quote": FEEDS}
                ]
            },
            {("not_in_text", "Machine.weight")},
        ),
        (
            {"entities": [{"class": "Machine", "name": "。"}, 5, {"class": "Machine"}]},
            {("not_in_text", "Machine"), ("broken_output", "entities"), ("broken_output", "name")},
        ),
    ],
)
def test_what_does_not_fit_puts_nothing_into_the_graph_and_is_counted_by_reason(
    read, source, model, facts, aside, lists, reasons
):
    model.script = says_facts(**lists)

    document = read("a.md", FEEDS)

    assert facts() == set()
    assert not Evidence.objects.filter(extractor="model").exists()
    assert set(aside()) == reasons
    assert run_of(document).state == RunState.DONE


@cases(
    ("script", "code"),
    [
        (says("I would rather not."), "no_json"),
        (says("<think>hm"), "no_json"),
        (Script(pieces=('{"entities": [',), after="blanks"), "white_space"),
        (says("{", finish_reason="length"), "cut_off"),
        (Script(status=400), "engine_refused"),
        (Script(raw=b"data: [1, 2]\n\n"), "engine_refused"),
    ],
)
def test_a_chunk_that_fails_is_counted_with_its_reason_and_stops_no_other(
    read, source, model, facts, aside, script, code
):
    good = says_facts(relations=[PRESS])
    model.answering = by_text(lambda text: good if FEEDS in text else script)

    document = read("a.md", sections("Nothing of the kind.", FEEDS, "And nothing else."))

    assert facts() == {("press", "Machine", "feeds", "oven", "Machine")}
    row = ExtractedVersion.objects.get(version=document.live_version)
    assert [each["code"] for each in row.faults] == [code, code]
    assert aside() == [("broken_output", code)] * 2
    assert run_of(document).state == RunState.DONE


def test_white_space_costs_one_more_call_in_another_way_and_no_third(read, source, model):
    model.script = Script(pieces=(), after="blanks")

    read("a.md", FEEDS)

    forms = [body.get("response_format", {}).get("type") for body in model.requests]
    assert forms == ["json_schema", "json_object"]


def test_of_an_answer_that_was_cut_off_twice_what_was_complete_is_kept(read, source, model, facts):
    text = json.dumps({"entities": [], "attributes": [], "relations": [PRESS, PRESS]})
    model.script = says(text[:-30], finish_reason="length")

    document = read("a.md", FEEDS)

    assert facts() == {("press", "Machine", "feeds", "oven", "Machine")}
    assert ExtractedVersion.objects.get(version=document.live_version).faults == [{"chunk": 0, "code": "cut_off"}]
    assert len(model.requests) == 2


@pytest.mark.parametrize("known", ["json_object", None])
def test_an_engine_that_does_not_know_a_schema_is_asked_in_a_way_that_it_knows(read, source, model, facts, known):
    def answer(body):
        form = body.get("response_format", {}).get("type")
        return says_facts(relations=[PRESS]) if form == known else Script(status=400)

    model.answering = answer

    read("a.md", sections(*[f"Note {n}. {FEEDS}" for n in range(40)]))

    assert facts() == {("press", "Machine", "feeds", "oven", "Machine")}
    refused = [body for body in model.requests if body.get("response_format", {}).get("type") != known]
    assert len(refused) <= 2 * 40
    assert len(model.requests) - len(refused) == 40


def test_a_second_version_asks_only_about_what_changed(read, source, model, facts):
    model.answering = gold(
        [
            (FEEDS, "relations", PRESS),
            ("The oven feeds the press.", "relations", relation("oven", "feeds", "press", "The oven feeds the press.")),
        ]
    )
    parts = [f"Part number {n} says little. " * 20 for n in range(12)]
    read("a.md", sections(FEEDS, *parts))
    before = len(model.requests)

    document = read("a.md", sections("The oven feeds the press.", *parts))

    changed = Chunk.objects.filter(version=document.live_version).exclude(
        content_hash__in=Chunk.objects.exclude(version=document.live_version).values("content_hash")
    )
    assert before == 13
    assert len(model.requests) - before == changed.count() == 1
    assert facts() == {("oven", "Machine", "feeds", "press", "Machine")}


def test_a_new_version_with_the_engine_away_keeps_what_is_unchanged_and_is_found_at_once(read, source, model, facts):
    model.script = says_facts(relations=[PRESS])
    read("a.md", sections(FEEDS, "Old words."))
    binding.bind(away)

    document = read("a.md", sections(FEEDS, "New words."))

    assert document.live_version.number == 2
    assert facts() == {("press", "Machine", "feeds", "oven", "Machine")}
    run = run_of_version(document)
    assert (run.state, run.error["code"]) == (RunState.WAITING, "engine_unavailable")
    assert run.retry_at is not None


def run_of_version(document):
    return StageRun.objects.get(version=document.live_version, stage="model")


def away():
    with ScriptedModel() as gone:
        port = gone.port
    gone.port = port
    return reader_of(gone)


def test_with_the_engine_away_a_document_is_published_with_what_rules_find_and_the_model_reads_later(
    read, graph, kb, model, relations, tools
):
    GraphSource.objects.filter(kb=kb).update(policy=ModelPolicy.ALL)
    binding.bind(away)

    document = read("a.md", "The Mail Gateway calls Auth Server.")

    assert relations() == {("Mail Gateway", "calls", "Auth Server"): 1}
    assert Chunk.objects.filter(document=document, is_live=True).exists()
    assert result_of(Job.objects.get().items.get()).status == "done"
    assert run_of(document).state == RunState.WAITING
    assert Job.objects.get().finished_at is None

    binding.bind(lambda: reader_of(model))
    StageRun.objects.update(retry_at=None)
    ingest(version_of(document), tools)

    assert run_of(document).state == RunState.DONE
    assert Job.objects.get().finished_at is not None
    assert len(model.requests) == 1


def version_of(document):
    return Version.objects.select_related("document__kb").get(pk=document.live_version_id)


def test_a_wrong_key_fails_the_stage_and_says_so(read, source, model):
    model.script = Script(status=401)

    document = read("a.md", FEEDS)

    assert run_of(document).error["code"] == "engine_refused"
    assert document.live_version is not None


def test_when_some_chunks_find_nobody_the_rest_is_kept_and_only_they_are_asked_again(
    read, source, model, tools, monkeypatch
):
    monkeypatch.setattr("ontology.model_reading.ask.FIRST_WAIT_S", 0.01)
    model.answering = by_text(lambda text: Script(status=503) if "Second" in text else says_facts())

    document = read("a.md", sections("First.", "Second.", "Third."))

    assert run_of(document).state == RunState.WAITING
    assert KeptModelOutput.objects.count() == 2
    model.answering, asked = None, len(model.requests)
    StageRun.objects.update(retry_at=None)
    ingest(version_of(document), tools)
    assert [text_of(body) for body in model.requests[asked:]] == [Chunk.objects.get(text__contains="Second").text]


def test_what_a_call_used_is_charged_to_the_document_and_to_the_job(read, source, model, meter, department):
    document = read("a.md", sections("First.", "Second."))

    (charge,) = {usage.charge for usage in meter.usages}
    assert (charge.purpose, charge.document_id, charge.department_id) == (Purpose.EXTRACT, document.pk, department.pk)
    used = sum(usage.tokens.prompt + usage.tokens.completion for usage in meter.usages)
    assert run_of(document).tokens == used == ExtractedVersion.objects.get().tokens
    assert GraphSource.objects.get().tokens_used == used


def test_the_cap_of_a_job_ends_it_cleanly_and_a_person_may_grant_as_much_again(read, source, model, editor, tools):
    binding.bind(away)
    document = read("a.md", sections(*[f"Part {n}." for n in range(30)]))
    binding.bind(lambda: reader_of(model))
    job = Job.objects.get()
    question = Questions(compiled(PLAIN)).about(ChunkText(0, Where(0, 1), "Part", "Part 1", job.pk))
    dearest = CALLS_A_CHUNK * (question.prompt_tokens + ontology_settings().extract_answer_tokens)
    Job.objects.update(token_allowance=10**6, token_limit=spent(job) + dearest + 100)
    StageRun.objects.update(retry_at=None)

    ingest(version_of(document), tools)

    run = run_of(document)
    assert (run.state, run.error["code"]) == (RunState.FAILED, "cost_cap")
    assert progress_of([document.live_version_id])[document.live_version_id].error["code"] == "cost_cap"
    assert spent(job) <= Job.objects.get().token_limit
    asked = len(model.requests)
    assert 0 < asked == KeptModelOutput.objects.count() < 30

    reading_retry(subject=editor, version=document.live_version, tools=tools)
    ingest(version_of(document), tools)
    assert run_of(document).state == RunState.DONE
    assert len(model.requests) == Chunk.objects.count()


def test_the_cap_of_a_knowledge_base_is_never_passed(read, source, model):
    GraphSource.objects.update(token_cap=5000)

    document = read("a.md", sections(*[f"Part {n}." for n in range(400)]))

    run = run_of(document)
    assert (run.state, run.error["code"]) == (RunState.FAILED, "cost_cap")
    assert 0 < GraphSource.objects.get().tokens_used <= 5000


@pytest.mark.parametrize(("policy", "calls"), [("off", 0), ("titles", 3), ("all", 9)])
def test_the_policy_says_which_chunks_a_model_reads(read, source, model, policy, calls):
    GraphSource.objects.update(policy=policy)
    words = "Many words about little. " * 60

    read("a.md", f"# One\n\n{words}\n\n{words}\n\n{words}\n\n# Two\n\n{words}\n\n{words}\n\n{words}")

    chunks = Chunk.objects.count()
    expected = {"off": 0, "titles": len(set(Chunk.objects.values_list("section", flat=True))), "all": chunks}[policy]
    assert len(model.requests) == expected
    assert chunks > expected or policy == "all"


def test_rules_that_go_over_a_version_again_leave_what_a_model_found(read, source, model, facts, tools):
    model.script = says_facts(relations=[PRESS])
    document = read("a.md", FEEDS)
    ExtractedVersion.objects.update(is_stale=True)

    ingest(version_of(document), tools)

    assert facts() == {("press", "Machine", "feeds", "oven", "Machine")}
    assert len(model.requests) == 1


def test_under_another_skeleton_a_model_reads_again_and_what_no_longer_fits_goes(
    read, source, model, facts, graph, tools
):
    model.script = says_facts(relations=[PRESS])
    document = read("a.md", FEEDS)
    text = PLAIN.replace("feeds:", "supplies:")
    graph.skeleton = SkeletonVersion.objects.create(
        graph=graph, number=3, text=text, fingerprint=compiled(text).fingerprint
    )
    graph.save()
    assert not reading.is_done(version_of(document))

    extract_again(document, tools)

    assert facts() == set()
    assert len(model.requests) == 2


def extract_again(document: Document, tools):
    StageRun.objects.filter(stage__in=("extract", "model")).update(state=RunState.WAITING)
    ingest(version_of(document), tools)
    assert extract.is_done(version_of(document))


def test_calls_are_in_flight_together(read, source, model):
    model.script = replace(says_facts(), delay_s=0.2)

    read("a.md", sections(*[f"Part {n}." for n in range(40)]))

    assert model.peak >= 16


def test_an_engine_that_is_full_is_asked_more_slowly_and_everything_is_read(read, source, model, monkeypatch):
    monkeypatch.setattr("ontology.model_reading.ask.FIRST_WAIT_S", 0.02)

    def answer(body):
        return (
            Script(status=429, headers={"Retry-After": "0"})
            if model.flying >= 3
            else replace(says_facts(), delay_s=0.02)
        )

    model.answering = answer

    document = read("a.md", sections(*[f"Part {n}." for n in range(40)]))

    assert run_of(document).state == RunState.DONE
    assert KeptModelOutput.objects.count() == Chunk.objects.count()
    assert ExtractedVersion.objects.get().faults == []

"""The owner says what a model reads; what is there is read then, with a job to watch, and what it would cost is told before."""

import json

import pytest
from django.core.management import call_command

from common.errors import Forbidden, InvalidInput
from inference.conf import inference_settings
from knowledge.ingest import ingest
from knowledge.models import Chunk, Job, Membership, Role, RunState, StageRun
from ontology.models import ExtractedVersion, GraphSource, KeptModelOutput
from ontology.selectors.reading_cost import reading_costs
from ontology.services.reading import graph_source_set_policy
from ontology.services.skeletons import skeleton_apply, skeleton_dry_run
from tests.db.ontology import test_model_reading as reading
from tests.reading_model import says_facts

pytestmark = pytest.mark.django_db

meter = reading.meter
model = reading.model
source = reading.source
tools = reading.tools
FEEDS, PRESS = reading.FEEDS, reading.PRESS
run_of, sections, version_of = reading.run_of, reading.sections, reading.version_of


@pytest.fixture
def owner(editor, kb):
    Membership.objects.filter(kb=kb, user_id=editor.user_id).update(role=Role.OWNER)
    return editor


@pytest.fixture
def unread(source, read):
    """Two documents that no model has read."""
    GraphSource.objects.update(policy="off")
    return [read(f"{name}.md", sections(FEEDS, f"Note {name}.")) for name in "ab"]


def test_what_is_there_is_read_and_can_be_watched(unread, model, owner, kb, tools):
    model.script = says_facts(relations=[PRESS])

    job = graph_source_set_policy(subject=owner, kb=kb, policy="all")
    assert job is not None
    assert [run_of(each).state for each in unread] == [RunState.WAITING] * 2
    for each in unread:
        ingest(version_of(each), tools)

    assert [run_of(each).state for each in unread] == [RunState.DONE] * 2
    assert Job.objects.get(pk=job.pk).finished_at is not None
    assert len(model.requests) == len(set(Chunk.objects.values_list("content_hash", flat=True)))


def test_the_same_again_and_less_than_before_ask_for_nothing(unread, model, owner, kb, tools):
    graph_source_set_policy(subject=owner, kb=kb, policy="all")
    for each in unread:
        ingest(version_of(each), tools)

    assert [graph_source_set_policy(subject=owner, kb=kb, policy=each) for each in ("all", "titles", "off")] == [
        None
    ] * 3


def test_a_raised_cap_lets_what_it_stopped_go_on(unread, model, owner, kb, tools):
    graph_source_set_policy(subject=owner, kb=kb, policy="all", token_cap=10)
    for each in unread:
        ingest(version_of(each), tools)
    assert [run_of(each).error["code"] for each in unread] == ["cost_cap"] * 2

    job = graph_source_set_policy(subject=owner, kb=kb, policy="all", token_cap=10**6)
    assert job is not None
    assert job.items.count() == 2
    for each in unread:
        ingest(version_of(each), tools)
    assert set(StageRun.objects.filter(stage="model").values_list("state", flat=True)) == {RunState.DONE}


def test_only_the_owner_may_and_only_what_there_is(unread, editor, kb):
    with pytest.raises(Forbidden):
        graph_source_set_policy(subject=editor, kb=kb, policy="all")
    Membership.objects.filter(kb=kb, user_id=editor.user_id).update(role=Role.OWNER)
    with pytest.raises(InvalidInput):
        graph_source_set_policy(subject=editor, kb=kb, policy="everything")


def test_a_version_that_slipped_through_is_found_by_the_periodic_look(unread, model, tend):
    GraphSource.objects.update(policy="titles")

    tend()

    assert [run_of(each).state for each in unread] == [RunState.WAITING] * 2


def test_the_estimate_is_from_above_and_falls_with_what_is_kept(unread, model, owner, kb, tools, meter):
    titles, everything = reading_costs(owner, kb)
    assert (titles.policy, everything.policy) == ("titles", "all")
    assert everything.calls == len(set(Chunk.objects.values_list("content_hash", flat=True)))
    assert everything.chunks == Chunk.objects.count()
    assert 0 < titles.tokens <= everything.tokens

    graph_source_set_policy(subject=owner, kb=kb, policy="all")
    for each in unread:
        ingest(version_of(each), tools)
    used = sum(usage.tokens.prompt + usage.tokens.completion for usage in meter.usages)
    assert used <= everything.tokens
    assert [each.calls for each in reading_costs(owner, kb)] == [0, 0]


def test_the_commands_say_the_same(unread, kb, capsys, model):
    call_command("ontology", "estimate", "--kb", kb.slug, "--json")
    told = json.loads(capsys.readouterr().out)
    assert (told["policy"], told["tokens_used"], [each["fits"] for each in told["costs"]]) == ("off", 0, [True, True])

    call_command("ontology", "policy", "titles", "--kb", kb.slug, "--token-cap", "9000", "--json")
    told = json.loads(capsys.readouterr().out)
    assert (told["policy"], told["token_cap"], told["documents"]) == ("titles", 9000, 2)
    assert GraphSource.objects.get().token_cap == 9000
    assert not KeptModelOutput.objects.exists()


@pytest.fixture
def prices(monkeypatch):
    monkeypatch.setenv("LLM_PROMPT_PRICE", "0.5")
    monkeypatch.setenv("LLM_COMPLETION_PRICE", "2")
    inference_settings.cache_clear()
    yield
    inference_settings.cache_clear()


def tried(editor, graph, text):
    return skeleton_dry_run(subject=editor, graph_id=graph.pk, text=text).effect


RULES_ALONE = reading.PLAIN.replace("  Worker: {}", "  Worker: {rules: {suffixes: [Smith]}}")
WORDS_ALONE = reading.PLAIN.replace("  Worker: {}", "  Worker: {description: {zh: 在这里工作的人}}")
ONE_CLASS_MORE = reading.PLAIN.replace("  Worker: {}", "  Worker: {}\n  Ship: {labels: {zh: 船}}")


@pytest.mark.parametrize("policy", ["titles", "all"])
def test_a_dry_run_says_what_the_estimate_says_afterwards(unread, model, owner, kb, graph, prices, policy):
    graph_source_set_policy(subject=owner, kb=kb, policy=policy)

    told = tried(owner, graph, ONE_CLASS_MORE)
    skeleton_apply(subject=owner, graph_id=graph.pk, text=ONE_CLASS_MORE)
    after = next(each for each in reading_costs(owner, kb) if each.policy == policy)

    assert (told.calls, told.tokens, told.price) == (after.calls, after.tokens, after.price)
    assert told.calls > 0
    assert told.price > 0


def test_what_a_model_has_said_and_what_no_fact_hangs_on_cost_nothing(unread, model, owner, kb, graph, tools, tend):
    graph_source_set_policy(subject=owner, kb=kb, policy="all")
    for each in unread:
        ingest(version_of(each), tools)

    rules, words, more = (tried(owner, graph, each) for each in (RULES_ALONE, WORDS_ALONE, ONE_CLASS_MORE))

    assert (rules.documents, rules.calls, rules.tokens) == (2, 0, 0)
    assert (words.documents, words.calls, words.tokens) == (0, 0, 0)
    assert more.calls == len(set(Chunk.objects.values_list("content_hash", flat=True)))
    asked_before = len(model.requests)
    applied = skeleton_apply(subject=owner, graph_id=graph.pk, text=RULES_ALONE)
    tend()
    for each in unread:
        ingest(version_of(each), tools)
    assert set(ExtractedVersion.objects.values_list("model_skeleton", flat=True)) == {applied.fingerprint}
    assert len(model.requests) == asked_before


def test_a_dry_run_says_when_the_cap_is_too_low_and_nothing_where_rules_alone_read(unread, model, owner, kb, graph):
    off = tried(owner, graph, ONE_CLASS_MORE)
    graph_source_set_policy(subject=owner, kb=kb, policy="all", token_cap=100)
    capped = tried(owner, graph, ONE_CLASS_MORE)

    assert (off.is_read_by_model, off.calls, off.tokens, off.is_beyond_cap) == (False, 0, 0, False)
    assert (capped.is_read_by_model, capped.is_beyond_cap) == (True, True)


@pytest.mark.parametrize("cap", [-1, 10**19])
def test_a_limit_that_can_be_none_is_refused_with_a_sentence(unread, owner, kb, cap):
    with pytest.raises(InvalidInput, match="whole number"):
        graph_source_set_policy(subject=owner, kb=kb, policy="all", token_cap=cap)
    assert GraphSource.objects.get().token_cap is None

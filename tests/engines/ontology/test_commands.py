"""The command line of graphs and of the ledger's rules, as people script against it."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from knowledge import tools as knowledge_tools
from knowledge.models import Chunk, ChunkKeywords, ChunkVector
from ontology.graph import binding
from ontology.graph.projector import only_one
from ontology.graph.rebuild import rebuild
from ontology.graphs import compiled
from ontology.models import SkeletonVersion
from ontology.tasks import embed_facts, project, project_what_waits
from tests.engines.ontology.test_projection import small
from tests.factories import Corpus

pytestmark = pytest.mark.engine

TEXT = """
classes:
  System:
    labels: {en: System}
    attributes:
      port: {type: integer}
  Person:
    labels: {en: Person}
  系统:
    labels: {zh: 系统}
  Publication:
    labels: {en: Publication}
    subject: true
relations:
  calls:
    from: [System, Person, 系统]
    to: [System, Person, 系统]
    labels: {en: calls}
  批准:
    from: [System, Person, 系统]
    to: [System, Person, 系统]
    labels: {zh: 批准}
"""


@pytest.fixture
def corpus(world, tmp_path):
    return Corpus(world.kbs[0], tmp_path)


@pytest.fixture
def bound(world, corpus, graph_address, monkeypatch):
    """The process knows this graph database, and the graph its skeleton."""
    world.graph.skeleton = SkeletonVersion.objects.create(
        graph=world.graph, number=1, text=TEXT, fingerprint=compiled(TEXT).fingerprint
    )
    world.graph.save()
    monkeypatch.setattr(knowledge_tools, "_made", [lambda: corpus.tools])
    knowledge_tools.tools.cache_clear()
    monkeypatch.setattr(binding, "_server", [lambda: graph_address])
    binding.graph_database.cache_clear()
    yield world
    binding.graph_database().close()
    binding.graph_database.cache_clear()
    knowledge_tools.tools.cache_clear()


def command(*words, code=0):
    """Lines of JSON of a command that ends with this code."""
    out = io.StringIO()
    ended: int | None = 0
    try:
        call_command(*words, "--json", stdout=out, stderr=io.StringIO())
    except (SystemExit, CommandError) as error:
        ended = getattr(error, "returncode", None) or getattr(error, "code", None)
    assert ended == code, out.getvalue()
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_status_says_what_waits_and_what_could_not_be_stored(bound):
    bound.entity("Pump", is_confirmed=True)
    (before,) = command("graph", "status")
    assert (before["pending"], before["set_aside"], before["kbs"]) == (1, 0, sorted(kb.slug for kb in bound.kbs))
    assert "5.26" in before["database"] or before["database"]

    bound.value(bound.mentioned("Big", bound.document()[0]), "port", 2**70, bound.document()[0])
    project(str(bound.graph.pk))
    (after,) = command("graph", "status", code=1)
    assert (after["pending"], after["lag_s"], after["set_aside"]) == (0, 0.0, 1)
    assert after["examples"][0]["kind"] == "entity"


def test_the_task_projects_and_the_periodic_one_finds_who_is_behind(bound, monkeypatch):
    small_world = bound.mentioned("Pump", bound.document()[0])
    woken = []
    monkeypatch.setattr("ontology.outbox.Wake.__call__", lambda wake: woken.append(wake.graph_id))
    project_what_waits()
    assert woken == [bound.graph.pk]

    project(str(woken[0]))
    assert bound.key(small_world) in bound.held().nodes
    woken.clear()
    project_what_waits()
    assert woken == []


def test_a_graph_is_rebuilt_and_reconciled_by_the_name_of_its_base(bound):
    small(bound)
    whole = bound.held()
    bound.database.write([("MATCH (e:Person) DETACH DELETE e CREATE (:Entity:Person {name: 'Planted'})", {})])
    slug = bound.kbs[0].slug
    (found,) = command("graph", "reconcile", "--kb", slug, code=1)
    assert (found["ok"], found["mended"]) == (False, 0)

    (done,) = command("graph", "rebuild", "--kb", slug)
    assert (done["projected"], done["set_aside"]) == (3 + 2 + 4, 0)
    assert bound.held() == whole
    (found,) = command("graph", "reconcile", "--kb", slug)
    assert (found["ok"], found["broken"]) == (True, 0)


def test_without_a_base_what_belongs_to_no_graph_is_mended_too(bound):
    small(bound)
    bound.database.write([("CREATE (:Entity:Person {name: 'Planted'})", {})])

    _of_graph, of_nobody = command("graph", "reconcile", "--mend")
    assert (of_nobody["graph"], of_nobody["broken"], of_nobody["mended"]) == (None, 1, 1)


def test_a_base_that_is_not_there_is_wrong_use_and_a_busy_graph_a_failure(bound, monkeypatch):
    assert command("graph", "status", "--kb", "nowhere", code=2) == []
    monkeypatch.setitem(rebuild.__kwdefaults__, "wait_s", 0.0)
    with only_one(bound.graph.pk):
        assert command("graph", "rebuild", code=1) == []


def test_facts_wait_for_their_vectors_until_they_have_been_projected(bound, monkeypatch):
    sent = []
    monkeypatch.setattr("ontology.wake.send", lambda task, queue, arguments=(): sent.append((task, queue, arguments)))
    small(bound)
    (before,) = command("graph", "status")
    assert before["vectors_lacking"] == 2
    (report,) = command("reconcile", code=1)
    assert ("every live relation has a fact vector", 2) in [(rule["rule"], rule["broken"]) for rule in report["rules"]]

    project(str(bound.graph.pk))
    assert sent == [("ontology.tasks.embed_facts", "indexing", [str(bound.graph.pk)])]
    embed_facts(*sent[0][2])
    (after,) = command("graph", "status")
    assert after["vectors_lacking"] == 0
    (report,) = command("reconcile", code=1)  # made-up chunks have neither vectors nor words
    assert ("every live relation has a fact vector", 0) in [(rule["rule"], rule["broken"]) for rule in report["rules"]]


def test_reconcile_finds_a_sound_ledger_sound(bound, corpus):
    corpus.read("pump.md", "# Pump\n\nThe pump P-100 stops at 80 degrees.")

    (report,) = command("reconcile")
    assert report["ok"]
    assert all(rule["broken"] == rule["mended"] == 0 and rule["examples"] == [] for rule in report["rules"])
    assert len({rule["rule"] for rule in report["rules"]}) == len(report["rules"]) > 8


def test_reconcile_mends_documents_facts_and_the_graph_in_one_go(bound, corpus):
    document = corpus.read("pump.md", "# Pump\n\nThe pump P-100 stops at 80 degrees.")
    entity = bound.mentioned("Pump", Chunk.objects.filter(document=document).first())
    bound.project()
    ChunkVector.objects.all().delete()
    ChunkKeywords.objects.all().delete()
    type(entity).objects.update(support=5)
    bound.database.write([("CREATE (:Entity:Person {name: 'Planted'})", {})])

    (report,) = command("reconcile", code=1)
    assert sum(rule["broken"] > 0 for rule in report["rules"]) == 4
    (report,) = command("reconcile", "--mend")
    assert report["ok"]
    assert sum(rule["mended"] == rule["broken"] > 0 for rule in report["rules"]) == 4
    (report,) = command("reconcile")
    assert all(rule["broken"] == 0 for rule in report["rules"])

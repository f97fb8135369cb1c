"""Rules about facts: what breaks them is found, told and mended."""

from types import SimpleNamespace
from uuid import uuid4

import pytest

from inference.hash_embedder import HashEmbedder
from ontology import invariants
from ontology.fact_vectors.tend import fact_vectors_tend
from ontology.graphs import compiled
from ontology.models import AttributeValue, Entity, Evidence, FactVector, GraphChange, Relation, SkeletonVersion
from tests.ontology_rows import make_world

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(monkeypatch):
    """Two entities and a relation, and nothing that breaks a rule; no graph database."""
    world = make_world(None)
    chunks = world.document()
    world.pump, world.valve = world.mentioned("Pump", chunks[0]), world.mentioned("Valve", chunks[1])
    world.calls = world.relation(world.pump, "calls", world.valve, chunks[0])
    world.port = world.value(world.pump, "port", 8080, chunks[0])
    world.chunks = chunks
    world.graph.skeleton = SkeletonVersion.objects.create(
        graph=world.graph, number=1, text=TEXT, fingerprint=compiled(TEXT).fingerprint
    )
    world.graph.save()
    fact_vectors_tend(world.graph, HashEmbedder())
    GraphChange.objects.all().delete()
    monkeypatch.setattr(invariants, "tools", lambda: SimpleNamespace(embedder=HashEmbedder()))
    return world


RULES = invariants.RULES[:-1]
TEXT = """
classes:
  System: {labels: {en: System}, attributes: {port: {type: integer}}}
relations:
  calls: {from: [System], to: [System], labels: {en: calls}}
"""


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_a_sound_ledger_breaks_no_rule(world, rule):
    assert rule(True).broken == 0
    assert not GraphChange.objects.exists()


BROKEN = {
    "evidence that counts though its chunk can't be found": (
        invariants.evidence_is_live_with_its_chunks,
        lambda world: type(world.chunks[0]).objects.filter(pk=world.chunks[0].pk).update(is_live=False),
        3,
    ),
    "evidence that does not count though its chunk can be found": (
        invariants.evidence_is_live_with_its_chunks,
        lambda world: Evidence.objects.filter(entity=world.valve).update(is_live=False),
        1,
    ),
    "support of an entity": (
        invariants.support_is_counted,
        lambda world: Entity.objects.filter(pk=world.pump.pk).update(support=7),
        1,
    ),
    "support of a relation and a value": (
        invariants.support_is_counted,
        lambda world: (Relation.objects.update(support=0), AttributeValue.objects.update(support=3)),
        2,
    ),
    "a relation without a reason": (
        invariants.nothing_stands_without_reason,
        lambda world: Evidence.objects.filter(relation=world.calls).delete(),
        1,
    ),
    "a value without a reason": (
        invariants.nothing_stands_without_reason,
        lambda world: Evidence.objects.filter(attribute=world.port).delete(),
        1,
    ),
    "an entity without a reason": (
        invariants.nothing_stands_without_reason,
        lambda world: world.entity("Nobody"),
        1,
    ),
    "a ring of merges": (
        invariants.merges_have_roots,
        lambda world: (
            Entity.objects.filter(pk=world.pump.pk).update(merged_into=world.valve),
            Entity.objects.filter(pk=world.valve.pk).update(merged_into=world.pump),
        ),
        2,
    ),
}


@pytest.mark.parametrize(("rule", "breaks", "count"), BROKEN.values(), ids=BROKEN)
def test_what_breaks_a_rule_is_found_mended_and_told_to_the_graph(world, rule, breaks, count):
    breaks(world)
    GraphChange.objects.all().delete()

    found = rule(False)
    assert (found.broken, found.mended, len(found.examples)) == (count, 0, count)

    found = rule(True)
    assert (found.broken, found.mended) == (count, count)
    assert GraphChange.objects.exists()
    assert rule(False).broken == 0


def strayed(world):
    """A vector that no relation holds, in the space in use."""
    (kept,) = FactVector.objects.all()
    FactVector.objects.create(content_hash=uuid4(), space=kept.space, raw=kept.raw, reduced=kept.reduced)


@pytest.mark.parametrize(
    ("rule", "breaks"),
    [
        (invariants.relations_have_vectors, lambda world: FactVector.objects.all().delete()),
        (invariants.relations_have_vectors, lambda world: Relation.objects.update(sentence_hash=None)),
        (invariants.relations_have_vectors, lambda world: Entity.objects.filter(pk=world.valve.pk).update(name="阀门")),
        (invariants.vectors_have_relations, strayed),
        (invariants.vectors_have_relations, lambda world: Relation.objects.update(is_rejected=True)),
        (invariants.vectors_have_relations, lambda world: Relation.objects.all().delete()),
    ],
    ids=["vectors gone", "sentence unknown", "an end renamed", "a vector too many", "rejected", "relation gone"],
)
def test_relations_and_vectors_that_do_not_fit_are_found_and_mended(world, rule, breaks):
    breaks(world)
    found = rule(False)
    assert (found.broken, found.mended) == (1, 0)
    assert found.examples

    assert rule(True).is_well
    assert rule(False).broken == 0
    assert invariants.relations_have_vectors(False).broken == 0


def test_mended_evidence_gives_its_support_back(world):
    type(world.chunks[0]).objects.filter(pk=world.chunks[0].pk).update(is_live=False)
    invariants.evidence_is_live_with_its_chunks(True)

    world.pump.refresh_from_db()
    assert world.pump.support == 0
    assert invariants.support_is_counted(False).broken == 0


@pytest.mark.parametrize("word", ["is_confirmed", "is_rejected"])
def test_a_persons_word_is_reason_enough(world, word):
    Evidence.objects.filter(relation=world.calls).delete()
    Relation.objects.filter(pk=world.calls.pk).update(**{word: True})

    assert invariants.nothing_stands_without_reason(True).broken == 0


def test_what_was_merged_is_kept_though_nothing_says_it_any_more(world):
    other = world.entity("P-100", merged_into=world.pump)

    assert invariants.nothing_stands_without_reason(True).broken == 0
    assert Entity.objects.filter(pk=other.pk).exists()

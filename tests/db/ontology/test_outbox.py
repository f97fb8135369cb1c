"""The outbox: what changed is written in the same transaction, and the projector is woken when it commits."""

import pytest
from django.db import connection, transaction

from ontology import outbox
from ontology.graph.lag import graphs_behind, lag_of, set_aside
from ontology.models import GraphChange
from tests.ontology_rows import make_world

pytestmark = pytest.mark.django_db


@pytest.fixture
def world():
    return make_world(None)


def told():
    return sorted(GraphChange.objects.values_list("kind", "key"))


def test_a_merged_group_is_told_whole_from_wherever_it_is_looked_at(world):
    chunks = world.document()
    one, two, three = (world.mentioned(name, chunks[0]) for name in "abc")
    relation = world.relation(one, "calls", three, chunks[0])
    for merged, into in ((one, two), (two, three)):
        merged.merged_into = into
        merged.save()
    wanted = sorted(
        [*(("entity", each.pk) for each in (one, two, three)), ("relation", relation.pk), ("chunk", chunks[0].pk)]
    )
    for each in (one, two, three):
        GraphChange.objects.all().delete()
        outbox.whole_group_changed([each.pk])
        assert told() == wanted


def test_a_relation_is_told_with_the_ends_that_the_graph_may_hold(world):
    one, two = world.entity("a"), world.entity("b")
    relation = world.relation(one, "calls", two, projected_source=one.pk, projected_target=two.pk)
    GraphChange.objects.all().delete()
    outbox.relations_changed([relation.pk])

    assert GraphChange.objects.values_list("source", "target").get() == (one.pk, two.pk)


def test_chunks_of_a_base_that_feeds_no_graph_are_not_told(world):
    from tests.factories import make_kb

    outbox.chunks_changed([chunk.pk for chunk in world.document(kb=make_kb("unfed"))])

    assert told() == []


def test_every_chunk_of_a_version_is_told(world):
    chunks = world.document(chunks=3)
    outbox.versions_changed([chunks[0].version_id])

    assert told() == sorted(("chunk", chunk.pk) for chunk in chunks)


@pytest.mark.parametrize(
    "tell", [outbox.entities_changed, outbox.relations_changed, outbox.chunks_changed, outbox.whole_group_changed]
)
def test_nothing_is_told_of_nothing(world, tell, django_assert_num_queries):
    with django_assert_num_queries(0):
        tell([])


def test_one_message_a_transaction_and_none_when_it_is_rolled_back(world):
    waking = []
    with transaction.atomic():
        for name in "abc":
            world.entity(name)
        waking += [each[1] for each in connection.run_on_commit if isinstance(each[1], outbox.Wake)]
        transaction.set_rollback(True)

    assert waking == [outbox.Wake(world.graph.pk)]
    assert told() == []
    assert outbox.Wake(world.graph.pk) not in [each[1] for each in connection.run_on_commit]


def test_lag_counts_what_waits_and_what_could_not_be_stored(world):
    one, two = world.entity("a"), world.entity("b")
    world.entity("c")
    for _ in range(2):
        outbox.entities_changed([one.pk])
    GraphChange.objects.filter(key=one.pk).update(is_set_aside=True, error="too big")
    lag = lag_of(world.graph)

    assert (lag.pending, lag.set_aside) == (2, 1)
    assert 0 <= lag.seconds < 60
    assert lag.oldest_at == GraphChange.objects.filter(key=two.pk).get().created_at
    assert set_aside(world.graph)[0] == {"kind": "entity", "id": str(one.pk), "error": "too big"}
    assert graphs_behind() == [world.graph.pk]


def test_a_graph_that_is_up_to_date_has_no_lag(world):
    assert (lag_of(world.graph).seconds, graphs_behind()) == (0.0, [])

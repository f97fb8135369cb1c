"""Many writers and several projectors at the same time: one node for a key, every increment counted, nothing left out of step."""

import random
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from common.errors import EngineUnavailable
from ontology import outbox, support
from ontology.graph.database import GraphDatabaseClient
from ontology.graph.projector import Projector, only_one
from ontology.graph.reconcile import reconcile
from ontology.models import Entity, Evidence, GraphChange, Relation
from ontology.support import Changes
from tests.engines.ontology.test_projection import small

pytestmark = [pytest.mark.engine, pytest.mark.django_db(transaction=True)]

WRITERS, ROUNDS, NAMES = 16, 6, 8


@pytest.fixture(autouse=True)
def no_broker(settings):
    """Messages go nowhere, at once."""
    from config.celery import app

    before = app.conf.broker_url
    app.conf.broker_url = "memory://"
    yield
    app.conf.broker_url = before


def closing(act):
    """In a thread, whose connection is given back."""

    def run(*args):
        try:
            return act(*args)
        finally:
            connection.close()

    return run


def write(world, chunk, number):
    """As the recorder does it: evidence for shared entities and a relation between them, counted by difference."""
    chance = random.Random(number)
    for round in range(ROUNDS):
        one, two = sorted(chance.sample(range(NAMES), 2))
        with transaction.atomic():
            names = [f"e{one}", f"e{two}"]
            Entity.objects.bulk_create(
                (Entity(graph=world.graph, class_name="System", name=name, normal_name=name) for name in names),
                ignore_conflicts=True,
            )
            ids = dict(Entity.objects.filter(graph=world.graph, normal_name__in=names).values_list("name", "pk"))
            ends = {"source_id": ids[names[0]], "target_id": ids[names[1]]}
            Relation.objects.bulk_create([Relation(graph=world.graph, type="calls", **ends)], ignore_conflicts=True)
            relation = Relation.objects.get(graph=world.graph, **ends)
            facts = [("entity", id) for id in ids.values()] + [("relation", relation.pk)]
            place = chunk.start + 25 + round
            Evidence.objects.bulk_create(
                Evidence(
                    graph=world.graph,
                    document_id=chunk.document_id,
                    version_id=chunk.version_id,
                    chunk=chunk,
                    start=place,
                    end=place + 1,
                    extractor="pattern",
                    is_live=True,
                    **{f"{kind}_id": id},
                )
                for kind, id in facts
            )
            changes = Changes()
            for kind, id in facts:
                changes.add(kind, id, 1)
            support.apply(changes)
            outbox.chunks_changed([chunk.pk])


def test_sixteen_writers_and_two_projectors_make_one_node_a_key_and_count_every_increment(world, graph_address):
    chunks = [world.document()[0] for _ in range(WRITERS)]
    is_over = threading.Event()

    def keep_projecting():
        client = GraphDatabaseClient(lambda: graph_address)
        try:
            while not is_over.is_set():
                Projector(world.graph.pk, world.skeleton, client, batch=7).project()
                is_over.wait(0.01)
        finally:
            client.close()

    with ThreadPoolExecutor(WRITERS + 2) as threads:
        projectors = [threads.submit(closing(keep_projecting)) for _ in range(2)]
        writers = [threads.submit(closing(write), world, chunk, number) for number, chunk in enumerate(chunks)]
        try:
            for writer in writers:
                writer.result(120)
        finally:
            is_over.set()
        for projector in projectors:
            projector.result(120)
    world.project()

    held = world.held()
    assert held == world.wanted()
    assert sum("Entity" in labels for labels, _said in held.nodes.values()) == NAMES
    assert sum(Relation.objects.values_list("support", flat=True)) == WRITERS * ROUNDS
    assert sum(dict(edge[3])["evidence"] for edge in held.edges if edge[1] == "calls") == WRITERS * ROUNDS
    assert not GraphChange.objects.exists()


def test_projectors_that_share_no_lock_still_make_one_node_a_key(world, graph_address):
    """As when the connection that holds the lock is cut while its projector goes on."""
    chunk = world.document()[0]
    for number in range(40):
        world.mentioned(f"e{number}", chunk)
    changes = list(GraphChange.objects.all())
    clients = [GraphDatabaseClient(lambda: graph_address) for _ in range(4)]
    together = threading.Barrier(4)

    def apply(client):
        together.wait()
        Projector(world.graph.pk, world.skeleton, client).apply(changes)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(closing(apply), clients))
    for client in clients:
        client.close()

    assert world.held() == world.wanted()
    assert reconcile(world.projector, mend=False).is_well


def test_whoever_finds_the_graph_taken_leaves_it_to_the_other(world):
    world.entity("Pump", is_confirmed=True)
    with only_one(world.graph.pk) as is_mine:
        assert is_mine
        assert world.projector.project()
        assert world.held().nodes == {}

    world.project()
    assert len(world.held().nodes) == 1


def test_what_waits_for_a_dead_graph_database_is_projected_when_it_is_back(world):
    small(world)
    before = world.held()
    world.entity("Boiler", is_confirmed=True)
    nowhere = type("Nowhere", (), {"url": "bolt://127.0.0.1:1", "user": "neo4j", "password": "x"})
    client = GraphDatabaseClient(nowhere)
    with pytest.raises(EngineUnavailable, match="can't be reached"):
        Projector(world.graph.pk, world.skeleton, client).project()
    client.close()
    assert GraphChange.objects.filter(attempts=0, is_set_aside=False).count() == 1
    assert world.held() == before

    world.project()
    assert world.held() == world.wanted()


def test_a_wrong_password_is_said_and_sets_nothing_aside(world, graph_address):
    world.entity("Boiler", is_confirmed=True)
    wrong = type("Wrong", (), {"url": graph_address.url, "user": graph_address.user, "password": "wrong password"})
    client = GraphDatabaseClient(wrong)
    with pytest.raises(EngineUnavailable, match="NEO4J_PASSWORD"):
        Projector(world.graph.pk, world.skeleton, client).project()
    client.close()

    assert not GraphChange.objects.filter(is_set_aside=True).exists()

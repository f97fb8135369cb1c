"""The projector, on each graph database: what the ledger says stands there, nothing else, whatever happened in between."""

import random
from uuid import uuid4

import pytest

from ontology import outbox
from ontology.graph.comparing import batches
from ontology.graph.database import GraphDatabaseClient
from ontology.graph.desired import EntityNode, RelationEdge
from ontology.graph.projector import Projector
from ontology.graph.writing import Ends, edge_statements, entity_statements
from ontology.models import AttributeValue, GraphChange, Relation
from tests.ontology_rows import World

pytestmark = pytest.mark.engine

MANY = 1500


def small(world: World):
    """Two documents that speak of three entities."""
    first, second = world.document(), world.document(kb=world.kbs[1])
    pump = world.mentioned("Pump", first[0])
    valve = world.mentioned("阀门", first[1], "系统")
    ann = world.mentioned("Ann", second[0], "Person")
    world.says(second[1], pump)
    world.value(pump, "port", 8080, first[0])
    calls = world.relation(pump, "calls", valve, first[0], attributes={"since": {"value": 2024, "text": "2024"}})
    approves = world.relation(ann, "批准", pump, second[0])
    world.project()
    return first, second, pump, valve, ann, calls, approves


def test_the_ledgers_facts_stand_in_the_graph(world):
    small(world)

    assert world.held() == world.wanted()
    assert len(world.held().nodes) == 3 + 4 + 2
    assert not GraphChange.objects.exists()


def test_labels_types_and_values_are_what_the_skeleton_declares(world):
    _first, _second, pump, valve, _ann, calls, _approves = small(world)
    held = world.held()

    labels, said = held.nodes[world.key(pump)]
    kbs = sorted(str(kb.pk) for kb in world.kbs)
    assert (labels, said) == ({"Entity", "System"}, {"key": world.key(pump), "name": "Pump", "port": 8080, "kbs": kbs})
    edge = {"key": world.key(calls), "evidence": 1, "kbs": [str(world.kbs[0].pk)], "since": 2024}
    assert (world.key(pump), "calls", world.key(valve), sorted(edge.items())) in held.edges


def test_projecting_again_changes_nothing(world):
    _first, *_rest, pump, valve, ann, _calls, _approves = small(world)
    before = world.held()
    outbox.whole_group_changed([pump.pk, valve.pk, ann.pk])
    world.project()

    assert world.held() == before


def test_a_new_name_and_a_new_value_are_seen(world):
    _first, _second, pump, *_ = small(world)
    pump.name = "Pump P-100"
    pump.save()
    outbox.entities_changed([pump.pk])
    AttributeValue.objects.filter(entity=pump).update(value=9090)
    world.project()

    assert world.held().nodes[world.key(pump)][1]["port"] == 9090
    assert world.held() == world.wanted()


def test_an_entity_of_another_class_keeps_its_edges(world):
    _first, _second, pump, *_ = small(world)
    pump.class_name = "Person"
    pump.save()
    outbox.entities_changed([pump.pk])
    world.project()

    assert world.held().nodes[world.key(pump)][0] == {"Entity", "Person"}
    assert world.held() == world.wanted()


def test_what_only_one_document_supported_goes_with_it_and_comes_back_with_it(world):
    _first, second, *_ = small(world)
    whole = world.held()
    world.switch(second, on=False)
    world.project()
    assert world.held() == world.wanted()
    assert len(world.held().nodes) == 2 + 2 + 1

    world.switch(second, on=True)
    world.project()
    assert world.held() == whole


def test_a_relation_whose_end_is_gone_comes_back_with_it_though_nobody_tells_of_the_relation(world):
    first, second = world.document(), world.document()
    pump, valve = world.mentioned("Pump", first[0]), world.mentioned("Valve", second[0])
    world.relation(pump, "calls", valve, first[0])
    world.project()
    whole = world.held()
    world.switch(second, on=False)
    world.project()
    assert not any(edge[1] == "calls" for edge in world.held().edges)

    world.switch(second, on=True)
    world.project()
    assert world.held() == whole


def test_a_removed_relation_goes_though_its_row_is_gone(world):
    *_rest, calls, _approves = small(world)
    world.remove(calls)
    world.project()

    assert not any(edge[1] == "calls" for edge in world.held().edges)
    assert world.held() == world.wanted()


def test_a_removed_entity_goes_with_its_edges(world):
    _first, _second, pump, *_ = small(world)
    world.remove(pump)
    world.project()

    assert world.key(pump) not in world.held().nodes
    assert world.held() == world.wanted()


def test_a_merge_moves_mentions_and_edges_and_taking_it_back_restores_them(world):
    first, _second, pump, valve, _ann, *_ = small(world)
    other = world.mentioned("P-100", first[1])
    world.relation(other, "calls", valve, first[1])
    world.relation(other, "calls", pump, first[1])
    world.project()
    before = world.held()

    world.merge(other, pump)
    world.project()
    assert world.held() == world.wanted()
    assert world.key(other) not in world.held().nodes
    assert sum(edge[:3] == (world.key(pump), "calls", world.key(valve)) for edge in world.held().edges) == 2

    world.unmerge(other)
    world.project()
    assert world.held() == before


def test_a_chain_of_merges_is_followed_to_its_root_and_taken_apart_link_by_link(world):
    chunks = world.document(chunks=3)
    one, two, three = (world.mentioned(name, chunk) for name, chunk in zip("abc", chunks, strict=True))
    world.relation(one, "calls", three, chunks[0])
    world.project()
    apart = world.held()
    world.merge(one, two)
    world.merge(two, three)
    world.project()
    assert world.held() == world.wanted()
    assert sum(world.key(each) in world.held().nodes for each in (one, two, three)) == 1

    world.unmerge(two)
    world.project()
    assert world.held() == world.wanted()
    world.unmerge(one)
    world.project()
    assert world.held() == apart


def test_what_a_person_rejected_is_not_shown_and_what_they_confirmed_is(world):
    _first, _second, _pump, _valve, ann, calls, _approves = small(world)
    Relation.objects.filter(pk=calls.pk).update(is_rejected=True)
    outbox.relations_changed([calls.pk])
    world.entity("Boiler", is_confirmed=True)
    ann.is_rejected = True
    ann.save()
    outbox.entities_changed([ann.pk])
    world.project()

    assert world.held() == world.wanted()
    assert not any(edge[1] in ("calls", "批准") for edge in world.held().edges)


def test_many_edges_of_one_node_go_at_once(world):
    """The embedded engine once lost its way when edges of a node went while it was going through them."""
    writer, graph = world.projector.writer, world.graph.pk
    hub, *others = (uuid4() for _ in range(MANY + 1))
    nodes = [EntityNode(f"{graph}:{one}", "System", {"key": f"{graph}:{one}"}) for one in (hub, *others)]
    edges = [
        RelationEdge(id, f"{graph}:{id}", "calls", source, target, {"key": f"{graph}:{id}"})
        for other in others
        for id, source, target in ((uuid4(), hub, other), (uuid4(), other, hub))
    ]
    world.database.prepare()
    world.database.write(entity_statements(nodes, (), world.skeleton))
    for some in batches(edges):
        world.database.write(edge_statements(some, (), graph, world.skeleton))
        world.database.write(edge_statements(some, [each.id for each in some], graph, world.skeleton))  # none twice
    assert len(world.held().edges) == len(edges)

    for some in batches(edges[:-MANY]):
        writer.delete_edges((edge.id, Ends(edge.source, edge.target)) for edge in some)
    left = {edge.properties["key"] for edge in edges[-MANY:]}
    assert {dict(said)["key"] for *_ends, said in world.held().edges} == left


@pytest.mark.parametrize("name", ["Nobody", "Chunk", "Document", "Entity", "x`) DETACH DELETE (n"])
def test_a_class_that_the_skeleton_lacks_reaches_the_graph_as_nothing(world, name):
    world.mentioned("Stray", world.document()[0], name)
    world.project()

    assert world.held().nodes == {}


def test_hostile_names_stay_text(world):
    name = "'}) MATCH (n) DETACH DELETE n // {{x}} $keys \\u0060"
    entity = world.mentioned(name, world.document()[0])
    world.project()

    assert world.held().nodes[world.key(entity)][1]["name"] == name


def test_one_graph_does_not_touch_another(world, clean):
    from tests.ontology_rows import make_world

    small(world)
    before = world.held()
    other = make_world(clean)
    small_chunks = other.document()
    gone = other.mentioned("Pump", small_chunks[0])
    other.project()
    other.remove(gone)
    other.project()

    assert world.held() == before


def test_a_change_that_cant_be_stored_is_set_aside_with_its_reason_and_the_others_get_on(world):
    chunk = world.document()[0]
    entities = [world.mentioned(f"e{number}", chunk) for number in range(20)]
    poison = world.value(entities[7], "port", 2**70, chunk)
    world.project()

    (aside,) = set(GraphChange.objects.values_list("kind", "key", "is_set_aside"))
    assert aside == ("entity", entities[7].pk, True)
    assert all("can't store it" in error for error in GraphChange.objects.values_list("error", flat=True))
    assert len(world.held().nodes) == 19 + 2

    world.remove(poison)
    world.project()
    assert not GraphChange.objects.exists()
    assert world.held() == world.wanted()


class Killed(BaseException):
    """As kill −9: nothing of ours runs any more."""


class DyingDatabase(GraphDatabaseClient):
    """Dies before or after its n-th write."""

    left = 0
    before = False

    def write(self, statements):
        self.left -= bool(statements)
        if self.left == 0 and self.before:
            raise Killed
        done = GraphDatabaseClient.write(self, statements)
        if self.left == 0 and statements:
            raise Killed
        return done


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("deaths", range(1, 9))
def test_a_projector_that_is_killed_between_graph_and_ledger_goes_on_where_it_was(world, deaths, before):
    first, _second, pump, valve, ann, calls, _approves = small(world)
    other = world.mentioned("P-100", first[1])
    moved = world.relation(other, "calls", ann, first[1])
    world.project()
    world.merge(other, pump)
    world.remove(calls)
    world.relation(ann, "calls", valve, first[0])
    dying = DyingDatabase(world.database.server)
    dying.left, dying.before = deaths, before
    try:
        Projector(world.graph.pk, world.skeleton, dying).project()
    except Killed:
        pass
    finally:
        dying.close()
    world.unmerge(other)
    world.remove(moved)
    world.project()

    assert world.held() == world.wanted()


@pytest.mark.parametrize("seed", range(2))
def test_after_a_storm_the_graph_is_the_ledger(world, seed):
    chance = random.Random(seed)
    documents = [world.document(kb=kb) for kb in world.kbs for _ in range(2)]
    entities = [world.mentioned(f"e{number}", chance.choice(chance.choice(documents))) for number in range(8)]
    relations: list[Relation] = []
    off: set[int] = set()
    for step in range(60):
        one, two = chance.sample(entities, 2)
        match chance.randrange(7):
            case 0 if not any(each.source_id == one.pk and each.target_id == two.pk for each in relations):
                relations.append(world.relation(one, "calls", two, chance.choice(chance.choice(documents))))
            case 1 if relations:
                world.remove(relations.pop(chance.randrange(len(relations))))
            case 2 if one.merged_into_id is None and world.root(two, {each.pk: each for each in entities}) != one:
                world.merge(one, two)
            case 3 if one.merged_into_id:
                world.unmerge(one)
            case 4:
                number = chance.randrange(len(documents))
                world.switch(documents[number], on=number in off)
                off ^= {number}
                for each in (*entities, *relations):
                    each.refresh_from_db(fields=["support"])
            case 5:
                world.says(chance.choice(chance.choice(documents)), one)
            case 6:
                one.class_name = chance.choice(["System", "Person", "系统"])
                one.save(update_fields=["class_name"])
                outbox.entities_changed([one.pk])
        if step % 7 == 0:
            Projector(world.graph.pk, world.skeleton, world.database, batch=3).project()
    world.project()

    assert world.held() == world.wanted()

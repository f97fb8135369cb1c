"""Whatever is planted in the graph database or taken out of it is found and mended, on each graph database; a rebuilt graph is the same graph."""

import pytest

from ontology.graph import cypher
from ontology.graph.rebuild import empty, rebuild
from ontology.graph.reconcile import reconcile, reconcile_rest
from ontology.models import Entity, GraphChange, Relation
from tests.engines.ontology.test_projection import small
from tests.ontology_rows import World

pytestmark = pytest.mark.engine


@pytest.fixture
def full(world: World) -> World:
    """A world that is projected, with a merge in it."""
    first, _second, pump, valve, *_ = small(world)
    other = world.mentioned("P-100", first[1])
    world.relation(other, "calls", valve, first[1])
    world.merge(other, pump)
    world.project()
    return world


PLANTED = {
    "an entity of the graph": "CREATE (:Entity:System {key: $prefix + '01a22f5e-0000-7000-8000-000000000000', name: 'Planted'})",
    "an entity with a key that is none": "CREATE (:Entity:System {key: $prefix + 'planted', name: 'Planted'})",
    "a chunk": "CREATE (:Chunk {key: $prefix + '01a22f5e-0000-7000-8000-000000000000'})",
    "a document": "CREATE (:Document {key: $prefix + '01a22f5e-0000-7000-8000-000000000000'})",
    "a document with a chunk": (
        "CREATE (:Document {key: $prefix + '01a22f5e-0000-7000-8000-000000000000'})-[:HAS_CHUNK]->"
        "(:Chunk {key: $prefix + '01a22f5e-0000-7000-8000-000000000001'})"
    ),
    "an edge without a key": "MATCH (a:Person), (b:`系统`) CREATE (a)-[:calls]->(b)",
    "an edge of a type that nobody declared": "MATCH (a:Person), (b:`系统`) CREATE (a)-[:OWNS {key: 'x'}]->(b)",
    "a copy of an edge": "MATCH (a:Person)-[r:`批准`]->(b) CREATE (a)-[:`批准` {key: r.key, evidence: r.evidence, kbs: r.kbs}]->(b)",
    "an edge at the wrong end": "MATCH (a:Person)-[r:`批准`]->(b), (c:`系统`) CREATE (a)-[:`批准` {key: r.key, evidence: 1}]->(c)",
    "a mention": "MATCH (c:Chunk)-[:MENTIONS]->(:Person), (e:`系统`) CREATE (c)-[:MENTIONS]->(e)",
    "a mention twice": "MATCH (c:Chunk)-[:MENTIONS]->(e:Person) CREATE (c)-[:MENTIONS]->(e)",
    "a chunk in two documents": (
        "MATCH (c:Chunk)-[:MENTIONS]->(:Person), (d:Document) WHERE NOT EXISTS { (d)-[:HAS_CHUNK]->(c) } CREATE (d)-[:HAS_CHUNK]->(c)"
    ),
    "an edge from a chunk to a chunk": "MATCH (c:Chunk)-[:MENTIONS]->(:Person), (d:Chunk) WHERE c.key <> d.key CREATE (c)-[:NEXT]->(d)",
    "an edge from a document to an entity": "MATCH (d:Document), (e:Person) CREATE (d)-[:ABOUT]->(e)",
    "a wrong name": "MATCH (e:Person) SET e.name = 'Somebody'",
    "a value that nobody said": "MATCH (e:Person) SET e.grade = 'A'",
    "a value taken away": "MATCH (e:System) REMOVE e.port",
    "a label too many": "MATCH (e:Person) SET e:Admin",
    "a count of evidence": "MATCH (:Person)-[r:`批准`]->() SET r.evidence = 17",
    "a base of a chunk": "MATCH (c:Chunk) SET c.kb = 'other'",
    "a property of a document": "MATCH (d:Document) SET d.secret = 1",
    "an entity gone": "MATCH (e:Person) DETACH DELETE e",
    "an edge gone": "MATCH (:Person)-[r:`批准`]->() DELETE r",
    "a mention gone": "MATCH (:Chunk)-[m:MENTIONS]->(:Person) DELETE m",
    "a chunk gone": "MATCH (c:Chunk) DETACH DELETE c",
    "a document gone": "MATCH (d:Document) DETACH DELETE d",
    "everything gone": "MATCH (n) DETACH DELETE n",
}


@pytest.mark.parametrize("statement", PLANTED.values(), ids=PLANTED)
def test_a_planted_difference_is_found_and_mended(full, statement):
    whole = full.held()
    full.database.write([(statement, {"prefix": f"{full.graph.pk}:"})])
    assert full.held() != whole

    found = reconcile(full.projector, mend=False)
    assert found.broken
    assert found.examples
    assert not found.mended

    found = reconcile(full.projector, mend=True)
    assert found.mended == found.broken > 0
    assert full.held() == whole == full.wanted()
    assert reconcile(full.projector, mend=False).is_well


def test_a_graph_that_is_right_is_left_alone(full):
    before = full.held()

    assert reconcile(full.projector, mend=True).broken == 0
    assert full.held() == before


def test_what_waits_in_the_outbox_is_no_difference(full):
    full.mentioned("Late", full.document()[0])

    assert reconcile(full.projector, mend=False).is_well
    assert full.held() == full.wanted()


@pytest.mark.parametrize(
    "change",
    [
        lambda world: Entity.objects.filter(class_name="Person").update(name="Renamed past the outbox"),
        lambda world: Relation.objects.filter(type="批准").delete(),
        lambda world: Entity.objects.filter(merged_into__isnull=False).update(merged_into=None),
        lambda world: Entity.objects.filter(class_name="Person").update(support=0),
    ],
    ids=["renamed", "relation deleted", "taken apart", "unsupported"],
)
def test_a_change_of_the_ledger_that_nobody_told_is_found_too(full, change):
    change(full)

    assert not reconcile(full.projector, mend=False).is_well
    assert reconcile(full.projector, mend=True).is_well
    assert full.held() == full.wanted()


def test_nodes_of_no_graph_are_found_and_removed(full):
    whole = full.held()
    full.database.write([("CREATE (:Entity:System {name: 'no key'}) CREATE (:Chunk {key: 'x'})", {})])

    assert reconcile_rest(full.database, [full.graph.pk], mend=False).broken == 2
    assert reconcile_rest(full.database, [full.graph.pk], mend=True).is_well
    assert reconcile_rest(full.database, [full.graph.pk], mend=False).broken == 0
    assert full.held() == whole


def test_a_rebuilt_graph_is_the_same_graph(full):
    whole = full.held()
    full.database.write(
        [("MATCH (e:Person) DETACH DELETE e CREATE (:Chunk {key: $key})", {"key": f"{full.graph.pk}:x"})]
    )
    done = rebuild(full.projector)

    assert full.held() == whole
    assert (done.set_aside, GraphChange.objects.count()) == (0, 0)


def test_a_rebuild_that_was_killed_is_finished_by_the_next_projector(full):
    from ontology.graph.rebuild import tell_everything

    whole = full.held()
    tell_everything(full.projector)
    empty(full.projector)
    assert full.held().nodes == {}

    full.project()
    assert full.held() == whole


def test_what_could_not_be_stored_is_told_and_tried_again(full):
    chunk = full.document()[0]
    pump = full.mentioned("Big", chunk)
    full.value(pump, "port", 2**70, chunk)
    full.project()

    found = reconcile(full.projector, mend=True)
    assert (found.is_well, bool(found.advice)) == (False, True)
    assert GraphChange.objects.filter(is_set_aside=True).exists()


def test_every_statement_runs_with_nothing_to_do(clean):
    for statement in vars(cypher).values():
        if isinstance(statement, str) and statement.startswith("UNWIND") and "{{" not in statement:
            assert clean.rows(statement, keys=[], rows=[]) == []

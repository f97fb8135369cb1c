"""How fast the ledger gets into the graph database: nodes and edges a second by the projector, against bare `UNWIND` writes of the same rows in the same run.

The rows are made up: entities with two values each, three relations and a third of a chunk an entity. The ledger and the graph database are a data folder of their own
that is thrown away. What the projector costs beyond the bare writes is reading the outbox and the ledger, and looking at what stands there already.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from uuid import UUID

from benchmarks.measure import PROJECT, Figure, say, write

ENTITIES = 10_000
RELATIONS_EACH = 3
ENTITIES_A_CHUNK = 3
BATCH = 1000
GOAL = 0.4
VALUES = ("port", "limit")

FILL = """
WITH entity AS (
    INSERT INTO ontology_entity (id, created_at, updated_at, graph_id, class_name, name, normal_name, sense, support, is_confirmed, is_rejected, revision, is_sought)
    SELECT gen_random_uuid(), now(), now(), %(graph)s, 'System', 'System ' || n, 'system ' || n, 0, 1, false, false, 1, true
    FROM generate_series(1, %(entities)s) AS n RETURNING id
), value AS (
    INSERT INTO ontology_attributevalue (id, created_at, updated_at, support, is_confirmed, is_rejected, entity_id, name, value, unit, comparison, text, value_key)
    SELECT gen_random_uuid(), now(), now(), 1, false, false, id, name, '8080', '', '', '8080', '8080' FROM entity, unnest(%(values)s::text[]) AS name
)
SELECT array_agg(id) FROM entity
"""
RELATE = """
INSERT INTO ontology_relation (id, created_at, updated_at, support, is_confirmed, is_rejected, graph_id, source_id, type, target_id, attributes, attributes_key)
SELECT gen_random_uuid(), now(), now(), 1, false, false, %(graph)s, (%(ids)s::uuid[])[n], 'calls',
    (%(ids)s::uuid[])[(n * 7919 + step * 104729) %% %(entities)s + 1], '{}', step::text
FROM generate_series(1, %(entities)s) AS n, generate_series(1, %(each)s) AS step
ON CONFLICT DO NOTHING
"""
MENTION = """
INSERT INTO ontology_evidence (id, created_at, updated_at, graph_id, document_id, version_id, chunk_id, start, "end", entity_id, extractor, confidence, is_live, round)
SELECT gen_random_uuid(), now(), now(), %(graph)s, chunk.document_id, chunk.version_id, chunk.id, chunk.start + 25 + place.n, chunk.start + 26 + place.n,
    (%(ids)s::uuid[])[(chunk.ordinal * %(each)s + place.n) %% %(entities)s + 1], 'pattern', 1, true, 1
FROM knowledge_chunk AS chunk, generate_series(0, %(each)s - 1) AS place(n) WHERE chunk.kb_id = %(kb)s
"""


def child(entities: int) -> None:
    """Measure in this process; engines are those of the data folder."""
    from config.conf import server_settings
    from config.embedded.registry import embedded_engines
    from config.embedded.sharing import engines_in_use

    with engines_in_use(embedded_engines(server_settings().data, ("postgres", "graph"), None)):
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        print(json.dumps(measured_here(entities)))


def measured_here(entities: int) -> dict[str, float]:
    """Seconds of the projector, of bare writes, of a second look, and counts."""
    from config.embedded.addresses import graph_address
    from ontology.graph.database import GraphDatabaseClient
    from ontology.graph.rebuild import empty, rebuild
    from ontology.graph.reconcile import reconcile
    from tests.ontology_rows import make_world

    database = GraphDatabaseClient(graph_address)
    world = make_world(database)
    fill(world, entities)
    projector = world.projector
    rebuild(projector)  # both are measured warm
    begun = time.perf_counter()
    rebuild(projector)
    projected_s = time.perf_counter() - begun
    nodes = sum(
        counted(database, f"MATCH (n:{label}) RETURN count(n) AS n") for label in ("Entity", "Chunk", "Document")
    )
    edges = counted(database, "MATCH ()-[r]->() RETURN count(r) AS n")
    begun = time.perf_counter()
    assert reconcile(projector, mend=False).is_well
    reconciled_s = time.perf_counter() - begun
    begun = time.perf_counter()
    empty(projector)
    emptied_s = time.perf_counter() - begun
    bare_s = bare(projector)
    database.close()
    return {
        "nodes": nodes,
        "edges": edges,
        "projected_s": projected_s - emptied_s,
        "bare_s": bare_s,
        "reconciled_s": reconciled_s,
    }


def counted(database: Any, statement: str) -> int:
    return int(database.rows(statement)[0]["n"])


def fill(world: Any, entities: int) -> None:
    """Rows of the ledger, by statements that make many at once."""
    from django.db import connection

    graph, kb = world.graph.pk, world.kbs[0].pk
    world.document(chunks=max(1, entities // ENTITIES_A_CHUNK))
    with connection.cursor() as cursor:
        cursor.execute(FILL, {"graph": graph, "entities": entities, "values": list(VALUES)})
        ids: list[UUID] = cursor.fetchone()[0]
        cursor.execute(RELATE, {"graph": graph, "entities": entities, "ids": ids, "each": RELATIONS_EACH})
        cursor.execute(MENTION, {"graph": graph, "kb": kb, "entities": entities, "ids": ids, "each": ENTITIES_A_CHUNK})
        cursor.execute("ANALYZE")


def bare(projector: Any) -> float:
    """The same rows, read before, written by the same statements and nothing else; seconds of writing."""
    from knowledge.models import Chunk
    from ontology.graph import cypher
    from ontology.graph.comparing import batches
    from ontology.graph.database import Statement
    from ontology.graph.keys import graph_key
    from ontology.graph.writing import chunk_statements
    from ontology.models import Entity, Relation

    desired = projector.writer.desired
    work: list[list[Statement]] = []
    entity = cypher.of_class(cypher.WRITE_ENTITIES, "System", projector.skeleton)
    edge = cypher.of_type(cypher.WRITE_RELATIONS, "calls", projector.skeleton)
    for ids in batches(Entity.objects.order_by("pk").values_list("pk", flat=True), BATCH):
        nodes = desired.entities(ids).values()
        work.append([(entity, {"rows": [{"key": node.key, "properties": node.properties} for node in nodes]})])
    for ids in batches(Relation.objects.order_by("pk").values_list("pk", flat=True), BATCH):
        edges = desired.relations(ids).edges.values()
        rows = [
            {
                "key": each.key,
                "source": graph_key(projector.graph_id, each.source),
                "target": graph_key(projector.graph_id, each.target),
                "properties": each.properties,
            }
            for each in edges
        ]
        work.append([(edge, {"rows": rows})])
    for ids in batches(Chunk.objects.order_by("pk").values_list("pk", flat=True), BATCH):
        work.append(chunk_statements(list(desired.chunks(ids).values())))
    begun = time.perf_counter()
    for statements in work:
        projector.database.write(statements)
    return time.perf_counter() - begun


def measured(entities: int) -> dict[str, float]:
    """The same in a process and a data folder of its own."""
    say(f"{entities} entities")
    with tempfile.TemporaryDirectory(prefix="trellis-bench-") as folder:
        environment = {
            **os.environ,
            "TRELLIS_DATA_DIR": str(Path(folder) / "var"),
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        command = [sys.executable, "-m", "benchmarks.projection", "--child", str(entities)]
        done = subprocess.run(command, cwd=PROJECT, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, help="how many entities")
    parser.add_argument("--child", type=int)
    options = parser.parse_args()
    if options.child:
        child(options.child)
        return
    found = measured(options.sample or ENTITIES)
    things = found["nodes"] + found["edges"]
    rate, bare_rate = things / found["projected_s"], things / found["bare_s"]
    note = f"{found['nodes']:.0f} nodes, {found['edges']:.0f} edges, embedded engine"
    ratio = rate / bare_rate
    write(
        Figure(
            "projecting against bare writes of the same rows", round(ratio, 2), "×", f"≥ {GOAL}", ratio >= GOAL, note
        )
    )
    write(Figure("nodes and edges projected", round(rate), "a second", note=note))
    write(Figure("nodes and edges written barely", round(bare_rate), "a second", note=note))
    write(
        Figure(
            "nodes and edges reconciled",
            round(things / found["reconciled_s"]),
            "a second",
            note=f"{note}, nothing differs",
        )
    )


if __name__ == "__main__":
    main()

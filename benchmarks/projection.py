"""How fast the ledger gets into the graph database: nodes and edges a second by the projector, against bare `UNWIND` writes of the same rows in the same run.

The rows are made up: entities with two values each, three relations and a third of a chunk an entity, all chunks in one document; one entity has relations to and from all others. The ledger and the graph database are a data folder of their own
that is thrown away. What the projector costs beyond the bare writes is reading the outbox and the ledger, and looking at what stands there already.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from itertools import chain
from pathlib import Path
from typing import Any

from benchmarks.measure import PROJECT, Figure, say, write

ENTITIES = 10_000
RELATIONS_EACH = 3
ENTITIES_A_CHUNK = 3
BATCH = 1000
VALUES = ("port", "limit")
AT_ONCE = 5000


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
    """Rows of the ledger, many at once."""
    from django.db import connection

    from ontology.models import AttributeValue, Entity, Evidence, Relation

    chunks = world.document(chunks=max(1, entities // ENTITIES_A_CHUNK))
    known = [
        Entity(
            graph=world.graph,
            class_name="System",
            name=f"System {n}",
            normal_name=f"system {n}",
            support=1,
            is_sought=True,
        )
        for n in range(entities)
    ]
    values = (
        AttributeValue(entity=entity, name=name, value=8080, text="8080", value_key="8080", support=1)
        for entity in known
        for name in VALUES
    )
    relations = (
        Relation(
            graph=world.graph,
            source=known[n],
            type="calls",
            target=known[(n * 7919 + step * 104729 + 1) % entities],
            attributes_key=str(step),
            support=1,
        )
        for n in range(entities)
        for step in range(RELATIONS_EACH)
    )
    hubs = (
        Relation(graph=world.graph, source=source, type="calls", target=target, attributes_key="hub", support=1)
        for other in known[1:]
        for source, target in ((known[0], other), (other, known[0]))
    )
    mentions = (
        Evidence(
            graph=world.graph,
            document_id=chunk.document_id,
            version_id=chunk.version_id,
            chunk=chunk,
            start=chunk.start + 25 + place,
            end=chunk.start + 26 + place,
            entity=known[(chunk.ordinal * ENTITIES_A_CHUNK + place) % entities],
            extractor="pattern",
            is_live=True,
            round=1,
        )
        for chunk in chunks
        for place in range(ENTITIES_A_CHUNK)
    )
    Entity.objects.bulk_create(known, batch_size=AT_ONCE)
    AttributeValue.objects.bulk_create(values, batch_size=AT_ONCE)
    Relation.objects.bulk_create(chain(relations, hubs), batch_size=AT_ONCE)
    Evidence.objects.bulk_create(mentions, batch_size=AT_ONCE)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


BARE = {
    "entities": "UNWIND $rows AS row CREATE (n:Entity:System) SET n = row.properties",
    "relations": "UNWIND $rows AS row MATCH (a:Entity {key: row.source}), (b:Entity {key: row.target}) CREATE (a)-[r:calls]->(b) SET r = row.properties",
    "documents": "UNWIND $rows AS row CREATE (n:Document) SET n = row.properties",
    "chunks": "UNWIND $rows AS row MATCH (d:Document {key: row.document}) CREATE (d)-[:HAS_CHUNK]->(n:Chunk) SET n = row.properties",
    "mentions": "UNWIND $rows AS row MATCH (c:Chunk {key: row.source}), (e:Entity {key: row.target}) CREATE (c)-[:MENTIONS]->(e)",
}


def bare(projector: Any) -> float:
    """The same rows, read before, made by the barest statements into an empty database; seconds of writing."""
    from knowledge.models import Chunk
    from ontology.graph.comparing import batches
    from ontology.graph.keys import graph_key
    from ontology.models import Entity, Relation

    desired = projector.writer.desired
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in BARE}
    for ids in batches(Entity.objects.values_list("pk", flat=True), BATCH):
        rows["entities"] += [{"properties": node.properties} for node in desired.entities(ids).values()]
    for ids in batches(Relation.objects.values_list("pk", flat=True), BATCH):
        for edge in desired.relations(ids).edges.values():
            ends = (graph_key(projector.graph_id, edge.source), graph_key(projector.graph_id, edge.target))
            rows["relations"].append({"source": ends[0], "target": ends[1], "properties": edge.properties})
    documents = {}
    for ids in batches(Chunk.objects.values_list("pk", flat=True), BATCH):
        for chunk in desired.chunks(ids).values():
            documents[chunk.document] = chunk.document_properties
            rows["chunks"].append({"document": chunk.document, "properties": chunk.properties})
            rows["mentions"] += [{"source": chunk.key, "target": entity} for entity in chunk.entities]
    rows["documents"] = [{"properties": each} for each in documents.values()]
    begun = time.perf_counter()
    for name, statement in BARE.items():
        for some in batches(rows[name], BATCH):
            projector.database.write([(statement, {"rows": some})])
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
    write(Figure("projecting against bare writes of the same rows", round(rate / bare_rate, 2), "×", note=note))
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

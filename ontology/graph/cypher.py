"""Every statement that is sent to the graph database, by name. Values are always parameters; a label or a type is written into a statement only by `of_class` and
`of_type`, which take it from a compiled skeleton. Only what Neo4j 5 and the embedded engine both run, one batch a statement.
"""

from common.errors import Misconfigured
from ontology.skeleton.graph_constraints import UNIQUE, quoted
from ontology.types import CompiledSkeleton

OWN_LABELS = ("Entity", "Chunk", "Document")

CONSTRAINTS = tuple(
    f"CREATE CONSTRAINT {each.name} IF NOT EXISTS FOR (n:{each.label}) REQUIRE n.{each.property} IS UNIQUE"
    for each in UNIQUE
)

# entities
FIND_ENTITIES = "UNWIND $keys AS key MATCH (e:Entity {key: key}) RETURN key, labels(e) AS labels"
READ_ENTITIES = (
    "UNWIND $keys AS key MATCH (e:Entity {key: key}) RETURN key, labels(e) AS labels, properties(e) AS properties"
)
DELETE_ENTITIES = "UNWIND $keys AS key MATCH (e:Entity {key: key}) DETACH DELETE e"
WRITE_ENTITIES = "UNWIND $rows AS row MERGE (e:Entity:{label} {{key: row.key}}) SET e = row.properties"

# relations; both ends are given, so that no edge is ever looked for all over the graph
DELETE_RELATIONS = (
    "UNWIND $rows AS row MATCH (a:Entity {key: row.source})-[r]->(b:Entity {key: row.target}) "
    "WHERE r.key = row.key DELETE r"
)
WRITE_RELATIONS = (
    "UNWIND $rows AS row MATCH (a:Entity {{key: row.source}}), (b:Entity {{key: row.target}}) "
    "MERGE (a)-[r:{type} {{key: row.key}}]->(b) SET r = row.properties"
)
READ_RELATIONS = (
    "UNWIND $rows AS row MATCH (a:Entity {key: row.source})-[r]->(b:Entity {key: row.target}) "
    "WHERE r.key = row.key RETURN row.key AS key, type(r) AS type, properties(r) AS properties"
)

# chunks, their documents, and whom they mention
DOCUMENTS_OF_CHUNKS = (
    "UNWIND $keys AS key MATCH (d:Document)-[:HAS_CHUNK]->(c:Chunk {key: key}) RETURN DISTINCT d.key AS key"
)
DELETE_CHUNKS = "UNWIND $keys AS key MATCH (c:Chunk {key: key}) DETACH DELETE c"
DELETE_EMPTY_DOCUMENTS = (
    "UNWIND $keys AS key MATCH (d:Document {key: key}) WHERE NOT EXISTS { (d)-[:HAS_CHUNK]->() } DETACH DELETE d"
)
WRITE_DOCUMENTS = "UNWIND $rows AS row MERGE (d:Document {key: row.key}) SET d = row.properties"
WRITE_CHUNKS = "UNWIND $rows AS row MERGE (c:Chunk {key: row.key}) SET c = row.properties"
WRITE_PLACES = (
    "UNWIND $rows AS row MATCH (d:Document {key: row.document}), (c:Chunk {key: row.key}) MERGE (d)-[:HAS_CHUNK]->(c)"
)
DELETE_MENTIONS = (
    "UNWIND $rows AS row MATCH (c:Chunk {key: row.key})-[m:MENTIONS]->(e) WHERE NOT e.key IN row.entities DELETE m"
)
WRITE_MENTIONS = (
    "UNWIND $rows AS row MATCH (c:Chunk {key: row.key}) UNWIND row.entities AS entity "
    "MATCH (e:Entity {key: entity}) MERGE (c)-[:MENTIONS]->(e)"
)
READ_CHUNKS = (
    "UNWIND $keys AS key MATCH (c:Chunk {key: key}) OPTIONAL MATCH (c)-[m]->(x) "
    "WITH c, collect(CASE WHEN m IS NULL THEN NULL ELSE type(m) + ' ' + coalesce(x.key, '?') END) AS outgoing "
    "OPTIONAL MATCH (d)-[h]->(c) RETURN c.key AS key, labels(c) AS labels, properties(c) AS properties, outgoing, "
    "collect(CASE WHEN h IS NULL THEN NULL ELSE type(h) + ' ' + coalesce(d.key, '?') END) AS incoming"
)
READ_DOCUMENTS = (
    "UNWIND $keys AS key MATCH (d:Document {key: key}) RETURN key, labels(d) AS labels, properties(d) AS properties"
)

# all there is, read as a stream
ALL_NODES = {label: f"MATCH (n:{label}) RETURN elementId(n) AS id, n.key AS key" for label in OWN_LABELS}
ALL_EDGES = {
    label: f"MATCH (a:{label})-[r]->(b) RETURN elementId(r) AS id, type(r) AS type, r.key AS key, a.key AS source, b.key AS target, labels(b) AS labels"
    for label in OWN_LABELS
}
EMPTY_DOCUMENTS = (
    "MATCH (d:Document) WHERE NOT EXISTS { (d)-[:HAS_CHUNK]->(:Chunk) } RETURN elementId(d) AS id, d.key AS key"
)
DELETE_NODES = {
    label: f"MATCH (n:{label}) WHERE elementId(n) IN $ids DETACH DELETE n RETURN count(*) AS count"
    for label in OWN_LABELS
}
DELETE_EDGES = {
    label: f"UNWIND $rows AS row MATCH (a:{label} {{key: row.source}})-[r]->() WHERE elementId(r) = row.id DELETE r"
    for label in OWN_LABELS
}
EMPTY = {
    label: f"MATCH (n:{label}) WHERE n.key STARTS WITH $prefix WITH n LIMIT $limit DETACH DELETE n RETURN count(*) AS count"
    for label in OWN_LABELS
}

# between two entities, over the relation types of the skeleton alone
SHORTEST = (
    "MATCH (a:Entity {{key: $source}}), (b:Entity {{key: $target}}), p = shortestPath((a)-[:{types}*..{longest}]-(b)) "
    "RETURN [n IN nodes(p) | n.key] AS keys LIMIT 1"
)


def of_class(statement: str, name: str, skeleton: CompiledSkeleton) -> str:
    """The statement for one class of the skeleton. Raises Misconfigured for a name that it does not have."""
    if name not in skeleton.classes or name in OWN_LABELS:
        raise Misconfigured(f"“{name}” is not a class of the ontology, so nothing is written to the graph under it.")
    return statement.format(label=quoted(name))


def of_type(statement: str, name: str, skeleton: CompiledSkeleton) -> str:
    """The statement for one relation type of the skeleton. Raises Misconfigured likewise."""
    if name not in skeleton.relations:
        raise Misconfigured(f"“{name}” is not a relation of the ontology, so nothing is written to the graph under it.")
    return statement.format(type=quoted(name))

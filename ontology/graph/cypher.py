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
# No MERGE over two labels: the embedded engine has no index for the pair and reads all entities for each row.
CHANGE_ENTITIES = "UNWIND $rows AS row MATCH (e:Entity {key: row.key}) SET e = row.properties"
MAKE_ENTITIES = (
    "UNWIND $rows AS row OPTIONAL MATCH (e:Entity {{key: row.key}}) WITH row, e WHERE e IS NULL "
    "CREATE (n:Entity:{label}) SET n = row.properties"
)

# Relations. Both ends are given, so that no edge is ever looked for all over the graph; rows are grouped by the entity that the edges leave, so that one with many
# edges is looked through once and not for each. `edges` of what is read or deleted is a map whose keys are "key of the edge, space, key of its target".
# What is deleted is collected first: the embedded engine loses its way through the edges of a node when they go under its feet.
DELETE_RELATIONS = (
    "UNWIND $rows AS row MATCH (a:Entity {key: row.source})-[r]->(b:Entity) WHERE row.edges[r.key + ' ' + b.key] IS NOT NULL "
    "WITH collect(r) AS found UNWIND found AS r DELETE r"
)
CHANGE_RELATIONS = (
    "UNWIND $rows AS row MATCH (a:Entity {{key: row.source}})-[r:{type}]->(:Entity) WHERE row.properties[r.key] IS NOT NULL "
    "SET r = row.properties[r.key]"
)
MAKE_RELATIONS = (
    "UNWIND $rows AS row MATCH (a:Entity {{key: row.source}}) "
    "OPTIONAL MATCH (a)-[r:{type}]->(t:Entity) WHERE row.keys[r.key] IS NOT NULL "
    "WITH a, row, collect(r.key + ' ' + t.key) AS there UNWIND row.edges AS edge "
    "WITH a, edge, there WHERE NOT (edge.key + ' ' + edge.target) IN there "
    "MATCH (b:Entity {{key: edge.target}}) CREATE (a)-[n:{type}]->(b) SET n = edge.properties"
)
READ_RELATIONS = (
    "UNWIND $rows AS row MATCH (a:Entity {key: row.source})-[r]->(b:Entity) WHERE row.edges[r.key + ' ' + b.key] IS NOT NULL "
    "RETURN r.key AS key, type(r) AS type, properties(r) AS properties"
)

# Chunks, their documents, and whom they mention. Documents have many chunks and chunks one document, so the way to it begins at the chunk.
DOCUMENTS_OF_CHUNKS = (
    "UNWIND $keys AS key MATCH (c:Chunk {key: key})<-[:HAS_CHUNK]-(d:Document) RETURN DISTINCT d.key AS key"
)
DELETE_CHUNKS = "UNWIND $keys AS key MATCH (c:Chunk {key: key}) DETACH DELETE c"
DELETE_EMPTY_DOCUMENTS = (
    "UNWIND $keys AS key MATCH (d:Document {key: key}) WHERE NOT EXISTS { (d)-[:HAS_CHUNK]->() } DETACH DELETE d"
)
WRITE_DOCUMENTS = "UNWIND $rows AS row MERGE (d:Document {key: row.key}) SET d = row.properties"
WRITE_CHUNKS = "UNWIND $rows AS row MERGE (c:Chunk {key: row.key}) SET c = row.properties"
WRITE_PLACES = (
    "UNWIND $rows AS row MATCH (c:Chunk {key: row.key}), (d:Document {key: row.document}) MERGE (c)<-[:HAS_CHUNK]-(d)"
)
DELETE_MENTIONS = (
    "UNWIND $rows AS row MATCH (c:Chunk {key: row.key})-[m:MENTIONS]->(e) WHERE NOT e.key IN row.entities "
    "WITH collect(m) AS found UNWIND found AS m DELETE m"
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
    label: f"UNWIND $rows AS row MATCH (a:{label} {{key: row.source}})-[r]->() WHERE elementId(r) IN row.ids "
    "WITH collect(r) AS found UNWIND found AS r DELETE r"
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

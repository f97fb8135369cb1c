"""From which knowledge bases a fact is known that a person vouches for, remembered with the fact: when no document says it any more, it is seen by their readers alone.

What documents say is known from their bases. What was added by hand is known from where that which it is about is known, or from what feeds the graph, where that is one base;
where it is several, nobody said which, and only those who may read all of them see it.
"""

from collections.abc import Collection
from uuid import UUID

from django.db import connection
from psycopg.sql import SQL, Identifier

from ontology.support import TABLES

# `own`: by its evidence, live or not, and what was remembered before; `home`: of the entities that it is about; `fed`: all that feed its graph.
REMEMBER = """
WITH told AS (
    SELECT fact.id, ARRAY(
        SELECT unnest(fact.known_in) UNION SELECT document.kb_id FROM ontology_evidence AS said
        JOIN knowledge_document AS document ON document.id = said.document_id WHERE said.{column} = fact.id
    ) AS own, ARRAY(
        SELECT unnest(about.known_in) FROM ontology_entity AS about WHERE about.id = ANY({about})
        UNION SELECT document.kb_id FROM ontology_evidence AS said
        JOIN knowledge_document AS document ON document.id = said.document_id WHERE said.entity_id = ANY({about})
    ) AS home, ARRAY(
        SELECT source.kb_id FROM ontology_graphsource AS source JOIN ontology_entity AS one ON one.graph_id = source.graph_id
        WHERE one.id = ({about})[1]
    ) AS fed, EXISTS (SELECT 1 FROM ontology_evidence AS said WHERE said.{column} = fact.id) AS is_read
    FROM {table} AS fact WHERE fact.id = ANY(%(ids)s)
)
UPDATE {table} AS fact SET known_in = CASE
    WHEN cardinality(own) > 0 THEN own WHEN %(alike)s OR cardinality(home) = 1 THEN home WHEN cardinality(fed) = 1 THEN fed ELSE fact.known_in
END{read} FROM told WHERE told.id = fact.id
"""
ABOUT = {
    "entity": SQL("ARRAY[fact.id]"),
    "alias": SQL("ARRAY[fact.entity_id]"),
    "attribute": SQL("ARRAY[fact.entity_id]"),
    "relation": SQL("ARRAY[fact.source_id, fact.target_id]"),
}
READ = SQL(", was_read = fact.was_read OR told.is_read")
HAS_READ = ("attribute", "relation")


def known_from(kind: str, ids: Collection[UUID], *, as_whom_it_is_about: bool = False) -> None:
    """Remember it for facts of this kind that a person vouches for now, in the caller's transaction; entities before what is said of them.

    `as_whom_it_is_about`: what no document says was known of the entity wherever that is known, as a name is that it had.
    """
    if not ids:
        return
    statement = SQL(REMEMBER).format(
        table=Identifier(TABLES[kind]),
        column=Identifier(f"{kind}_id"),
        about=ABOUT[kind],
        read=READ if kind in HAS_READ else SQL(""),
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, {"ids": list(ids), "alike": as_whom_it_is_about})

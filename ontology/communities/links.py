"""Reads the links between entities from the ledger, as much of it as a reader may know of: relations between those that exist, and passages that name several."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db import connection

from common.whole_tables import joining_whole_tables
from ontology.communities.weights import Link, Together, linked
from ontology.selectors.views import GraphView

CROWD = 16
"""A passage that names more than this many is a list and says nothing of any two."""

STANDING = """
WITH RECURSIVE member(id, root) AS (
    SELECT id, id FROM ontology_entity
    WHERE graph_id = %s AND merged_into_id IS NULL AND NOT is_rejected AND (%s::uuid[] IS NULL OR id = ANY(%s::uuid[]))
    UNION ALL SELECT entity.id, member.root FROM member JOIN ontology_entity AS entity ON entity.merged_into_id = member.id
), standing AS (
    SELECT DISTINCT member.root FROM member JOIN ontology_entity AS entity ON entity.id = member.id WHERE {entity}
), one AS (SELECT member.* FROM member JOIN standing USING (root))
"""
RELATIONS = """
SELECT least(source.root, target.root), greatest(source.root, target.root), sum(greatest({places}, 1))::int
FROM ontology_relation AS relation JOIN one AS source ON source.id = relation.source_id JOIN one AS target ON target.id = relation.target_id
WHERE relation.graph_id = %s AND source.root <> target.root AND {relation} GROUP BY 1, 2
"""
MENTIONS = """
, place AS (
    SELECT one.root, said.chunk_id FROM one JOIN ontology_evidence AS said ON said.entity_id = one.id
    JOIN knowledge_document AS document ON document.id = said.document_id WHERE said.is_live AND document.kb_id = ANY(%s)
    UNION SELECT one.root, said.chunk_id FROM one JOIN ontology_alias AS alias ON alias.entity_id = one.id
    JOIN ontology_evidence AS said ON said.alias_id = alias.id
    JOIN knowledge_document AS document ON document.id = said.document_id WHERE said.is_live AND document.kb_id = ANY(%s)
), named AS (SELECT root, count(*)::int AS times FROM place GROUP BY root),
telling AS (SELECT chunk_id FROM place GROUP BY chunk_id HAVING count(*) BETWEEN 2 AND %s),
pair AS (
    SELECT a.root AS left_one, b.root AS right_one, count(*)::int AS times FROM telling
    JOIN place AS a USING (chunk_id) JOIN place AS b USING (chunk_id) WHERE a.root < b.root GROUP BY 1, 2
)
SELECT left_one, right_one, pair.times, l.times, r.times FROM pair JOIN named AS l ON l.root = left_one JOIN named AS r ON r.root = right_one
"""
HOMES = "SELECT DISTINCT home.community_id FROM standing JOIN ontology_communitymember AS home ON home.entity_id = standing.root"


def homes_of(view: GraphView) -> list[UUID]:
    """Communities in which there is somebody whom the reader may know of."""
    entity = view.visible("entity", "entity")
    found = rows(STANDING.format(entity=entity.sql) + HOMES, [view.graph.pk, None, None, *entity.values])
    return [id for (id,) in found]


def links_of(view: GraphView, *, among: Collection[UUID] | None = None) -> list[Link]:
    """Between all entities, or among these roots."""
    entity, relation = view.visible("entity", "entity"), view.visible("relation", "relation")
    places = view.support("relation", "relation")
    only = None if among is None else list(among)
    standing = STANDING.format(entity=entity.sql)
    given = [view.graph.pk, only, only, *entity.values]
    bases = list(view.kb_ids)
    read = rows if among is not None else rows_of_whole_tables
    related = read(
        standing + RELATIONS.format(places=places.sql, relation=relation.sql),
        [*given, *places.values, view.graph.pk, *relation.values],
    )
    named = read(standing.rstrip() + MENTIONS, [*given, bases, bases, CROWD])
    return linked(
        (((left, right), support) for left, right, support in related),
        (((left, right), Together(*times)) for left, right, *times in named),
    )


def rows_of_whole_tables(statement: str, values: list[Any]) -> list[tuple[Any, ...]]:
    with joining_whole_tables() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())


def rows(statement: str, values: list[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())

"""A mark of the state of all that sentences and their vectors are made from: looked at first, because it costs a thirtieth of looking at every sentence.

It is a sum over rows and so changes with any of them, whenever others are committed; a greatest time of change would miss what was begun early and committed late.
"""

from typing import Any
from uuid import UUID

from django.db import connection

from ontology.models import Graph

MARK = """
SELECT concat_ws(' ', %(skeleton)s::text, %(space)s::text, (
    SELECT sum(hash_record_extended(ROW(id, class_name, name, merged_into_id, is_rejected, support > 0 OR is_confirmed), 0))
    FROM ontology_entity WHERE graph_id = %(graph)s
), (
    SELECT sum(hash_record_extended(ROW(id, type, source_id, target_id, sentence_hash, NOT is_rejected AND (support > 0 OR is_confirmed)), 0))
    FROM ontology_relation WHERE graph_id = %(graph)s
), (SELECT sum(uuid_hash_extended(content_hash, 0)) FROM ontology_factvector WHERE space_id = %(space)s))
"""
_at_rest: dict[UUID, str] = {}


def mark_of(graph: Graph, space_id: UUID | None) -> str:
    """The present one."""
    values: dict[str, Any] = {"graph": graph.pk, "skeleton": graph.skeleton_id, "space": space_id}
    with connection.cursor() as cursor:
        cursor.execute(MARK, values)
        return str(cursor.fetchone()[0])


def is_at_rest(graph: Graph, mark: str) -> bool:
    """Whether this process found nothing to do when it looked at the graph in this state."""
    return _at_rest.get(graph.pk) == mark


def rests(graph: Graph, mark: str) -> None:
    """Nothing was to be done in this state; the mark was taken before looking."""
    _at_rest[graph.pk] = mark

"""What reads a whole graph right after a large import, before PostgreSQL has statistics of it, joins by hash and not row by row."""

import pytest
from django.db import DatabaseError, connection

from accounts.types import Subject
from common.ids import uuid7
from common.whole_tables import joining_whole_tables
from ontology.communities.links import links_of
from ontology.fact_vectors import sentences
from ontology.graphs import source_of
from ontology.models import Entity, Relation
from ontology.selectors.views import view_of
from tests.factories import make_kb

pytestmark = pytest.mark.django_db


@pytest.fixture
def graph():
    """600 entities that a person vouches for, each with two relations."""
    graph = source_of(make_kb("many").pk).graph
    made = Entity.objects.bulk_create(
        Entity(graph=graph, class_name="System", name=f"Thing {n}", normal_name=f"thing {n}", is_confirmed=True)
        for n in range(600)
    )
    Relation.objects.bulk_create(
        Relation(graph=graph, source=made[n], type="part_of", target=made[(n + step) % 600], is_confirmed=True)
        for n in range(600)
        for step in (1, 7)
    )
    return graph


@pytest.mark.parametrize(
    "read",
    [
        sentences.stale,
        lambda graph: sentences.lacking(graph, uuid7(), limit=2000),
        lambda graph: range(sentences.waiting(graph, uuid7()).count),
        lambda graph: links_of(view_of(Subject.system(), graph)),
    ],
    ids=["stale", "lacking", "waiting", "links"],
)
def test_no_row_is_compared_with_all_others(graph, read):
    plans = []

    def explained(execute, sql, params, many, context):
        if "RECURSIVE member" in sql:
            with connection.connection.cursor() as cursor:
                plans.append(cursor.execute(f"EXPLAIN {sql}", params).fetchall())
        return execute(sql, params, many, context)

    with connection.execute_wrapper(explained):
        assert len(read(graph)) == 1200

    joined = "\n".join(str(row) for plan in plans for row in plan)
    assert "Hash Join" in joined
    assert "Nested Loop" not in joined


def test_how_statements_were_planned_before_is_how_they_are_planned_after():
    def joins():
        with connection.cursor() as cursor:
            cursor.execute("SHOW enable_nestloop")
            return cursor.fetchone()[0]

    with joining_whole_tables():
        with joining_whole_tables():
            pass
        assert joins() == "off"
    assert joins() == "on"

    with pytest.raises(DatabaseError), joining_whole_tables() as cursor:
        cursor.execute("SELECT 1 / 0")
    assert joins() == "on"

"""Who stands for whom: a merged entity is followed to the one that readers see."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from uuid import UUID

from django.db import connection

# UNION, not UNION ALL: a ring, which no service makes, ends too.
UP = """
WITH RECURSIVE climb(id, at) AS (
    SELECT id, id FROM ontology_entity WHERE id = ANY(%s)
    UNION SELECT climb.id, entity.merged_into_id FROM climb JOIN ontology_entity AS entity ON entity.id = climb.at WHERE entity.merged_into_id IS NOT NULL
)
SELECT climb.id, climb.at FROM climb JOIN ontology_entity AS entity ON entity.id = climb.at WHERE entity.merged_into_id IS NULL
"""
DOWN = """
WITH RECURSIVE fall(root, at) AS (
    SELECT id, id FROM ontology_entity WHERE id = ANY(%s)
    UNION SELECT fall.root, entity.id FROM fall JOIN ontology_entity AS entity ON entity.merged_into_id = fall.at
)
SELECT root, at FROM fall
"""


def roots_of(ids: Collection[UUID]) -> dict[UUID, UUID]:
    """Each entity's root; its own id when it was not merged."""
    with connection.cursor() as cursor:
        cursor.execute(UP, [list(ids)])
        return dict(cursor.fetchall())


def is_loop_by_merge(source: UUID, target: UUID, roots: Mapping[UUID, UUID]) -> bool:
    """Whether a relation joins an entity with what was merged into it, which says nothing to a reader; the ledger keeps it, so that a merge is taken back whole."""
    return source != target and roots.get(source) == roots.get(target)


def members_of(roots: Collection[UUID]) -> dict[UUID, set[UUID]]:
    """Each entity with all that were merged into it, itself included."""
    members: dict[UUID, set[UUID]] = defaultdict(set)
    with connection.cursor() as cursor:
        cursor.execute(DOWN, [list(roots)])
        for root, at in cursor.fetchall():
            members[root].add(at)
    return members

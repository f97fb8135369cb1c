"""The rows of names' vectors: which names lack one, which rows are of no use any more, all of a graph for comparing, and what comparing found."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection, transaction

from inference.types import Vectors
from ontology.models import NameVector
from ontology.name_vectors.nearest import NOBODY, Names, Nearest, Places
from ontology.resolution.translation import LEAST_SIMILARITY, Near

STORED = np.dtype("<f2")
STANDS = "entity.merged_into_id IS NULL AND NOT entity.is_rejected"
LACKING = f"""
SELECT entity.id, entity.name, entity.class_name FROM ontology_entity AS entity
WHERE entity.graph_id = %(graph)s AND {STANDS} AND NOT EXISTS (SELECT 1 FROM ontology_namevector AS made WHERE made.entity_id = entity.id)
ORDER BY entity.id LIMIT %(limit)s
"""  # noqa: S608 — our own texts
USELESS = f"""
DELETE FROM ontology_namevector AS made WHERE made.graph_id = %(graph)s AND (made.fingerprint <> %(fingerprint)s OR NOT EXISTS (
    SELECT 1 FROM ontology_entity AS entity
    WHERE entity.id = made.entity_id AND entity.name = made.name AND entity.class_name = made.class_name AND {STANDS}
)) RETURNING made.entity_id
"""  # noqa: S608 — our own texts
LEFT_BEHIND = """
UPDATE ontology_namevector AS made SET is_compared = FALSE WHERE made.graph_id = %(graph)s AND made.is_compared AND EXISTS (
    SELECT 1 FROM unnest(ARRAY[made.nearest, made.rival]) AS near(id)
    WHERE near.id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ontology_namevector AS there WHERE there.entity_id = near.id)
)
"""
# Who waits for being looked at again, and who they were taken for, is compared anew by `services/suggestions.py`.
TOUCH = "UPDATE ontology_entity SET touched_at = clock_timestamp() WHERE id = ANY(%(ids)s)"
TABLE = """
SELECT entity_id, class_name, name, vector, nearest, similarity, rival, rival_similarity, is_compared FROM ontology_namevector
WHERE graph_id = %(graph)s AND fingerprint = %(fingerprint)s AND vector <> '' ORDER BY entity_id
"""
FOUND = """
UPDATE ontology_namevector AS made SET nearest = found.nearest, similarity = found.similarity, rival = found.rival, rival_similarity = found.rival_similarity,
    is_compared = made.is_compared OR found.is_fresh
FROM unnest(%(ids)s::uuid[], %(nearest)s::uuid[], %(similarity)s::float8[], %(rival)s::uuid[], %(rival_similarity)s::float8[], %(is_fresh)s::bool[])
    AS found(id, nearest, similarity, rival, rival_similarity, is_fresh)
WHERE made.entity_id = found.id
"""
SUGGESTED = """
SELECT id FROM (
    SELECT left_id, right_id FROM ontology_suggestion WHERE graph_id = %(graph)s AND state IN ('open', 'later') AND reasons @> '[{"kind": "translation"}]'
    AND (left_id = ANY(%(ids)s) OR right_id = ANY(%(ids)s))
) AS pair CROSS JOIN LATERAL unnest(ARRAY[left_id, right_id]) AS id
"""
MUTUAL = """
SELECT least(one.entity_id, other.entity_id), greatest(one.entity_id, other.entity_id), one.similarity, one.similarity - greatest(one.rival_similarity, other.rival_similarity)
FROM ontology_namevector AS one JOIN ontology_namevector AS other ON other.entity_id = one.nearest AND other.nearest = one.entity_id
WHERE one.graph_id = %(graph)s AND one.entity_id = ANY(%(ids)s) AND one.is_compared AND other.is_compared AND one.similarity >= %(least)s
"""


@dataclass(frozen=True, slots=True)
class Named:
    """An entity whose name has no vector yet."""

    id: UUID
    name: str
    class_name: str


@dataclass(frozen=True, slots=True)
class Table:
    """All names of a graph by their places; `ids` are those of the entities, `fresh` the places that were not compared."""

    ids: Sequence[UUID]
    names: Names
    known: Nearest
    fresh: Places
    standing: Places


def lacking(graph_id: UUID, *, limit: int) -> list[Named]:
    return [Named(*row) for row in read(LACKING, graph=graph_id, limit=limit)]


def forget_useless(graph_id: UUID, fingerprint: str) -> int:
    """Of entities that are gone, merged, rejected or called otherwise now, and of other models; gives how many. Whoever was near one of them is compared again."""
    with transaction.atomic():
        gone = [id for (id,) in read(USELESS, graph=graph_id, fingerprint=fingerprint)]
        run(LEFT_BEHIND, graph=graph_id)
        touch(graph_id, gone)
    return len(gone)


def store(graph_id: UUID, fingerprint: str, entities: Sequence[Named], vectors: Vectors | None) -> None:
    """One for each entity; without vectors they have none and are not compared. What has changed or gone meanwhile is noticed by the next look."""
    made = [b""] * len(entities) if vectors is None else [each.astype(STORED).tobytes() for each in vectors]
    NameVector.objects.bulk_create(
        [
            NameVector(
                entity_id=each.id,
                graph_id=graph_id,
                name=each.name,
                class_name=each.class_name,
                fingerprint=fingerprint,
                vector=vector,
                is_compared=not vector,
            )
            for each, vector in zip(entities, made, strict=True)
        ],
        ignore_conflicts=True,
    )


def table(graph_id: UUID, fingerprint: str) -> Table | None:
    """None when every name was compared."""
    if not NameVector.objects.filter(graph=graph_id, fingerprint=fingerprint, is_compared=False).exists():
        return None
    rows = read(TABLE, graph=graph_id, fingerprint=fingerprint)
    place_of = {row[0]: place for place, row in enumerate(rows)}
    vectors = np.frombuffer(b"".join(bytes(row[3]) for row in rows), dtype=STORED).reshape(len(rows), -1)
    known = Nearest(
        np.array([place_of.get(row[4], NOBODY) for row in rows], dtype=np.int64),
        np.array([row[5] for row in rows], dtype=np.float32),
        np.array([place_of.get(row[6], NOBODY) for row in rows], dtype=np.int64),
        np.array([row[7] for row in rows], dtype=np.float32),
    )
    compared = np.array([row[8] for row in rows], dtype=bool)
    names = Names.of(vectors, [row[1] for row in rows], [row[2] for row in rows])
    return Table([row[0] for row in rows], names, known, np.flatnonzero(~compared), np.flatnonzero(compared))


def store_nearest(graph_id: UUID, whole: Table, changed: Places, fresh: Places) -> None:
    """With word to those who compare entities: these, and whoever was suggested with one of them for its name."""
    known, ids = whole.known, whole.ids
    is_fresh = np.isin(changed, fresh)
    with transaction.atomic():
        run(
            FOUND,
            ids=[ids[place] for place in changed],
            nearest=[called(ids, place) for place in known.place[changed]],
            similarity=known.similarity[changed].tolist(),
            rival=[called(ids, place) for place in known.rival[changed]],
            rival_similarity=known.rival_similarity[changed].tolist(),
            is_fresh=is_fresh.tolist(),
        )
        touch(graph_id, [ids[place] for place in changed])


def called(ids: Sequence[UUID], place: int) -> UUID | None:
    return None if place == NOBODY else ids[place]


def touch(graph_id: UUID, ids: list[UUID]) -> None:
    """Those of them that are near somebody now, or were."""
    if not ids:
        return
    moved = {end for pair in near_pairs(graph_id, ids) for end in pair}
    moved |= {id for (id,) in read(SUGGESTED, graph=graph_id, ids=ids)}
    if moved:
        run(TOUCH, ids=sorted(moved))


def near_pairs(graph_id: UUID, ids: Sequence[UUID]) -> dict[tuple[UUID, UUID], Near]:
    """Pairs (the lower id first) of which one is among these, where each is the other's nearest and is near enough."""
    rows = read(MUTUAL, graph=graph_id, ids=list(ids), least=LEAST_SIMILARITY)
    return {(one, other): Near(similarity, margin) for one, other, similarity, margin in rows}


def read(statement: str, **values: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())


def run(statement: str, **values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)

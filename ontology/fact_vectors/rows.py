"""The rows of vectors of sentences: stored while some relation holds the sentence, and gone when none does any more.

Whoever stores holds the relations against being deleted, and passes over those that are just being; so what is deleted takes its vector along, and nobody waits.
"""

from collections.abc import Collection
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection, transaction

from inference.models import EmbeddingSpace
from inference.types import Vectors
from knowledge.spaces import missing, spaces_to_write, store
from ontology.models import FactVector

HELD = """
SELECT DISTINCT sentence_hash FROM (
    SELECT sentence_hash FROM ontology_relation WHERE sentence_hash = ANY(%(hashes)s) ORDER BY id FOR KEY SHARE SKIP LOCKED
) AS held
"""
FORGET = """
DELETE FROM ontology_factvector AS vector WHERE content_hash = ANY(%(hashes)s)
AND NOT EXISTS (SELECT 1 FROM ontology_relation AS relation WHERE relation.sentence_hash = vector.content_hash)
"""
UNHELD = """
FROM ontology_factvector AS vector WHERE NOT EXISTS (
    SELECT 1 FROM ontology_relation AS relation WHERE relation.sentence_hash = vector.content_hash
)
"""
# What switching would lose: the space in use has it, and some relation holds it.
LOST = """
SELECT count(*) FROM ontology_factvector AS vector JOIN inference_embeddingspace AS space ON space.id = vector.space_id AND space.state = 'active'
WHERE EXISTS (SELECT 1 FROM ontology_relation AS relation WHERE relation.sentence_hash = vector.content_hash)
AND NOT EXISTS (SELECT 1 FROM ontology_factvector AS there WHERE there.content_hash = vector.content_hash AND there.space_id = %(space)s)
"""


def vectors_store(fingerprint: str, hashes: Collection[UUID], raw: Vectors) -> int:
    """Into every space of the model that is written, of those sentences that some relation still holds; gives how many."""
    with transaction.atomic():
        kept = held(hashes)
        places = [place for place, hash in enumerate(hashes) if hash in kept]
        if places:
            ordered = list(hashes)
            store(spaces_to_write(fingerprint), [ordered[place] for place in places], raw[places], FactVector)
    return len(places)


def vectors_fill(space: EmbeddingSpace) -> int:
    """Give the space what other spaces of its model have and it has not, in batches that commit; gives how many."""
    added = 0
    last: UUID | None = None
    while True:
        with transaction.atomic():
            hashes, raw = missing(space, after=last, table=FactVector)
            if not hashes:
                return added
            kept = held(hashes)
            places = [place for place, hash in enumerate(hashes) if hash in kept]
            store([space], [hashes[place] for place in places], raw[np.array(places, dtype=int)], FactVector)
        last = hashes[-1]
        added += len(places)


def vectors_forget(hashes: Collection[UUID]) -> None:
    """Those of them that no relation holds any more. In the transaction that deletes the relations, after that."""
    if hashes:
        run(FORGET, hashes=sorted(set(hashes)))


def vectors_forget_unheld() -> int:
    """All that no relation holds; gives how many rows."""
    return run("DELETE " + UNHELD)


def unheld() -> list[UUID]:
    """The hashes of those."""
    return [hash for (hash,) in read("SELECT DISTINCT vector.content_hash " + UNHELD)]


def lost_by(space: EmbeddingSpace) -> int:
    """How many sentences that the space in use has are not in this one."""
    return int(read(LOST, space=space.pk)[0][0])


def held(hashes: Collection[UUID]) -> set[UUID]:
    """Those that some relation holds, which can't go before the transaction ends."""
    return {hash for (hash,) in read(HELD, hashes=sorted(hashes))}


def run(statement: str, **values: Any) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return int(cursor.rowcount)


def read(statement: str, **values: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())

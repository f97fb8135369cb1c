"""Contents: what chunks hold, wherever they stand. A content's vector and words are made once and go when its last chunk goes.

Who adds to contents and who removes them keep out of each other's way by a lock in the ledger, held until the end of the transaction.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection

from knowledge.chunking.identity import full_text
from knowledge.keywords import remove_words
from knowledge.models import Version

LOCK = 0x7E11_15C0

NEXT = """
SELECT chunk.ordinal, chunk.content_hash, chunk.context, chunk.text, chunk.tokens FROM knowledge_chunk AS chunk
WHERE chunk.version_id = %(version)s AND chunk.ordinal > %(after)s AND NOT EXISTS ({made})
ORDER BY chunk.ordinal LIMIT %(limit)s
"""

UNUSED = """
SELECT DISTINCT gone.hash FROM unnest(%s::uuid[]) AS gone(hash)
WHERE NOT EXISTS (SELECT 1 FROM knowledge_chunk AS chunk WHERE chunk.content_hash = gone.hash)
"""


@dataclass(frozen=True, slots=True)
class Content:
    """One content as it stands in a version; `tokens` counts context and text together."""

    ordinal: int
    hash: UUID
    context: str
    text: str
    tokens: int

    @property
    def full_text(self) -> str:
        """What models read."""
        return full_text(self.context, self.text)


def next_contents(version: Version, made: str, *, after: int, limit: int, **parameters: UUID) -> list[Content]:
    """The next contents of a version for which the condition `made` finds no row, in reading order; the same content may come twice."""
    with connection.cursor() as cursor:
        values: dict[str, Any] = {"version": version.pk, "after": after, "limit": limit, **parameters}
        cursor.execute(NEXT.format(made=made), values)
        return [Content(*row) for row in cursor.fetchall()]


def batches(version: Version, made: str, *, size: int, **parameters: UUID) -> Iterator[list[Content]]:
    """All of them, batch by batch, each asked for when the one before is stored."""
    last = -1
    while batch := next_contents(version, made, after=last, limit=size, **parameters):
        yield batch
        if len(batch) < size:
            return
        last = batch[-1].ordinal


def lock_to_add() -> None:
    """Many may add at once; waits while contents are being removed."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock_shared(%s)", [LOCK])


def lock_to_remove() -> None:
    """Nobody adds meanwhile."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])


def forget_contents(kb_id: UUID, hashes: Sequence[UUID]) -> None:
    """Remove vectors of those contents that no chunk holds any more, and words of those that none in this base does; `lock_to_remove` comes before."""
    with connection.cursor() as cursor:
        cursor.execute(UNUSED, [list(hashes)])
        unused = [hash for (hash,) in cursor.fetchall()]
        cursor.execute("DELETE FROM knowledge_chunkvector WHERE content_hash = ANY(%s)", [unused])
    remove_words(kb_id, hashes)

"""The keyword index in the ledger: for each content of a knowledge base a row of lexemes, and in how many contents each term stands (see `knowledge.words.bm25`)."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db import connection

from knowledge.words.bm25 import kb_prefix, lexemes

ADD = """
INSERT INTO knowledge_chunkkeywords (kb_id, content_hash, words, length)
SELECT %s, row.hash, array_to_tsvector(ARRAY(SELECT jsonb_array_elements_text(row.words))), row.length
FROM jsonb_to_recordset(%s::jsonb) AS row(hash uuid, words jsonb, length int) ORDER BY row.hash
ON CONFLICT DO NOTHING RETURNING content_hash
"""
# In one order for all, so that two workers never wait for each other in a ring.
COUNT = """
INSERT INTO knowledge_keywordterm AS known (kb_id, term, documents) SELECT %s, * FROM unnest(%s::text[], %s::int[])
ON CONFLICT (kb_id, term) DO UPDATE SET documents = known.documents + excluded.documents
"""
UNUSED = """
SELECT DISTINCT gone.hash FROM unnest(%s::uuid[]) AS gone(hash)
WHERE NOT EXISTS (SELECT 1 FROM knowledge_chunk AS chunk WHERE chunk.content_hash = gone.hash AND chunk.kb_id = %s)
"""
REMOVE = """
WITH gone AS (DELETE FROM knowledge_chunkkeywords WHERE kb_id = %(kb)s AND content_hash = ANY(%(hashes)s) RETURNING words),
counted AS (
    SELECT substr(lexeme, %(after)s) AS term, count(*)::int AS contents FROM gone, unnest(tsvector_to_array(words)) AS lexeme
    WHERE position('#' in lexeme) = 0 GROUP BY lexeme
)
UPDATE knowledge_keywordterm AS known SET documents = known.documents - counted.contents FROM counted
WHERE known.kb_id = %(kb)s AND known.term = counted.term
RETURNING known.term, known.documents
"""


def add_words(kb_id: UUID, found: Mapping[UUID, Counter[str]]) -> None:
    """Index contents by the counts of their terms, inside the caller's transaction; what is indexed already is left and not counted again."""
    prefix = kb_prefix(kb_id)
    rows = [
        {"hash": str(hash), "words": lexemes(counts, prefix), "length": counts.total()}
        for hash, counts in found.items()
    ]
    with connection.cursor() as cursor:
        cursor.execute(ADD, [kb_id, json.dumps(rows)])
        added = [hash for (hash,) in cursor.fetchall()]
        standing = Counter(term for hash in added for term in found[hash])
        terms = sorted(standing)
        cursor.execute(COUNT, [kb_id, terms, [standing[term] for term in terms]])


def remove_words(kb_id: UUID, hashes: Sequence[UUID]) -> None:
    """Take contents that no chunk of the base holds any more out of its index; a term that stands nowhere any more goes.

    Nobody may add meanwhile (`contents.lock_to_remove`).
    """
    with connection.cursor() as cursor:
        cursor.execute(UNUSED, [list(hashes), kb_id])
        unused = [hash for (hash,) in cursor.fetchall()]
        cursor.execute(REMOVE, {"kb": kb_id, "hashes": unused, "after": len(kb_prefix(kb_id)) + 1})
        nowhere = [term for term, documents in cursor.fetchall() if documents <= 0]
        cursor.execute("DELETE FROM knowledge_keywordterm WHERE kb_id = %s AND term = ANY(%s)", [kb_id, nowhere])

"""The vector arm: chunks whose meaning is near the question's. Given an embedded question and a view of the corpus, returns ranked chunk hits.

A short list comes from the reduced vectors' HNSW index of the active space, is joined with what may be seen while the index is walked (iterative scan), and is
re-scored with the full vectors. A small visible set, and one that the walk could not fill the list from, is scanned exactly.
"""

from dataclasses import dataclass, field
from typing import Any, ClassVar
from uuid import UUID

import numpy as np
from numpy.typing import NDArray
from psycopg.rows import DictRow
from psycopg.sql import SQL, Composed, Literal

from inference.spaces import Reduction
from knowledge.policy import CHUNK_CONDITION, CorpusView
from retrieval.database import Connection, Database
from retrieval.types import Hit, Question, Ranking

SHORT_LIST = 200
# Up to here reading every visible vector costs less than walking an index that mostly shows what may not be seen.
EXACT_ROWS = 3000
SETTINGS = {
    "hnsw.ef_search": "200",
    "hnsw.iterative_scan": "relaxed_order",
    "hnsw.max_scan_tuples": "40000",
    "jit": "off",
}

ACTIVE = "SELECT id, raw_dims, dims, model FROM inference_embeddingspace WHERE state = 'active'"
REDUCTION = "SELECT mean, components FROM inference_embeddingspace WHERE id = %(space)s"

COUNT = f"""
SELECT count(*) AS visible FROM (
    SELECT 1 FROM knowledge_chunk c JOIN knowledge_document d ON d.id = c.document_id WHERE {CHUNK_CONDITION} LIMIT %(most)s
) AS seen
"""  # noqa: S608 (the condition is a constant of the policy)

# The space and the dimension are literals: with parameters a generic plan would miss the partial expression index.
NEAR = f"""
WITH near AS MATERIALIZED (
    SELECT c.id, v.raw FROM knowledge_chunkvector v
    JOIN knowledge_chunk c ON c.content_hash = v.content_hash JOIN knowledge_document d ON d.id = c.document_id
    WHERE v.space_id = {{space}} AND {CHUNK_CONDITION}
    ORDER BY (v.reduced::halfvec({{dims}})) <=> %(reduced)s::halfvec({{dims}}) LIMIT %(short_list)s
)
SELECT id, 1 - (raw <=> %(raw)s::halfvec) AS score FROM near ORDER BY raw <=> %(raw)s::halfvec, id
"""  # noqa: S608 (the condition is a constant of the policy)

EXACT = f"""
SELECT c.id, 1 - (v.raw <=> %(raw)s::halfvec) AS score FROM knowledge_chunk c
JOIN knowledge_document d ON d.id = c.document_id
JOIN knowledge_chunkvector v ON v.content_hash = c.content_hash AND v.space_id = {{space}}
WHERE {CHUNK_CONDITION}
ORDER BY v.raw <=> %(raw)s::halfvec, c.id LIMIT %(short_list)s
"""  # noqa: S608 (the condition is a constant of the policy)


@dataclass(frozen=True, slots=True)
class ActiveSpace:
    """The space that questions are compared in."""

    id: UUID
    raw_dims: int
    dims: int
    reduction: Reduction
    model: str


@dataclass(frozen=True, slots=True)
class VectorArm:
    """Cosine similarity in the active embedding space."""

    database: Database
    reductions: dict[UUID, Reduction] = field(default_factory=dict)
    name: ClassVar[str] = "vector"

    async def rank(self, question: Question, view: CorpusView, *, limit: int) -> Ranking:
        """The best `limit` chunks, scores are cosines. Empty without a vector, an active space or anything to see. Raises EngineUnavailable."""
        if question.vector is None or not view.kb_ids:
            return Ranking(self.name)
        async with self.database.transaction(settings=SETTINGS) as connection:
            space = await self.active_space(connection, len(question.vector))
            if space is None:
                return Ranking(self.name)
            rows = await nearest(connection, space, question.vector, view, max(limit, SHORT_LIST))
        return Ranking(self.name, [Hit(row["id"], float(row["score"])) for row in rows[:limit]], space.model)

    async def active_space(self, connection: Connection, dims: int) -> ActiveSpace | None:
        """None when there is none yet, or when the question was embedded by a model with other dimensions."""
        row = await (await connection.execute(ACTIVE)).fetchone()
        if row is None or row["raw_dims"] != dims:
            return None
        if row["id"] not in self.reductions:
            parts = await (await connection.execute(REDUCTION, {"space": row["id"]})).fetchone()
            assert parts is not None
            self.reductions[row["id"]] = Reduction.of(bytes(parts["mean"]), bytes(parts["components"]), row["raw_dims"])
        return ActiveSpace(row["id"], row["raw_dims"], row["dims"], self.reductions[row["id"]], row["model"])


async def active_fingerprint(database: Database) -> str | None:
    """The model that the vectors in use are of; None before there are any."""
    rows = await database.rows("SELECT fingerprint FROM inference_embeddingspace WHERE state = 'active'", {})
    return str(rows[0]["fingerprint"]) if rows else None


async def nearest(
    connection: Connection, space: ActiveSpace, vector: NDArray[np.float32], view: CorpusView, short_list: int
) -> list[DictRow]:
    """The short list, re-scored, best first; exact where the visible set is small or the index could not fill the list."""
    parameters = view.parameters(raw=as_text(vector), short_list=short_list, most=EXACT_ROWS + 1)
    counted = await (await connection.execute(COUNT, parameters)).fetchone()
    if counted is not None and counted["visible"] > EXACT_ROWS:
        parameters["reduced"] = as_text(space.reduction.reduce(vector))
        rows = await (await connection.execute(statement(NEAR, space), parameters)).fetchall()
        if len(rows) == short_list:
            return rows
    return await (await connection.execute(statement(EXACT, space), parameters)).fetchall()


def statement(template: Any, space: ActiveSpace) -> Composed:
    """The statement for one space."""
    return SQL(template).format(space=Literal(space.id), dims=Literal(space.dims))


def as_text(vector: NDArray[np.float32]) -> str:
    """pgvector's text form."""
    return "[" + ",".join(f"{value:.6g}" for value in vector.tolist()) + "]"

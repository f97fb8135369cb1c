"""The keyword arm: BM25 over our own words and bigrams. Given a question and a view of the corpus, returns ranked chunk hits.

Each lexeme is looked up in the index and adds what `knowledge.words.bm25` says to the rows that hold it; the sum ranks. The policy is asked in that order, best
first, until enough chunks may be seen, so a narrow view loses nothing. Lexemes name their knowledge base; a condition on it beside them would let the planner, which knows
nothing yet of a base that was just read, look through all its rows once a lexeme.
"""

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol
from uuid import UUID

from knowledge.policy import CHUNK_CONDITION, CorpusView
from knowledge.words.bm25 import K1, kb_prefix, length_terms, lookups, posting_budget, term_weights, within_budget
from knowledge.words.types import QuestionTerm
from retrieval.database import Connection, Database
from retrieval.lexical import Wanted
from retrieval.types import Hit, Question, Ranking

# Sizes of a corpus change slowly, and counting them reads its whole index.
STATISTICS_AGE_S = 60
MOST_STATISTICS = 1000
# The sorted rows are joined one by one, so that the join can stop at the limit. A plan made for no arrays in particular reads seven times as much.
SETTINGS = {"enable_hashjoin": "off", "enable_mergejoin": "off", "jit": "off", "plan_cache_mode": "force_custom_plan"}

TERMS = """
SELECT term, sum(documents)::int AS documents FROM knowledge_keywordterm
WHERE kb_id = ANY(%(kbs)s::uuid[]) AND term = ANY(%(terms)s) AND documents > 0 GROUP BY term
"""
STATISTICS = """
SELECT count(*) AS contents, coalesce(avg(length), 1)::float AS length FROM knowledge_chunkkeywords WHERE kb_id = ANY(%(kbs)s::uuid[])
"""

STATEMENT = f"""
WITH wanted AS (
    SELECT ('''' || lexeme || '''')::tsquery AS query, weight, level, below
    FROM unnest(%(lexemes)s::text[], %(weights)s::float[], %(levels)s::float[], %(belows)s::float[]) AS l(lexeme, weight, level, below)
), scored AS (
    SELECT k.kb_id, k.content_hash, sum(w.weight * {K1 + 1}::float * (
        w.level / (w.level + %(fixed)s::float + %(by_length)s::float * k.length)
        - w.below / (w.below + %(fixed)s::float + %(by_length)s::float * k.length)
    )) AS score
    FROM wanted w JOIN knowledge_chunkkeywords k ON k.words @@ w.query
    GROUP BY k.id ORDER BY score DESC, k.content_hash
)
SELECT c.id, s.score FROM scored s
JOIN knowledge_chunk c ON c.content_hash = s.content_hash AND c.kb_id = s.kb_id JOIN knowledge_document d ON d.id = c.document_id
WHERE {CHUNK_CONDITION}
ORDER BY s.score DESC, s.content_hash LIMIT %(limit)s
"""  # noqa: S608 (numbers and the policy's condition, all constants)


class QuestionWords(Protocol):
    """Cuts a question into the terms that are worth looking for."""

    def question_terms(self, question: str) -> list[QuestionTerm]: ...


@dataclass(frozen=True, slots=True)
class Statistics:
    """What BM25 must know of all contents of the asked knowledge bases together, and when it was counted."""

    contents: int
    length: float
    at: float


@dataclass(slots=True)
class Counted:
    """The last statistics of each choice of knowledge bases."""

    last: dict[tuple[UUID, ...], Statistics] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KeywordArm:
    """Words in common, the rarer the better. Also plays `retrieval.lexical.TermWeights`."""

    database: Database
    words: QuestionWords
    counted: Counted = field(default_factory=Counted)
    name: ClassVar[str] = "keyword"

    async def rank(self, question: Question, view: CorpusView, *, limit: int) -> Ranking:
        """The best `limit` chunks, scores ≥ 0 (Robertson and Zaragoza 2009). Empty when the index knows no term. Raises EngineUnavailable."""
        terms = self.words.question_terms(question.text)
        if not terms or not view.kb_ids:
            return Ranking(self.name)
        async with self.database.transaction(settings=SETTINGS) as connection:
            documents = await frequencies(connection, terms, view.kb_ids)
            if not documents:
                return Ranking(self.name)
            statistics = await self.statistics(connection, documents, view.kb_ids)
            weights = term_weights(terms, documents, statistics.contents)
            chosen = within_budget(weights, documents, posting_budget(statistics.contents))
            parameters = looked_up(chosen, statistics, view.kb_ids)
            rows = await (await connection.execute(STATEMENT, view.parameters(**parameters, limit=limit))).fetchall()
        return Ranking(self.name, [Hit(row["id"], float(row["score"])) for row in rows])

    async def wanted(self, question: str, kb_ids: Collection[UUID]) -> Wanted:
        """See `retrieval.lexical.TermWeights`."""
        terms = self.words.question_terms(question)
        async with self.database.transaction() as connection:
            documents = await frequencies(connection, terms, kb_ids)
            statistics = await self.statistics(connection, documents, kb_ids)
        return Wanted.of(
            terms, {term.text: documents.get(term.text, 0) for term in terms}, statistics.contents, statistics.length
        )

    async def statistics(
        self, connection: Connection, documents: Mapping[str, int], kb_ids: Collection[UUID]
    ) -> Statistics:
        """Counted anew when they are old, or plainly too small."""
        asked, least = tuple(sorted(kb_ids)), max(documents.values(), default=0)
        last = self.counted.last.get(asked)
        if last is None or time.monotonic() - last.at > STATISTICS_AGE_S or last.contents < least:
            row = await (await connection.execute(STATISTICS, {"kbs": list(asked)})).fetchone()
            assert row is not None
            last = Statistics(max(row["contents"], least), max(1.0, row["length"]), time.monotonic())
            if len(self.counted.last) >= MOST_STATISTICS:
                self.counted.last.clear()
            self.counted.last[asked] = last
        return last


async def frequencies(
    connection: Connection, terms: Sequence[QuestionTerm], kb_ids: Collection[UUID]
) -> dict[str, int]:
    """In how many contents of these knowledge bases each term stands, and the whole word of each pair; only those that the index knows."""
    asked = {text for term in terms for text in (term.text, term.word) if text}
    rows = await (await connection.execute(TERMS, {"kbs": list(kb_ids), "terms": list(asked)})).fetchall()
    return {row["term"]: row["documents"] for row in rows}


def looked_up(weights: Mapping[str, float], statistics: Statistics, kb_ids: Collection[UUID]) -> dict[str, object]:
    """The statement's parameters."""
    fixed, by_length = length_terms(statistics.length)
    found = [lexeme for kb_id in kb_ids for lexeme in lookups(weights, kb_prefix(kb_id))]
    return {
        "lexemes": [lexeme.text for lexeme in found],
        "weights": [lexeme.weight for lexeme in found],
        "levels": [lexeme.level for lexeme in found],
        "belows": [lexeme.below for lexeme in found],
        "fixed": fixed,
        "by_length": by_length,
    }

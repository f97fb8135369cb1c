"""Find the chunks that may answer a question: embed it, let the arms rank side by side, fuse. Used by `ask`, `manage.py search`, REST, the search test and evaluation.

Given a question and a view of the corpus, gives fused hits with every arm's rank and score. What was left out stands in the trace.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from common.errors import EngineRefused, InvalidInput
from inference.types import Vectors
from knowledge.policy import CorpusView
from retrieval.answer import Stage
from retrieval.fuse import fuse
from retrieval.sources import sources_of
from retrieval.tools import Tools
from retrieval.trace import Trace
from retrieval.types import Found, FusedHit, Question, Ranking, Source, jsonable

# So deep does each arm look: fusion needs to know where the other arm put a chunk.
ARM_DEPTH = 100


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found, best first; `rankings` are the arms' own, `sources` what any of them names among the shown."""

    found: Sequence[Found]
    rankings: Sequence[Ranking]
    sources: Mapping[UUID, Source]
    degraded: Sequence[str]
    stages: Sequence[Stage]

    def as_dict(self) -> dict[str, Any]:
        """The object that `manage.py search --json` and REST give."""
        hits = [hit_as_dict(rank, found) for rank, found in enumerate(self.found, start=1)]
        stages = [{"name": stage.name, "ms": stage.ms, "outcome": stage.outcome} for stage in self.stages]
        return {"hits": hits, "degraded": list(self.degraded), "stages": stages}


async def search(
    question: Question, view: CorpusView, tools: Tools, *, limit: int = 10, arms: Collection[str] | None = None
) -> SearchResult:
    """The best `limit` chunks, and each arm's own best `limit`. `arms` names the only ones to be used."""
    trace = tools.trace()
    hits, rankings = await find(question, view, tools, trace, arms=arms)
    shown = {hit.chunk_id for hit in hits[:limit]} | {
        hit.chunk_id for ranking in rankings for hit in ranking.hits[:limit]
    }
    sources = await trace.run("pack", sources_of(tools.database, view, list(shown)), otherwise={})
    found = [Found(hit, sources[hit.chunk_id]) for hit in hits[:limit] if hit.chunk_id in sources]
    return SearchResult(found, rankings, sources, trace.degraded, trace.stages)


async def find(
    question: Question, view: CorpusView, tools: Tools, trace: Trace, *, arms: Collection[str] | None = None
) -> tuple[Sequence[FusedHit], Sequence[Ranking]]:
    """Fused hits, best first, and the rankings that they were fused from."""
    used = [arm for arm in tools.arms if arms is None or arm.name in arms]
    if any(arm.name == "vector" for arm in used):
        question = replace(question, vector=await trace.run("embed", embed(question, tools), otherwise=None))
    steps = {arm.name: arm.rank(question, view, limit=ARM_DEPTH) for arm in used}
    rankings = await trace.run_all(steps, otherwise=Ranking)
    return trace.count("fuse", lambda: fuse(rankings, question)), rankings


async def embed(question: Question, tools: Tools) -> Vectors | None:
    """The question's vector. One that the model can't read whole is searched for by its words alone. Raises EngineUnavailable, EngineRefused."""
    try:
        return await tools.embedder.embed_question(question.text, charge=question.charge)
    except InvalidInput as error:
        raise EngineRefused(error.message) from error


def hit_as_dict(rank: int, found: Found) -> dict[str, Any]:
    """One line of a result; `document` is its id, `text` the chunk's own text."""
    hit, source = found.hit, found.source
    shown: dict[str, Any] = jsonable(
        {
            "rank": rank,
            "score": round(hit.score, 4),
            "document": source.document_id,
            "title": source.title,
            "path": source.path,
            "version": source.version,
            "chunk": source.chunk_id,
            "kind": source.kind,
            "start": source.start,
            "end": source.end,
            "page": source.page,
            "heading_path": source.heading_path,
            "text": source.text,
            "arms": {name: {"rank": place.rank, "score": round(place.score, 4)} for name, place in hit.arms.items()},
        }
    )
    return shown

"""Ask the ordinary search every question of a golden set; rank documents by their best chunk, per arm and fused."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from accounts.types import Subject
from evaluation.files import Case
from evaluation.measures import Ranked, RankingMeasures, measure
from knowledge.policy import CorpusView
from retrieval.asking import question_from
from retrieval.search import SearchResult, search
from retrieval.tools import Tools
from retrieval.types import Source

FUSED = "fused"
DEPTH = 50


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One question's rankings of documents by name of the arm ("fused" for all together), each with its time."""

    case: Case
    rankings: Mapping[str, Ranked]
    degraded: tuple[str, ...]


async def run_case(
    case: Case, subject: Subject, view: CorpusView, tools: Tools, arms: frozenset[str] | None
) -> CaseResult:
    """Search for one question."""
    begun = time.perf_counter()
    result = await search(question_from(case.question, subject), view, tools, limit=DEPTH, arms=arms)
    whole_ms = (time.perf_counter() - begun) * 1000
    times = {stage.name: stage.ms for stage in result.stages}
    rankings = {
        ranking.arm: Ranked(
            documents(result.sources, (hit.chunk_id for hit in ranking.hits[:DEPTH])),
            case.gold,
            times.get(ranking.arm, 0.0),
        )
        for ranking in result.rankings
    }
    rankings[FUSED] = Ranked(fused_documents(result), case.gold, whole_ms)
    return CaseResult(case, rankings, tuple(result.degraded))


def fused_documents(result: SearchResult) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found.source.path for found in result.found))


def documents(sources: Mapping[UUID, Source], chunk_ids: Iterable[UUID]) -> tuple[str, ...]:
    """Paths of documents, each at the place of its best chunk."""
    return tuple(dict.fromkeys(sources[each].path for each in chunk_ids if each in sources))


def summary(results: Sequence[CaseResult]) -> dict[str, dict[str, RankingMeasures]]:
    """Measures by arm, over all questions ("all") and by their type."""
    arms = dict.fromkeys(name for result in results for name in result.rankings)
    types = sorted({result.case.type for result in results})
    return {
        arm: {
            "all": measure([result.rankings[arm] for result in results if arm in result.rankings]),
            **{
                kind: measure(
                    [each.rankings[arm] for each in results if each.case.type == kind and arm in each.rankings]
                )
                for kind in types
                if kind != "all"
            },
        }
        for arm in arms
    }

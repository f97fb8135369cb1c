"""What measuring retrieval says: one object, lines for people, and a line a question for those who look closer."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from evaluation.measures import RankingMeasures
from evaluation.retrieval_run import CaseResult, summary
from knowledge.models import Chunk, Document, DocumentState, KnowledgeBase

COLUMNS = ("recall_1", "recall_5", "recall_10", "all_gold_5", "mrr", "p50_ms", "p95_ms")
HEADINGS = ("R@1", "R@5", "R@10", "all@5", "MRR", "p50 ms", "p95 ms")


def report(kb: KnowledgeBase, results: Sequence[CaseResult]) -> dict[str, Any]:
    """Measures by arm and type of question."""
    return {
        "kb": kb.slug,
        "documents": Document.objects.filter(kb=kb, state=DocumentState.LIVE).count(),
        "chunks": Chunk.objects.filter(kb=kb, is_live=True).count(),
        "questions": len(results),
        "degraded": sum(bool(result.degraded) for result in results),
        "arms": {arm: {kind: asdict(each) for kind, each in kinds.items()} for arm, kinds in summary(results).items()},
    }


def lines(row: Mapping[str, Any], results: Sequence[CaseResult]) -> str:
    """A table for people."""
    table = [
        f"{row['documents']} documents, {row['chunks']} chunks, {row['questions']} questions, {row['degraded']} degraded"
    ]
    table.append(f"{'arm':<10}{'type':<16}{'n':>6}" + "".join(f"{each:>9}" for each in HEADINGS))
    for arm, kinds in summary(results).items():
        table += [f"{arm:<10}{kind:<16}{each.questions:>6}" + figures(each) for kind, each in kinds.items()]
    return "\n".join(table)


def figures(each: RankingMeasures) -> str:
    return "".join(
        f"{getattr(each, column):>9.3f}" if column == "mrr" else f"{getattr(each, column):>9.1f}" for column in COLUMNS
    )


def write_details(file: Path, results: list[CaseResult]) -> None:
    """A line a question: its gold and what each arm ranked."""
    with file.open("w", encoding="utf-8") as lines:
        for result in results:
            case = result.case
            row = {"id": case.id, "type": case.type, "gold_ids": sorted(case.gold)}
            row |= {arm: list(ranked.ranked) for arm, ranked in result.rankings.items()}
            lines.write(json.dumps(row, ensure_ascii=False) + "\n")

"""What measuring extraction says: one object, lines for people, and a line a document for those who look closer."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from evaluation.extraction_run import DocumentResult
from evaluation.triples import by_relation, key_of, measured

RELATIONS_SHOWN = 60


def report(results: Sequence[DocumentResult], extractor: str) -> dict[str, Any]:
    """`conformance` is the share of accepted facts that their schema allows: 1.0, or the check is broken. Shares are from 0 to 1."""
    matched = [each.matched for each in results]
    accepted = sum(each.accepted for each in results)
    outside = sum(each.outside for each in results)
    return {
        "extractor": extractor,
        "documents": len(results),
        **asdict(measured(matched)),
        "recall_verbatim": recall_of_verbatim(results),
        "conformance": 1 - outside / accepted if accepted else 1.0,
        "accepted": accepted,
        "rejected": sum(each.rejected for each in results),
        "relations": {name: asdict(each) for name, each in by_relation(matched).items()},
    }


def recall_of_verbatim(results: Sequence[DocumentResult]) -> float:
    """Recall of the triples whose names stand in the text just so: more than those nothing that quotes can find."""
    gold = [{key_of(each) for each in result.document.triples if each.is_verbatim} for result in results]
    right = sum(len(keys & result.matched.found) for keys, result in zip(gold, results, strict=True))
    return right / max(1, sum(map(len, gold)))


def lines(row: dict[str, Any]) -> str:
    """A table for people."""
    head = (
        f"{row['documents']} documents, {row['extractor']}: precision {row['precision']:.3f}, recall {row['recall']:.3f} "
        f"({row['recall_verbatim']:.3f} of verbatim), F1 {row['f1']:.3f}, conformance {row['conformance']:.2f}"
    )
    table = [f"{'relation':<32}{'gold':>7}{'found':>7}{'P':>8}{'R':>8}{'F1':>8}"]
    for name, each in list(row["relations"].items())[:RELATIONS_SHOWN]:
        table.append(
            f"{name[:31]:<32}{each['gold']:>7}{each['found']:>7}{each['precision']:>8.3f}{each['recall']:>8.3f}{each['f1']:>8.3f}"
        )
    return "\n".join([head, *table])


def write_details(file: Path, results: Sequence[DocumentResult]) -> None:
    """A line a document: its id, what it says and what was found."""
    with file.open("w", encoding="utf-8") as out:
        for each in results:
            row = {
                "id": each.document.id,
                "gold": [asdict(triple) for triple in each.document.triples],
                "found": [{**asdict(triple), "right": key_of(triple) in each.matched.gold} for triple in each.triples],
                "rejected": each.rejected,
            }
            out.write(json.dumps(row, ensure_ascii=False) + "\n")

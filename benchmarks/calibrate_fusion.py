"""The fusion's weights: R@5 of documents for each weight of the vector arm, beside the single arms and equal votes. `python -m benchmarks.calibrate_fusion [--sample N]`.

Prints what `retrieval/calibration.py` quotes; changes nothing.
"""

import argparse
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks._public_base import PublicBase, public_base
from benchmarks.measure import PROJECT, Figure, public_set, write

SETS = ("en_hotpotqa", "zh_cmrc2018", "en_musique")
SAMPLE = 300
WEIGHTS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
EQUAL_VOTES_K = 60
FIRST = 5


async def rankings_of(base: PublicBase, row: dict[str, Any]) -> tuple[set[str], dict[str, list[tuple[str, float]]]]:
    """The gold paths, and by arm the path and the spread score of each hit."""
    from retrieval.fuse import spread_scores
    from retrieval.search import ARM_DEPTH, find
    from retrieval.sources import sources_of

    _fused, rankings = await find(base.question(row["question"]), base.view, base.tools, base.tools.trace())
    ids = list({hit.chunk_id for ranking in rankings for hit in ranking.hits[:ARM_DEPTH]})
    sources = await sources_of(base.tools.database, base.view, ids)
    found = {
        ranking.arm: [
            (sources[hit.chunk_id].path + f"#{hit.chunk_id}", score)
            for hit, score in zip(ranking.hits, spread_scores(ranking), strict=True)
        ]
        for ranking in rankings
        if ranking.hits
    }
    return set(row["gold_ids"]), found


def recall(gold: set[str], scores: Mapping[str, float]) -> float:
    """The share of the gold documents among the first five, each at the place of its best chunk."""
    order = dict.fromkeys(chunk.split("#")[0] for chunk in sorted(scores, key=lambda chunk: -scores[chunk]))
    return len(gold & set(list(order)[:FIRST])) / min(len(gold), FIRST)


def weighted(found: Mapping[str, Sequence[tuple[str, float]]], weight: float) -> dict[str, float]:
    scores: dict[str, float] = defaultdict(float)
    for arm, share in (("vector", weight), ("keyword", 1 - weight)):
        for chunk, score in found.get(arm, ()):
            scores[chunk] += share * score
    return scores


def voted(found: Mapping[str, Sequence[tuple[str, float]]]) -> dict[str, float]:
    """Reciprocal rank fusion with equal votes."""
    scores: dict[str, float] = defaultdict(float)
    for hits in found.values():
        for rank, (chunk, _score) in enumerate(hits, start=1):
            scores[chunk] += 1 / (EQUAL_VOTES_K + rank)
    return scores


def measured(name: str, folder: Path, sample: int | None) -> None:
    with public_base(folder, sample) as base:
        results = base.each(lambda row: rankings_of(base, row))

    def tell(what: str, of: Any) -> None:
        value = 100 * sum(recall(gold, of(found)) for gold, found in results) / max(1, len(results))
        write(Figure(f"{name} R@5 {what}", round(value, 1), "%", note=f"{len(results)} questions"))

    for arm in ("vector", "keyword"):
        tell(f"{arm} alone", lambda found, arm=arm: dict(found.get(arm, ())))
    tell("equal votes", voted)
    for weight in WEIGHTS:
        tell(f"weight of vector {weight}", lambda found, weight=weight: weighted(found, weight))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=SAMPLE, help="only the first questions of each set (0: all)")
    parser.add_argument("--sets", default=",".join(SETS), help="which sets")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.here:
        from config.conf import server_settings

        environment = {**os.environ, "TRELLIS_DATA_DIR": str(server_settings().data / "bench")}
        command = [
            sys.executable,
            "-m",
            "benchmarks.calibrate_fusion",
            "--here",
            "--sample",
            str(options.sample),
            "--sets",
            options.sets,
        ]
        sys.exit(subprocess.run(command, cwd=PROJECT, env=environment, check=False).returncode)
    for name in options.sets.split(","):
        if folder := public_set(name):
            measured(name, folder, options.sample or None)


if __name__ == "__main__":
    main()

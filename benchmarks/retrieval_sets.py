"""R@5 of the vector arm, the keyword arm and both fused, on the public sets, through `manage.py evaluate retrieval` (goals Q2 and Q3).

Reads each corpus the ordinary way into a data folder of its own (`<data>/bench`), once; embedding the sets for the first time takes from minutes to an hour.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.measure import PROJECT, Figure, public_set, read_lines, say, sign_test, wilson, write
from config.conf import server_settings

SETS = ("en_hotpotqa", "zh_cmrc2018", "en_musique", "en_2wiki", "zh_rgb")
KEYWORD_GOALS = {"zh_cmrc2018": 98.5, "en_2wiki": 64.0}
KEYWORD_P95_MS = 20.0
FUSED_LOSS = 1.0


def evaluated(folder: Path, details: Path, sample: int | None) -> dict[str, Any]:
    """What the command says of one set."""
    command = [sys.executable, "manage.py", "evaluate", "retrieval", "--json", "--details", str(details)]
    command += ["--corpus", str(folder / "corpus.jsonl"), "--questions", str(folder / "questions.jsonl")]
    command += ["--sample", str(sample)] if sample else []
    environment = {**os.environ, "TRELLIS_DATA_DIR": str(server_settings().data / "bench")}
    done = subprocess.run(command, cwd=PROJECT, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def figures(name: str, found: dict[str, Any], details: Path) -> list[Figure]:
    """The figures of one set. All times are of this machine and gate nothing but the goal that the design names."""
    arms = {arm: kinds["all"] for arm, kinds in found["arms"].items()}
    count = found["questions"]
    best = max(arms[arm]["recall_5"] for arm in arms if arm != "fused")
    lost = arms["fused"]["recall_5"] - best
    rows = []
    for arm, each in arms.items():
        goal = KEYWORD_GOALS.get(name) if arm == "keyword" else None
        low, high = wilson(round(each["recall_5"] / 100 * count), count)
        note = f"{count} questions, 95 % {100 * low:.1f}–{100 * high:.1f}; R@1 {each['recall_1']:.1f}, R@10 {each['recall_10']:.1f}, MRR {each['mrr']:.3f}"
        met = each["recall_5"] >= goal if goal else None
        rows.append(
            Figure(f"{name} {arm} R@5", round(each["recall_5"], 1), "%", f"≥ {goal}" if goal else "", met, note)
        )
    rows.append(
        Figure(
            f"{name} fused − best arm",
            round(lost, 1),
            "points",
            f"≥ −{FUSED_LOSS:g}",
            lost >= -FUSED_LOSS,
            paired(details),
        )
    )
    p95 = arms["keyword"]["p95_ms"]
    rows.append(
        Figure(
            f"{name} keyword p95",
            round(p95, 1),
            "ms",
            f"≤ {KEYWORD_P95_MS:g}",
            p95 <= KEYWORD_P95_MS,
            f"{found['chunks']} chunks, p50 {arms['keyword']['p50_ms']:.1f}",
        )
    )
    return rows


def paired(details: Path) -> str:
    """Fused against the vector arm, question by question, on the number of gold documents in the first five."""
    wins = losses = 0
    for row in read_lines(details):
        gold = set(row["gold_ids"])
        fused, vector = (len(gold.intersection(row.get(arm, [])[:5])) for arm in ("fused", "vector"))
        wins += fused > vector
        losses += fused < vector
    return f"fused against vector: {wins} won, {losses} lost, sign test p = {sign_test(wins, losses):.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, help="only the first questions of the two smallest sets")
    parser.add_argument("--sets", default=",".join(SETS), help="which sets")
    options = parser.parse_args()
    names = options.sets.split(",")[: 2 if options.sample else None]
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            source = public_set(name)
            if source is None:
                continue
            say(f"{name}: reading and asking")
            details = Path(folder) / f"{name}.jsonl"
            for figure in figures(name, evaluated(source, details, options.sample), details):
                write(figure)


if __name__ == "__main__":
    main()

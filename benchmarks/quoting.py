"""The quoting answerer on public sets: answers that contain the gold answer, false refusals, and refusals when the gold documents are taken out.

`python -m benchmarks.quoting [--sample N] [--sets NAME,…]`. Questions whose gold answer is only "yes" or "no" are left out of the first figure.
"""

import argparse
import os
import re
import subprocess
import sys
from contextlib import aclosing
from pathlib import Path
from typing import Any

from benchmarks._public_base import PublicBase, public_base
from benchmarks.measure import PROJECT, Figure, public_set, wilson, write

SETS = ("zh_cmrc2018", "en_hotpotqa")
SAMPLE = 300


def plain(text: str) -> str:
    """Folded, without anything but letters and digits, so that only words are compared."""
    from common.text import fold

    return re.sub(r"[\W_]+", "", fold(text))


def contains(text: str, answers: list[str]) -> bool:
    return any(plain(answer) in plain(text) for answer in answers)


async def answered(base: PublicBase, row: dict[str, Any], *, with_gold: bool) -> Any:
    """The answer by excerpts, from all documents or from all but the gold ones."""
    from retrieval.answer import Answer
    from retrieval.ask import ask

    view = base.view if with_gold else base.without(row["gold_ids"])
    events = ask(base.question(row["question"]), view, base.tools, trace=base.tools.trace(), answerer="quote")
    async with aclosing(events) as stream:
        return await anext(event async for event in stream if isinstance(event, Answer))


def measured(name: str, folder: Path, sample: int | None) -> None:
    """Print the figures of one set."""
    with public_base(folder, sample) as base:

        async def both(row: dict[str, Any]) -> tuple[bool, bool | None, int, bool]:
            found = await answered(base, row, with_gold=True)
            without = await answered(base, row, with_gold=False)
            is_open = [answer for answer in row["answers"] if answer.lower() not in ("yes", "no")]
            quoted = " ".join(f"{citation.lead_text} {citation.text}" for citation in found.citations)
            return found.found, contains(quoted, is_open) if is_open else None, len(quoted), without.found

        results = base.each(both)
    open_ones = [holds for _found, holds, _length, _without in results if holds is not None]
    figure(f"{name} excerpts that contain the gold answer", open_ones, "")
    figure(f"{name} false refusals", [not found for found, _holds, _length, _without in results], "")
    figure(f"{name} refusals without the gold documents", [not without for *_rest, without in results], "")
    lengths = sorted(length for found, _holds, length, _without in results if found)
    if lengths:
        write(Figure(f"{name} characters quoted, median", lengths[len(lengths) // 2], "characters"))


def figure(name: str, hits: list[bool], goal: str) -> None:
    low, high = wilson(sum(hits), len(hits))
    note = f"{sum(hits)} of {len(hits)}, 95 % {100 * low:.1f}–{100 * high:.1f}"
    write(Figure(name, round(100 * sum(hits) / max(1, len(hits)), 1), "%", goal, None, note))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=SAMPLE, help="only the first questions of each set (0: all)")
    parser.add_argument("--sets", default=",".join(SETS), help="which sets")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.here:
        # The settings are read when a process starts, so the data folder of the benchmarks needs one of its own.
        from config.conf import server_settings

        environment = {**os.environ, "TRELLIS_DATA_DIR": str(server_settings().data / "bench")}
        command = [
            sys.executable,
            "-m",
            "benchmarks.quoting",
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

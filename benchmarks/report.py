"""`make bench [ONLY=name]`: run every measurement one after the other and put its figures into one table, `docs/benchmarks.md`.

A measurement that fails is reported as failed and makes the whole end with 1; the others still run.
"""

import argparse
import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.measure import PROJECT, machine, say

NOT_MEASUREMENTS = {"__init__", "measure", "report"}
TARGET = PROJECT / "docs" / "benchmarks.md"
KEPT = PROJECT / "docs" / "benchmarks.jsonl"


def names() -> list[str]:
    """Every measurement, by the name of its file."""
    files = sorted(Path(__file__).parent.glob("*.py"))
    return [file.stem for file in files if file.stem not in NOT_MEASUREMENTS and not file.stem.startswith("_")]


def run(name: str, sample: int | None) -> list[dict[str, Any]] | None:
    """The figures of one measurement, or None when it failed."""
    say(f"== {name}")
    command = [sys.executable, "-m", f"benchmarks.{name}", *(["--sample", str(sample)] if sample else [])]
    done = subprocess.run(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True, check=False)
    sys.stdout.write(done.stdout)
    sys.stdout.flush()
    if done.returncode:
        say(f"{name} ended with {done.returncode}")
        return None
    return [json.loads(line) | {"bench": name} for line in done.stdout.splitlines() if line.startswith("{")]


def kept() -> dict[tuple[str, str], dict[str, Any]]:
    """The figures of earlier runs, by measurement and name."""
    if not KEPT.exists():
        return {}
    rows = (json.loads(line) for line in KEPT.read_text(encoding="utf-8").splitlines())
    return {(row["bench"], row["name"]): row for row in rows}


def table(rows: list[dict[str, Any]]) -> str:
    """A Markdown page with one table a measurement."""
    parts = [
        "# Benchmarks",
        "",
        f"Made by `make bench`, last on {datetime.now(UTC):%Y-%m-%d}, on {machine()}. Gates are ratios and qualities; times are for orientation.",
    ]
    for bench in sorted({row["bench"] for row in rows}):
        parts += ["", f"## {bench}", "", "| figure | value | goal | met | how |", "|---|---|---|---|---|"]
        for row in rows:
            if row["bench"] == bench:
                met = {True: "yes", False: "**no**", None: ""}[row.get("met")]
                value = f"{row['value']:g}" if isinstance(row["value"], float) else row["value"]
                parts.append(
                    f"| {row['name']} | {value} {row['unit']} | {row.get('goal', '')} | {met} | {row.get('note', '')} |"
                )
    return "\n".join(parts) + "\n"


def main() -> int:
    """Run what was asked for; 0 when all of it ran."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", help="one measurement by name")
    parser.add_argument("--sample", type=int, help="questions a set, for a quick look; nothing is written to docs")
    options = parser.parse_args()
    if options.only and options.only not in names():
        say(f"There is no measurement “{options.only}”; there are: {', '.join(names())}")
        return 2
    results = {name: run(name, options.sample) for name in ([options.only] if options.only else names())}
    fresh = [row for rows in results.values() for row in rows or []]
    if not options.sample:
        rows = kept()
        for name, figures in results.items():
            if figures is not None:
                rows = {key: row for key, row in rows.items() if key[0] != name}
        rows |= {(row["bench"], row["name"]): row for row in fresh}
        ordered = [rows[key] for key in sorted(rows)]
        KEPT.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ordered), encoding="utf-8")
        TARGET.write_text(table(ordered), encoding="utf-8")
    return 1 if None in results.values() else 0


if __name__ == "__main__":
    sys.exit(main())

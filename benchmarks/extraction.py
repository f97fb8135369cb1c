"""Extraction on the public sets through `manage.py evaluate extraction`: precision, recall, F1, and conformance, which must be 1 (goal Q6).

By rules alone; and by the model at LLM_BASE_URL, where that is set, on the first documents of each set (`--model-sample`).
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.measure import PROJECT, Figure, public_set, say, wilson, write

SETS = ("re_en_conll04", "re_en_text2kgbench", "re_zh_duie")
MODEL_SAMPLE = 100
SCHEMAS = ("schema.json", "schemas.json")


def evaluated(folder: Path, extractor: str, sample: int | None) -> dict[str, Any]:
    """What the command says of one set; it ends with 1 when something is outside of the schema, which is a figure here."""
    schema = next(folder / name for name in SCHEMAS if (folder / name).is_file())
    command = [sys.executable, "manage.py", "evaluate", "extraction", "--json", "--extractor", extractor]
    command += ["--docs", str(folder / "docs.jsonl"), "--schema", str(schema)]
    command += ["--sample", str(sample)] if sample else []
    done = subprocess.run(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode > 1:
        raise SystemExit(f"evaluate extraction ended with {done.returncode}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def figures(name: str, extractor: str, found: dict[str, Any]) -> list[Figure]:
    """The figures of one set; names and relations are compared, names in their normal form."""
    low, high = wilson(found["right"], found["found"])
    counted = (
        f"{found['documents']} documents, {found['right']} right of {found['found']} found, {found['gold']} to be found"
    )
    conformance = found["conformance"]
    return [
        Figure(
            f"{name} {extractor} precision",
            round(found["precision"], 3),
            "",
            note=f"95 % {low:.3f}–{high:.3f}; {counted}",
        ),
        Figure(
            f"{name} {extractor} recall",
            round(found["recall"], 3),
            "",
            note=f"of verbatim {found['recall_verbatim']:.3f}",
        ),
        Figure(f"{name} {extractor} F1", round(found["f1"], 3), ""),
        Figure(
            f"{name} {extractor} conformance",
            conformance,
            "",
            "= 1",
            conformance == 1,
            f"{found['accepted']} facts accepted",
        ),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, help="only the first documents of each set")
    parser.add_argument("--sets", default=",".join(SETS), help="which sets")
    parser.add_argument("--model-sample", type=int, default=MODEL_SAMPLE, help="how many of each set a model reads")
    options = parser.parse_args()
    samples = {"rules": options.sample}
    if os.environ.get("LLM_BASE_URL"):
        samples["model"] = min(options.sample or options.model_sample, options.model_sample)
    for name in options.sets.split(","):
        if folder := public_set(name):
            for extractor, sample in samples.items():
                say(f"{name}: extracting by {extractor}")
                for figure in figures(name, extractor, evaluated(folder, extractor, sample)):
                    write(figure)


if __name__ == "__main__":
    main()

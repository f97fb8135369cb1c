"""What reading costs besides the model (goal S3): time a chunk without model time, the model's share of the whole, and whether memory stays flat.

Each measurement is a process of its own on a data folder that is thrown away: 300 chunks with the real embedder for the share, 100 and 10,000 chunks with the
hash embedder (it stands in, because this is about size and not about meaning) for time and memory.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.measure import PROJECT, Figure, say, write

WORDS = [
    "valve",
    "pump",
    "pressure",
    "coolant",
    "bearing",
    "gasket",
    "operator",
    "inspection",
    "interval",
    "torque",
    "flange",
    "shaft",
    "sensor",
    "alarm",
    "reset",
    "filter",
]
SENTENCES_A_PARAGRAPH = 12


def document(chunks: int) -> str:
    """A text that is cut into about so many chunks: numbered sections of one paragraph each, no two alike."""
    parts = []
    for section in range(chunks):
        sentences = (
            f"Step {section}.{number} checks the {WORDS[(section + number) % len(WORDS)]} and the {WORDS[(section * 7 + number) % len(WORDS)]} of unit {section * 31 + number}."
            for number in range(SENTENCES_A_PARAGRAPH)
        )
        parts.append(f"## Section {section}\n\n{' '.join(sentences)}\n")
    return "\n".join(parts)


class TimedEmbedder:
    """An embedder that counts the seconds spent in it."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.seconds = 0.0

    @contextmanager
    def counted(self) -> Iterator[None]:
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.seconds += time.perf_counter() - begun

    def info(self) -> Any:
        with self.counted():
            return self.inner.info()

    def embed(self, texts: Any, *, kind: Any, charge: Any) -> Any:
        with self.counted():
            return self.inner.embed(texts, kind=kind, charge=charge)

    def count_tokens(self, texts: Any) -> Any:
        with self.counted():
            return self.inner.count_tokens(texts)


def child(chunks: int, embedder: str) -> None:
    """Read one document in this process and say what it took; engines are those of the data folder."""
    from config.conf import server_settings
    from config.embedded.registry import embedded_engines
    from config.embedded.sharing import engines_in_use

    names = ("postgres", "embedder") if embedder == "real" else ("postgres",)
    with engines_in_use(embedded_engines(server_settings().data, names, None)):
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        print(json.dumps(read_one(chunks, embedder)))


def read_one(chunks: int, embedder: str) -> dict[str, float]:
    """Upload and read one document; seconds, chunks, and the peak of this process's memory in MiB."""
    from accounts.types import Subject
    from inference.hash_embedder import HashEmbedder
    from knowledge.models import Chunk
    from knowledge.services.bases import kb_create
    from knowledge.services.uploads import upload
    from knowledge.tools import tools
    from knowledge.uploading import IncomingFile
    from knowledge.working import read_along

    used = tools()
    timed = TimedEmbedder(used.embedder if embedder == "real" else HashEmbedder())
    used = replace(used, embedder=timed)
    subject = Subject.system()
    kb = kb_create(subject=subject, slug="bench")
    begun = time.perf_counter()
    file = IncomingFile("long.md", document(chunks).encode())
    job = upload(subject=subject, kb=kb, files=[file], tools=used, enqueue=False)
    read_along([item.version_id for item in job.items.all() if item.version_id], used, lambda _version: None)
    wall = time.perf_counter() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"wall_s": wall, "model_s": timed.seconds, "chunks": Chunk.objects.count(), "peak_mib": peak}


def measured(chunks: int, embedder: str) -> dict[str, float]:
    """The same in a process and a data folder of its own."""
    say(f"{chunks} chunks with the {embedder} embedder")
    with tempfile.TemporaryDirectory(prefix="trellis-bench-") as folder:
        environment = {
            **os.environ,
            "TRELLIS_DATA_DIR": str(Path(folder) / "var"),
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        command = [sys.executable, "-m", "benchmarks.indexing", "--child", str(chunks), "--embedder", embedder]
        done = subprocess.run(command, cwd=PROJECT, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, help="how many chunks the long document has")
    parser.add_argument("--child", type=int)
    parser.add_argument("--embedder", choices=["real", "hash"], default="hash")
    options = parser.parse_args()
    if options.child:
        child(options.child, options.embedder)
        return
    long = options.sample or 10_000
    small, large, real = measured(100, "hash"), measured(long, "hash"), measured(min(300, long), "real")
    each_ms = 1000 * (large["wall_s"] - large["model_s"]) / large["chunks"]
    write(
        Figure(
            "time a chunk without the model",
            round(each_ms, 2),
            "ms",
            "≤ 10",
            each_ms <= 10,
            f"{large['chunks']:.0f} chunks, hash embedder",
        )
    )
    share = 100 * real["model_s"] / real["wall_s"]
    write(
        Figure(
            "the model's share of reading",
            round(share, 1),
            "%",
            "≥ 85",
            share >= 85,
            f"{real['chunks']:.0f} chunks, {real['wall_s']:.0f} s, token counting is model time",
        )
    )
    grown = large["peak_mib"] / small["peak_mib"]
    write(
        Figure(
            "peak memory, long against short",
            round(grown, 2),
            "×",
            "≤ 1.5",
            grown <= 1.5,
            f"{large['peak_mib']:.0f} MiB at {large['chunks']:.0f} chunks, {small['peak_mib']:.0f} MiB at {small['chunks']:.0f}",
        )
    )


if __name__ == "__main__":
    main()

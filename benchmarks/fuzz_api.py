"""Goal R4: ten thousand odd requests made from the OpenAPI description, counted by how they were answered; none may get a 500.

The server runs inside this process over a PostgreSQL of its own in a temporary folder, with a small world of one of everything.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.measure import Figure, say, write

REQUESTS = 10_000
ASKED_SHARE = 20  # one in so many is a question or a search
SHOWN = 20


@contextmanager
def small_world(folder: Path) -> Iterator[Any]:
    """Migrated, filled, and the server's tools bound to it."""
    os.environ["TRELLIS_DATA_DIR"] = str(folder / "var")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connections
    from django.test.utils import setup_test_environment

    from config.databases import django_database
    from config.embedded.postgres import PostgresEngine
    from config.pages import collect_static

    collect_static()
    engine = PostgresEngine(folder / "postgres", profile="test")
    engine.start()
    try:
        connections["default"].settings_dict.update(django_database(engine.url, pool_size=8))
        setup_test_environment()
        call_command("migrate", verbosity=0)
        yield filled(folder)
    finally:
        connections.close_all()
        connections["default"].close_pool()  # type: ignore[attr-defined]
        engine.stop()


def filled(folder: Path) -> Any:
    from django.conf import settings

    from knowledge import tools as reading
    from retrieval import tools as asking
    from tests.api.world import make_world
    from tests.factories import make_tools

    settings.AXES_ENABLED = False
    world = make_world(folder / "world")
    used = make_tools()
    reading.bind(lambda: world.corpus.tools)
    asking.bind(lambda: used)
    return world


def main() -> int:
    """1 when there was an answer of 500."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=REQUESTS, help="how many requests")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    asked = options.sample // ASKED_SHARE
    with tempfile.TemporaryDirectory(prefix="trellis-fuzz-") as folder, small_world(Path(folder)) as world:
        from tests.api.fuzzed import ASKING, answers, answers_of_questions, broken, fuzzer_for

        say(f"{asked} questions and searches, {options.sample - asked} other requests")
        answered = answers_of_questions(world, fuzzer_for(world, seed=options.seed, only=ASKING).requests(asked))
        others = fuzzer_for(world, seed=options.seed, without=ASKING).requests(options.sample - asked)
        answered += answers(world, others)
        found = broken(answered)
    for request in found[:SHOWN]:
        say(f"500: {request.method} {request.path} {request.content_type} {request.body[:200]!r}")
    good = sum(status < 300 for _request, status in answered)
    note = f"{len(answered)} requests, seed {options.seed}, {asked} of them questions and searches; {good} were let through (2xx)"
    write(Figure("answers of 500", len(found), "answers", goal="0", met=not found, note=note))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

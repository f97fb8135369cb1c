"""What only PostgreSQL asks of its engine: leftovers of a cut-short start, another release's data, writers at the moment of death."""

import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import psycopg
import pytest

from common.errors import EngineUnavailable
from config.embedded.postgres import PostgresEngine
from config.embedded.state import read_state

pytestmark = pytest.mark.engine


@pytest.fixture(scope="module")
def postgres_alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgresEngine]:
    engine = PostgresEngine(tmp_path_factory.mktemp("alone"))
    engine.start()
    yield engine
    engine.stop()


@pytest.fixture
def engine(postgres_alone: PostgresEngine) -> PostgresEngine:
    postgres_alone.start()
    return postgres_alone


def test_a_pid_file_whose_number_another_process_has_does_not_block_it(engine: PostgresEngine) -> None:
    engine.stop()
    (engine.cluster / "postmaster.pid").write_text(f"{os.getpid()}\n{engine.cluster}\n1\n{engine.port}\n\n127.0.0.1\n")
    engine.start()
    assert engine.is_ready()


def test_a_cluster_whose_making_was_cut_short_is_made_anew(tmp_path: Path) -> None:
    engine = PostgresEngine(tmp_path, profile="test")
    (engine.folder / "fresh").mkdir(parents=True)
    (engine.folder / "fresh" / "half").write_text("")
    engine.cluster.mkdir()
    engine.start()
    try:
        assert engine.is_ready()
    finally:
        engine.stop()


def test_data_of_another_major_release_is_refused_with_what_to_do(tmp_path: Path) -> None:
    engine = PostgresEngine(tmp_path)
    engine.cluster.mkdir(parents=True)
    (engine.cluster / "PG_VERSION").write_text("14\n")
    with pytest.raises(EngineUnavailable, match=r"PostgreSQL 14.*pg_dump"):
        engine.start()


def test_nothing_that_was_acknowledged_is_lost_when_it_is_killed_while_writing(engine: PostgresEngine) -> None:
    acknowledged: list[int] = []

    def write() -> None:
        with suppress(psycopg.OperationalError), psycopg.connect(engine.url, autocommit=True) as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS ledger (number int)")
            for number in range(100_000):
                connection.execute("INSERT INTO ledger VALUES (%s)", [number])
                acknowledged.append(number)

    writer = threading.Thread(target=write)
    writer.start()
    while len(acknowledged) < 200:
        assert writer.is_alive()
    state = read_state(engine.data, "postgres")
    assert state
    psutil.Process(state.pid).kill()
    writer.join()

    engine.start()
    with psycopg.connect(engine.url) as connection:
        stored = {row[0] for row in connection.execute("SELECT number FROM ledger").fetchall()}
    assert set(acknowledged) <= stored
    assert len(stored) <= len(acknowledged) + 1


def test_it_has_the_extension_and_sorts_by_code_point(engine: PostgresEngine) -> None:
    with psycopg.connect(engine.url) as connection:
        version = connection.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchall()[0][0]
        words = connection.execute(
            "SELECT array_agg(w ORDER BY w) FROM unnest(ARRAY['b', 'B', 'é', '中']) w"
        ).fetchall()
    assert tuple(map(int, version.split("."))) >= (0, 8, 4)
    assert words[0][0] == ["B", "b", "é", "中"]


def test_it_does_not_run_as_root(engine: PostgresEngine) -> None:
    state = read_state(engine.data, "postgres")
    assert state
    assert psutil.Process(state.pid).uids().effective != 0

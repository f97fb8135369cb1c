"""What all embedded engines have from their base: who starts and stops the server, and what becomes of files that say nothing true. Asked of PostgreSQL, which has leftovers of its own, and of Valkey."""

import subprocess
import sys
from collections.abc import Iterator

import psutil
import pytest

from config.conf import PROJECT
from config.embedded.engine import Engine
from config.embedded.sharing import engines_in_use
from config.embedded.state import RunState, state_file, write_state
from tests.engines.engine_cases import EngineCase, PostgresCase, ValkeyCase, kill, pid_of

pytestmark = pytest.mark.engine


@pytest.fixture(scope="module", params=[PostgresCase(), ValkeyCase()], ids=lambda case: case.name)
def case(request: pytest.FixtureRequest) -> EngineCase:
    made: EngineCase = request.param
    return made


@pytest.fixture(scope="module")
def one(case: EngineCase, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """One engine with something kept in it; its data stays from test to test."""
    engine = case.make(tmp_path_factory.mktemp(case.name) / "our data, 100% 资料")
    engine.start()
    case.keep(engine)
    yield engine
    engine.stop()


@pytest.fixture
def engine(one: Engine) -> Engine:
    """The engine, running."""
    one.start()
    return one


def in_another_process(engine: Engine, body: str) -> "subprocess.Popen[str]":
    """Runs `body` with the same engine in a Python of its own."""
    source = f"""
from pathlib import Path
from config.embedded.sharing import engines_in_use
from config.embedded.state import read_state
from {type(engine).__module__} import {type(engine).__name__}
engine = {type(engine).__name__}(Path({str(engine.data)!r}))
{body}
"""
    return subprocess.Popen([sys.executable, "-c", source], cwd=PROJECT, stdout=subprocess.PIPE, text=True)


def test_another_process_that_got_its_number_is_left_alone(engine: Engine, case: EngineCase) -> None:
    kill(engine)
    stranger = psutil.Process()
    write_state(engine.data, engine.name, RunState(stranger.pid, stranger.create_time() - 1000, engine.ports))

    engine.start()
    assert pid_of(engine) != stranger.pid
    assert case.kept(engine)


def test_a_server_that_was_lost_sight_of_does_not_get_a_second_one_beside_it(engine: Engine, case: EngineCase) -> None:
    lost = psutil.Process(pid_of(engine))
    state_file(engine.data, engine.name).unlink()

    engine.start()
    assert not lost.is_running() or lost.status() == psutil.STATUS_ZOMBIE
    assert case.kept(engine)


def test_a_damaged_state_file_counts_as_none(engine: Engine, case: EngineCase) -> None:
    state_file(engine.data, engine.name).write_text('{"pid": ')
    engine.start()
    assert case.kept(engine)


def test_the_last_user_stops_it_and_no_other(one: Engine, case: EngineCase) -> None:
    one.stop()
    with engines_in_use([one]):
        with engines_in_use([case.make(one.data)]):
            assert one.is_ready()
        assert one.is_ready()
    assert not one.is_alive()


def test_a_user_that_was_killed_does_not_count(one: Engine) -> None:
    one.stop()
    user = in_another_process(one, "with engines_in_use([engine]):\n    print('in', flush=True)\n    time.sleep(600)")
    assert user.stdout
    assert user.stdout.readline() == "in\n"
    user.kill()
    user.communicate()
    assert one.is_alive()

    with engines_in_use([one]):
        pass
    assert not one.is_alive()


def test_two_that_start_it_at_once_get_one_server(one: Engine) -> None:
    one.stop()
    body = "engine.start(); print(read_state(engine.data, engine.name).pid)"
    racers = [in_another_process(one, body) for _ in range(2)]
    told = {racer.communicate()[0] for racer in racers}
    assert told == {f"{pid_of(one)}\n"}

"""One contract for every embedded engine; each is really started, killed and started again."""

import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from config.conf import PROJECT
from config.embedded.engine import Engine
from config.embedded.sharing import engines_in_use
from config.embedded.state import RunState, read_state, state_file, write_state
from tests.engines.engine_cases import CASES, EngineCase

pytestmark = pytest.mark.engine


@pytest.fixture(scope="module", params=CASES, ids=lambda case: case.name)
def case(request: pytest.FixtureRequest) -> EngineCase:
    made: EngineCase = request.param
    return made


@pytest.fixture(scope="module")
def one(case: EngineCase, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """One engine for all tests of the contract; its data stays from test to test, as in life."""
    engine = case.make(tmp_path_factory.mktemp(case.name) / "our data, 100% 资料")
    yield engine
    engine.stop()


@pytest.fixture
def engine(one: Engine) -> Engine:
    """The engine, running."""
    one.start()
    return one


def pid_of(engine: Engine) -> int:
    state = read_state(engine.data, engine.name)
    assert state
    return state.pid


def kill(engine: Engine) -> None:
    process = psutil.Process(pid_of(engine))
    process.kill()
    wait_until(lambda: not engine.is_alive())


def wait_until(holds: Callable[[], bool], limit_s: float = 20) -> None:
    until = time.monotonic() + limit_s
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.02)


def in_another_process(engine: Engine, body: str) -> "subprocess.Popen[str]":
    """Runs `body` with the same engine in a Python of its own."""
    source = f"""
import sys, time
from pathlib import Path
from config.embedded.sharing import engines_in_use
from config.embedded.state import read_state
from tests.engines.engine_cases import CASES
engine = next(case for case in CASES if case.name == {engine.name!r}).make(Path({str(engine.data)!r}))
{body}
"""
    return subprocess.Popen([sys.executable, "-c", source], cwd=PROJECT, stdout=subprocess.PIPE, text=True)


def test_it_starts_and_answers_with_its_password(engine: Engine, case: EngineCase) -> None:
    assert engine.is_ready()
    case.keep(engine)
    assert case.kept(engine)


@pytest.mark.parametrize("password", ["", "wrong"])
def test_nobody_gets_in_without_the_password(engine: Engine, case: EngineCase, password: str) -> None:
    assert case.lets_in(engine, engine.password)
    assert not case.lets_in(engine, password)


def test_it_listens_on_loopback_only(engine: Engine) -> None:
    family = [psutil.Process(pid_of(engine)), *psutil.Process(pid_of(engine)).children(recursive=True)]
    open_ports = {
        connection.laddr
        for process in family
        for connection in process.net_connections("inet")
        if connection.status == psutil.CONN_LISTEN
    }
    assert {address.port for address in open_ports} == set(engine.ports)
    assert {address.ip for address in open_ports} <= {"127.0.0.1", "::ffff:127.0.0.1"}


def test_its_secrets_and_folders_are_for_the_owner_only(engine: Engine) -> None:
    for path in (engine.data / "secrets").iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for folder in ("secrets", "run", "log", engine.name):
        assert stat.S_IMODE((engine.data / folder).stat().st_mode) == 0o700


def test_the_password_does_not_show_among_the_processes(engine: Engine) -> None:
    assert engine.password not in " ".join(psutil.Process(pid_of(engine)).cmdline())


def test_a_second_start_finds_the_same_server(engine: Engine, case: EngineCase) -> None:
    before = pid_of(engine)
    case.make(engine.data).start()
    assert pid_of(engine) == before


def test_killed_and_started_again_it_has_its_data_and_its_address(engine: Engine, case: EngineCase) -> None:
    case.keep(engine)
    address = engine.url
    kill(engine)
    assert not engine.is_ready()

    engine.start()
    assert engine.url == address
    assert case.kept(engine)


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


def test_a_taken_port_is_exchanged_for_a_free_one(engine: Engine, case: EngineCase) -> None:
    engine.stop()
    with socket.create_server(("127.0.0.1", engine.port)) as squatter:
        engine.start()
        assert engine.port != squatter.getsockname()[1]
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


def test_a_hung_server_can_be_stopped(engine: Engine) -> None:
    process = psutil.Process(pid_of(engine))
    os.kill(process.pid, signal.SIGSTOP)
    engine.stop()
    assert not engine.is_alive()
    assert [each for each in psutil.process_iter(["cwd"]) if lives_in(each, engine.folder)] == []


def lives_in(process: psutil.Process, folder: Path) -> bool:
    cwd = process.info["cwd"]
    return bool(cwd) and Path(cwd).is_relative_to(folder)

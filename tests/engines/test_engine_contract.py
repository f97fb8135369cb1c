"""One contract for every embedded engine; each is really started, killed and started again. What they have in common is in `test_engine_life_cycle.py`."""

import os
import signal
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from config.conf import engine_settings
from config.embedded.engine import Engine
from config.embedded.registry import embedded_engines
from config.engine_status import engine_statuses
from tests.engines.engine_cases import CASES, EngineCase, kill, pid_of

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


def test_it_starts_and_answers_with_its_password(engine: Engine, case: EngineCase) -> None:
    assert engine.is_ready()
    case.keep(engine)
    assert case.kept(engine)


def test_nobody_gets_in_without_the_password(engine: Engine, case: EngineCase) -> None:
    assert case.lets_in(engine, engine.password)
    assert not case.lets_in(engine, "")
    assert not case.lets_in(engine, "wrong")


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


def test_a_hung_server_can_be_stopped_and_a_taken_port_is_exchanged_for_a_free_one(
    engine: Engine, case: EngineCase
) -> None:
    os.kill(pid_of(engine), signal.SIGSTOP)
    engine.stop()
    assert not engine.is_alive()
    assert [each for each in psutil.process_iter(["cwd"]) if lives_in(each, engine.folder)] == []

    with socket.create_server(("127.0.0.1", engine.port)) as squatter:
        engine.start()
        assert engine.port != squatter.getsockname()[1]
        assert case.kept(engine)


def lives_in(process: psutil.Process, folder: Path) -> bool:
    cwd = process.info["cwd"]
    return bool(cwd) and Path(cwd).is_relative_to(folder)


@pytest.fixture
def elsewhere(engine: Engine, case: EngineCase, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    """The same server as one that is not ours, and the environment that names it."""
    for name, value in case.variables(engine).items():
        monkeypatch.setenv(name, value)
    engine_settings.cache_clear()
    yield engine
    engine_settings.cache_clear()


def test_named_by_its_address_it_replaces_the_embedded_one_and_its_state_is_told(
    elsewhere: Engine, tmp_path: Path
) -> None:
    assert elsewhere.name not in {engine.name for engine in embedded_engines(tmp_path)}

    told = next(status for status in engine_statuses(tmp_path) if status.name == elsewhere.name)
    assert (told.kind, told.ready) == ("external", True)
    assert told.version
    assert str(elsewhere.port) in told.url
    assert elsewhere.password not in told.url

    elsewhere.stop()
    told = next(status for status in engine_statuses(tmp_path) if status.name == elsewhere.name)
    assert (told.kind, told.ready) == ("external", False)

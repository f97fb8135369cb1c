"""Which embedded engines there are, less those that a URL replaces."""

from collections.abc import Collection
from pathlib import Path

from config.conf import EngineSettings, engine_settings
from config.embedded.embedder import EmbedderEngine
from config.embedded.engine import Engine
from config.embedded.graph import GraphEngine
from config.embedded.llama import LlamaEngine
from config.embedded.postgres import PostgresEngine
from config.embedded.valkey import ValkeyEngine

ALL_ENGINES = ("postgres", "valkey", "graph", "embedder", "llama")


def embedded_engines(data: Path, names: Collection[str] = ALL_ENGINES, gguf: Path | None = None) -> list[Engine]:
    """The engines of these names that we run ourselves; the model only with a GGUF file."""
    settings = engine_settings()
    file = gguf or settings.gguf
    engines: list[Engine] = [PostgresEngine(data), ValkeyEngine(data), GraphEngine(data), EmbedderEngine(data)]
    if file:
        engines.append(LlamaEngine(data, file.expanduser().resolve()))
    return [engine for engine in engines if engine.name in names and not is_replaced(engine.name, settings)]


def is_replaced(name: str, settings: EngineSettings) -> bool:
    """Whether the environment names another server for this engine."""
    urls = {
        "postgres": settings.database_url,
        "valkey": settings.redis_url,
        "graph": settings.neo4j_uri,
        "embedder": settings.embedding_base_url,
        "llama": settings.llm_base_url,
    }
    return urls[name] is not None

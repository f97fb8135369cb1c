"""What a command needs is known before Django has read its settings."""

from pathlib import Path

import pytest

from config.conf import EngineSettings
from config.embedded.needs import engines_needed, gguf_named
from config.embedded.registry import ALL_ENGINES, is_replaced


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--version"],
        ["help"],
        ["status", "--json"],
        ["down"],
        ["collectstatic"],
        ["ask", "--help"],
        ["evaluate", "extraction"],
    ],
)
def test_these_start_no_engine(arguments: list[str]) -> None:
    assert engines_needed(arguments) == ()


@pytest.mark.parametrize("command", ["migrate", "createsuperuser", "shell", "text", "makemigrations"])
def test_rows_need_the_database_only(command: str) -> None:
    assert engines_needed([command]) == ("postgres",)


@pytest.mark.parametrize("command", ["search", "ask", "ingest", "evaluate"])
def test_questions_and_reading_need_the_embedder_too(command: str) -> None:
    assert {"postgres", "embedder"} <= set(engines_needed([command, "something"]))


def test_extraction_by_a_model_needs_what_reading_needs() -> None:
    assert "llama" in engines_needed(["evaluate", "extraction", "--extractor", "model"])


def test_the_server_needs_them_all() -> None:
    assert engines_needed(["up"]) == ALL_ENGINES


@pytest.mark.parametrize(
    ("arguments", "file"),
    [
        (["up", "--gguf", "a.gguf"], Path("a.gguf")),
        (["up", "--demo", "--gguf=a.gguf", "--port", "1"], Path("a.gguf")),
        (["up"], None),
        (["ask", "--gguf", "a.gguf"], None),
    ],
)
def test_the_model_file_is_read_from_the_arguments(arguments: list[str], file: Path | None) -> None:
    assert gguf_named(arguments) == file


@pytest.mark.parametrize(
    ("variable", "url", "engine"),
    [
        ("DATABASE_URL", "postgresql://db/trellis", "postgres"),
        ("REDIS_URL", "redis://queue", "valkey"),
        ("NEO4J_URI", "neo4j+s://graph", "graph"),
        ("EMBEDDING_BASE_URL", "http://gpu/v1", "embedder"),
        ("LLM_BASE_URL", "http://gpu/v1", "llama"),
    ],
)
def test_each_address_replaces_its_engine_and_no_other(variable: str, url: str, engine: str) -> None:
    settings = EngineSettings.model_validate({variable: url})
    assert [name for name in ALL_ENGINES if is_replaced(name, settings)] == [engine]

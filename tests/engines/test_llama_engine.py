"""What only the model asks of its engine: which file it serves, and files that are no model."""

from pathlib import Path

import pytest

from common.errors import EngineUnavailable
from config.embedded.llama import LlamaEngine
from tests.engines.engine_cases import LlamaCase

pytestmark = pytest.mark.engine


def test_it_knows_when_the_running_server_has_another_file(tmp_path: Path) -> None:
    engine = LlamaCase().make(tmp_path)
    assert isinstance(engine, LlamaEngine)
    engine.start()
    try:
        assert not engine.serves_another()
        assert LlamaEngine(tmp_path, tmp_path / "other.gguf").serves_another()
    finally:
        engine.stop()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 a zip"])
def test_a_file_that_is_no_model_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(content)
    with pytest.raises(EngineUnavailable, match="not a GGUF file"):
        LlamaEngine(tmp_path, file).start()


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EngineUnavailable, match=r"missing\.gguf"):
        LlamaEngine(tmp_path, tmp_path / "missing.gguf").start()

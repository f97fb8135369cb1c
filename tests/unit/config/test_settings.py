"""A setting that can't be used stops the process and names its variable; one that is left empty is as if it weren't there."""

from pathlib import Path

import pytest

from common.conf import load_settings
from common.errors import Misconfigured
from config.conf import PROJECT, EngineSettings, ServerSettings


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TRELLIS_PORT", "0"),
        ("TRELLIS_PORT", "65536"),
        ("TRELLIS_PORT", "eighty"),
        ("TRELLIS_DEBUG", "perhaps"),
        ("TRELLIS_LOG_LEVEL", "LOUD"),
        ("TRELLIS_WEB_WORKERS", "0"),
        ("PUBLIC_URL", "example.com"),
        ("PUBLIC_URL", "ftp://example.com"),
    ],
)
def test_a_bad_server_setting_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(Misconfigured, match=name):
        load_settings(ServerSettings)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "mysql://db/trellis"),
        ("DATABASE_URL", "postgresql://"),
        ("DATABASE_URL", "postgresql://db:99999/trellis"),
        ("REDIS_URL", "localhost:6379"),
        ("NEO4J_URI", "http://graph:7474"),
        ("LLM_BASE_URL", "engine/v1"),
        ("EMBEDDING_BASE_URL", "https://"),
    ],
)
def test_a_bad_engine_address_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(Misconfigured, match=name):
        load_settings(EngineSettings)


def test_the_refusal_does_not_tell_a_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "mysql://me:hush@db/trellis")
    with pytest.raises(Misconfigured) as refusal:
        load_settings(EngineSettings)
    assert "hush" not in str(refusal.value)


def test_an_empty_variable_counts_as_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "")
    monkeypatch.setenv("TRELLIS_PORT", "")
    assert load_settings(EngineSettings).database_url is None
    assert load_settings(ServerSettings).port == 8000


@pytest.mark.parametrize(("given", "meant"), [("var", PROJECT / "var"), ("/srv/trellis", Path("/srv/trellis"))])
def test_the_data_folder_is_relative_to_the_project(monkeypatch: pytest.MonkeyPatch, given: str, meant: Path) -> None:
    monkeypatch.setenv("TRELLIS_DATA_DIR", given)
    assert load_settings(ServerSettings).data == meant


def test_every_setting_says_what_it_is_for() -> None:
    for kind in (ServerSettings, EngineSettings):
        assert [name for name, field in kind.model_fields.items() if not field.description] == []

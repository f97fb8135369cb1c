"""What the operator may set about the server and its engines, read once from the environment.

A bad value stops the process and names the variable. Each package keeps its own settings in its own `conf.py`; `common.conf` reads them all the same way.
"""

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from common.conf import load_settings

PROJECT = Path(__file__).resolve().parent.parent


def _url_of(*schemes: str) -> AfterValidator:
    def check(value: str) -> str:
        parts = urlsplit(value)
        _ = parts.port  # raises for one that is no port
        if parts.scheme not in schemes or not parts.hostname:
            raise ValueError(
                f"should be a URL that begins with {' or '.join(f'{scheme}://' for scheme in schemes)} and names a host"
            )
        return value.rstrip("/")

    return AfterValidator(check)


HttpUrl = Annotated[str, _url_of("http", "https")]


class ServerSettings(BaseSettings):
    """Where the server keeps its data, where it listens, and how the outside sees it."""

    model_config = SettingsConfigDict(frozen=True, env_ignore_empty=True, extra="ignore")

    data_dir: Path = Field(
        Path("var"),
        validation_alias="TRELLIS_DATA_DIR",
        description="Folder for everything that is kept; relative to the project.",
    )
    host: str = Field(
        "127.0.0.1",
        validation_alias="TRELLIS_HOST",
        min_length=1,
        description="Address that the web server listens on.",
    )
    port: int = Field(
        8000, validation_alias="TRELLIS_PORT", ge=1, le=65535, description="Port that the web server listens on."
    )
    public_url: HttpUrl | None = Field(
        None,
        validation_alias="PUBLIC_URL",
        description="Address that people type, when a proxy stands before the server; may have a path.",
    )
    secret_key: SecretStr | None = Field(
        None,
        validation_alias="TRELLIS_SECRET_KEY",
        description="Signs sessions; made and kept in a file when not given.",
    )
    secret_key_file: Path | None = Field(
        None, validation_alias="TRELLIS_SECRET_KEY_FILE", description="File that holds the secret key."
    )
    debug: bool = Field(
        False, validation_alias="TRELLIS_DEBUG", description="Shows faults to the browser; only for work on the code."
    )
    log_level: str = Field(
        "INFO",
        validation_alias="TRELLIS_LOG_LEVEL",
        pattern="^(DEBUG|INFO|WARNING|ERROR)$",
        description="Least important level that is logged.",
    )
    web_workers: int = Field(
        1, validation_alias="TRELLIS_WEB_WORKERS", ge=1, le=64, description="Web server processes."
    )
    indexing_workers: int = Field(
        2, validation_alias="TRELLIS_INDEXING_WORKERS", ge=1, le=64, description="Processes that read documents."
    )
    short_workers: int = Field(
        2, validation_alias="TRELLIS_SHORT_WORKERS", ge=1, le=64, description="Processes for short tasks."
    )

    time_zone: str = Field(
        "UTC", validation_alias="TRELLIS_TIME_ZONE", description="Zone that times are shown in, such as Asia/Shanghai."
    )
    hosts: str = Field(
        "", validation_alias="TRELLIS_HOSTS", description="Further host names that the server answers to, with commas."
    )
    database_pool: int = Field(
        8, validation_alias="TRELLIS_DATABASE_POOL", ge=2, le=64, description="Database connections of one process."
    )
    oidc_name: str = Field("", validation_alias="OIDC_NAME", description="Name of the sign-in service on its button.")
    oidc_url: HttpUrl | None = Field(
        None,
        validation_alias="OIDC_URL",
        description="OpenID Connect issuer that people may sign in with: whom we know by an address that it vouches for. It sends them back to /accounts/oidc/oidc/login/callback/ on our address, which has to be registered there.",
    )
    oidc_client_id: str = Field("", validation_alias="OIDC_CLIENT_ID", description="Our name at that issuer.")
    oidc_client_secret: SecretStr = Field(
        SecretStr(""), validation_alias="OIDC_CLIENT_SECRET", description="Our secret at that issuer."
    )

    @property
    def sub_path(self) -> str:
        """The path of the public URL without a slash at its end; empty at the root."""
        return urlsplit(self.public_url or "").path.rstrip("/")

    @property
    def is_https(self) -> bool:
        return (self.public_url or "").startswith("https://")

    @property
    def allowed_hosts(self) -> list[str]:
        """Host names that requests may carry."""
        names = [name.strip() for name in self.hosts.split(",") if name.strip()]
        public = urlsplit(self.public_url or "").hostname
        listening = [] if self.host in ("0.0.0.0", "::") else [self.host]  # noqa: S104 (compared, not bound)
        return ["127.0.0.1", "localhost", "[::1]", *listening, *([public] if public else []), *names]

    @property
    def trusted_origins(self) -> list[str]:
        """Origins whose forms are accepted behind a proxy."""
        parts = urlsplit(self.public_url or "")
        return [f"{parts.scheme}://{parts.netloc}"] if parts.netloc else []

    @property
    def data(self) -> Path:
        """The data folder as an absolute path."""
        return (PROJECT / self.data_dir.expanduser()).resolve()


class EngineSettings(BaseSettings):
    """Engines that are used instead of the embedded ones. Each is replaced by itself."""

    model_config = SettingsConfigDict(frozen=True, env_ignore_empty=True, extra="ignore")

    database_url: Annotated[str, _url_of("postgresql", "postgres")] | None = Field(
        None, validation_alias="DATABASE_URL", description="PostgreSQL 15 or newer with pgvector 0.8.4 or newer."
    )
    redis_url: Annotated[str, _url_of("redis", "rediss", "valkey", "valkeys")] | None = Field(
        None, validation_alias="REDIS_URL", description="Redis or Valkey: queue, counters and limits."
    )
    neo4j_uri: Annotated[str, _url_of("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")] | None = Field(
        None, validation_alias="NEO4J_URI", description="Neo4j 5.26 or newer."
    )
    neo4j_user: str = Field("neo4j", validation_alias="NEO4J_USER", min_length=1, description="User at Neo4j.")
    neo4j_password: SecretStr = Field(
        SecretStr(""), validation_alias="NEO4J_PASSWORD", description="Password at Neo4j."
    )
    llm_base_url: HttpUrl | None = Field(
        None, validation_alias="LLM_BASE_URL", description="OpenAI-compatible engine, with its /v1."
    )
    llm_api_key: SecretStr = Field(SecretStr(""), validation_alias="LLM_API_KEY", description="Key for that engine.")
    llm_model: str = Field(
        "", validation_alias="LLM_MODEL", description="Model to ask for there; its first one when not given."
    )
    gguf: Path | None = Field(
        None, validation_alias="TRELLIS_GGUF", description="GGUF file that an embedded llama.cpp serves."
    )
    embedding_base_url: HttpUrl | None = Field(
        None, validation_alias="EMBEDDING_BASE_URL", description="OpenAI-compatible embedding server, with its /v1."
    )
    embedding_api_key: SecretStr = Field(
        SecretStr(""), validation_alias="EMBEDDING_API_KEY", description="Key for that server."
    )


@cache
def server_settings() -> ServerSettings:
    """The server's settings, read once."""
    return load_settings(ServerSettings)


@cache
def engine_settings() -> EngineSettings:
    """The engines' settings, read once."""
    return load_settings(EngineSettings)


def environment_with(extra: Mapping[str, str]) -> dict[str, str]:
    """Our environment for a program that we start, with a few variables of its own."""
    return {**os.environ, **extra}

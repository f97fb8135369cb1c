"""What the operator may set about reading documents, read once from the environment."""

from functools import cache

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from common.conf import load_settings


class KnowledgeSettings(BaseSettings):
    """Limits of files, sizes of chunks, and how work is shared between workers."""

    model_config = SettingsConfigDict(frozen=True, env_ignore_empty=True, extra="ignore")

    file_mb: int = Field(
        300, validation_alias="TRELLIS_FILE_MB", ge=1, le=10_000, description="Largest file that is read, in MB."
    )
    unpacked_mb: int = Field(
        2000,
        validation_alias="TRELLIS_UNPACKED_MB",
        ge=1,
        le=100_000,
        description="Most that an archive may unpack to.",
    )
    chunk_tokens: int = Field(
        256, validation_alias="TRELLIS_CHUNK_TOKENS", ge=16, le=8000, description="Size that chunks aim at, in tokens."
    )
    chunk_max_tokens: int = Field(
        480, validation_alias="TRELLIS_CHUNK_MAX_TOKENS", ge=64, le=8000, description="Largest chunk, in tokens."
    )
    chunk_overlap: float = Field(
        0.12,
        validation_alias="TRELLIS_CHUNK_OVERLAP",
        ge=0,
        le=0.5,
        description="Share of a chunk that is said again in the next.",
    )
    bin_days: int = Field(
        30,
        validation_alias="TRELLIS_BIN_DAYS",
        ge=1,
        le=3650,
        description="Days after which a binned document is deleted for good.",
    )
    lease_s: float = Field(
        60,
        validation_alias="TRELLIS_LEASE_S",
        ge=1,
        le=3600,
        description="Seconds without a sign of life after which a worker's stage is given to another.",
    )
    heartbeat_s: float = Field(
        5,
        validation_alias="TRELLIS_HEARTBEAT_S",
        ge=0.1,
        le=600,
        description="Seconds between two signs of life of a stage.",
    )
    attempts: int = Field(
        3,
        validation_alias="TRELLIS_ATTEMPTS",
        ge=1,
        le=100,
        description="Workers that may vanish at one spot of a document before it counts as failed.",
    )
    job_tokens: int = Field(
        0,
        validation_alias="TRELLIS_JOB_TOKENS",
        ge=0,
        le=1_000_000_000_000,
        description="Tokens of models that one job may use before it stops and says so; 0 is no limit.",
    )
    worker_memory_mb: int = Field(
        2000,
        validation_alias="TRELLIS_WORKER_MEMORY_MB",
        ge=200,
        le=1_000_000,
        description="Memory that one reading process may use.",
    )
    sweep_s: float = Field(
        30,
        validation_alias="TRELLIS_SWEEP_S",
        ge=1,
        le=3600,
        description="Seconds between two looks for work that the queue has lost.",
    )


@cache
def knowledge_settings() -> KnowledgeSettings:
    """The settings of reading, read once."""
    return load_settings(KnowledgeSettings)

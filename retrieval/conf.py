"""What the operator may set about answering. Times are upper limits in seconds; a part that is slower is left out and the answer says so."""

from functools import cache

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from common.conf import load_settings


class RetrievalSettings(BaseSettings):
    """Limits of one question, and how much an answerer may read."""

    model_config = SettingsConfigDict(frozen=True, env_ignore_empty=True, extra="ignore")

    answer_limit_s: float = Field(
        30, validation_alias="TRELLIS_ANSWER_LIMIT_S", gt=0, le=600, description="Seconds a whole question may take."
    )
    embed_limit_s: float = Field(
        3, validation_alias="TRELLIS_EMBED_LIMIT_S", gt=0, le=60, description="Seconds for embedding the question."
    )
    arm_limit_s: float = Field(
        3, validation_alias="TRELLIS_ARM_LIMIT_S", gt=0, le=60, description="Seconds for each arm of the search."
    )
    pack_limit_s: float = Field(
        3, validation_alias="TRELLIS_PACK_LIMIT_S", gt=0, le=60, description="Seconds for reading what was found."
    )
    generate_limit_s: float = Field(
        20,
        validation_alias="TRELLIS_GENERATE_LIMIT_S",
        gt=0,
        le=300,
        description="Seconds that a model may be silent, before its first word and between two.",
    )
    prompt_tokens: int = Field(
        1500,
        validation_alias="TRELLIS_PROMPT_TOKENS",
        ge=300,
        le=100_000,
        description="Most tokens of a prompt; a tenth of it stays in reserve.",
    )
    answer_tokens: int = Field(
        400, validation_alias="TRELLIS_ANSWER_TOKENS", ge=50, le=8000, description="Most tokens of an answer."
    )
    question_characters: int = Field(
        2000,
        validation_alias="TRELLIS_QUESTION_CHARACTERS",
        ge=100,
        le=100_000,
        description="Longest question in characters.",
    )
    question_pool: int = Field(
        8, validation_alias="TRELLIS_QUESTION_POOL", ge=1, le=64, description="Database connections for questions."
    )


@cache
def retrieval_settings() -> RetrievalSettings:
    """The settings, read once."""
    return load_settings(RetrievalSettings)

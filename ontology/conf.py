"""What the operator may set about knowing things, read once from the environment."""

from functools import cache

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from common.conf import load_settings

RELATION_TYPES_ADVISED = 8
"""More types than these and people, rules and models begin to take one for another."""


class OntologySettings(BaseSettings):
    """Bounds of the skeleton, and how a model reads."""

    model_config = SettingsConfigDict(frozen=True, env_ignore_empty=True, extra="ignore")

    relation_types_max: int = Field(
        RELATION_TYPES_ADVISED,
        validation_alias="TRELLIS_RELATION_TYPES_MAX",
        ge=1,
        le=100,
        description="Relation types that a skeleton may have; above eight it is warned that they get mixed up.",
    )
    extract_in_flight: int = Field(
        32,
        validation_alias="TRELLIS_EXTRACT_IN_FLIGHT",
        ge=1,
        le=1024,
        description="Passages that a worker has a model read at the same time; fewer by itself while the engine can't keep up.",
    )
    extract_answer_tokens: int = Field(
        1500,
        validation_alias="TRELLIS_EXTRACT_ANSWER_TOKENS",
        ge=128,
        le=32_000,
        description="Longest answer about one passage in tokens.",
    )
    extract_call_s: float = Field(
        180,
        validation_alias="TRELLIS_EXTRACT_CALL_S",
        gt=0,
        le=3600,
        description="Seconds that a model may take for one passage.",
    )


@cache
def ontology_settings() -> OntologySettings:
    """The settings of the ontology, read once."""
    return load_settings(OntologySettings)

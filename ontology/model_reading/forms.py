"""The ways in which an engine can be held to JSON, the strictest first, and which of them this engine knows."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Form(StrEnum):
    """How the form of the answer is asked for."""

    SCHEMA = "json_schema"
    OBJECT = "json_object"
    WORDS = "text"

    @property
    def looser(self) -> "Form":
        """The next way; after the last comes the last."""
        return {Form.SCHEMA: Form.OBJECT, Form.OBJECT: Form.WORDS, Form.WORDS: Form.WORDS}[self]

    def asked_for(self, schema: Mapping[str, Any]) -> dict[str, Any] | None:
        """`response_format` of the request."""
        match self:
            case Form.SCHEMA:
                return {"type": "json_schema", "json_schema": {"name": "facts", "schema": schema, "strict": True}}
            case Form.OBJECT:
                return {"type": "json_object"}
            case Form.WORDS:
                return None


@dataclass(slots=True)
class KnownForm:
    """What is known of one engine: a form that it has refused is not asked for again, once a looser one was taken for the same text."""

    form: Form = Form.SCHEMA

    def took(self, form: Form, *, after_refusal: bool) -> None:
        if after_refusal:
            self.form = form

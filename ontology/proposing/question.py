"""What a model is asked about drafts: to join those that mean one kind of thing, to name them in both languages, to say what they are and of which type values are. Given drafts; gives messages and the form of the answer."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.template.loader import render_to_string

from common.text import language_of
from inference.types import ChatMessage
from ontology.proposing.drafts import Draft
from ontology.skeleton.model_schema import form, listed, one_of

TYPES = ("text", "integer", "number", "boolean", "date")
EXAMPLES = 3
CLASSES_MAX, ATTRIBUTES_MAX, JOINED_MAX = 20, 40, 6
NAME = {"type": "string", "minLength": 1, "maxLength": 60}
LABEL = {"type": "string", "maxLength": 80}
DESCRIPTION = {"type": "string", "maxLength": 300}
WORDS: Mapping[str, Any] = {
    "label_en": LABEL,
    "label_zh": LABEL,
    "description_en": DESCRIPTION,
    "description_zh": DESCRIPTION,
}


def messages_about(drafts: Sequence[Draft], class_names: Iterable[str]) -> tuple[ChatMessage, ...]:
    """In the language that most of the drafts are written in."""
    rows = [
        {
            "key": draft.key,
            "owner": draft.owner,
            "examples": draft.examples[:EXAMPLES],
            "attributes": []
            if draft.owner
            else [
                {
                    "key": f"{draft.name}.{name}",
                    "type": entry.get("type", "text"),
                    "examples": draft.values.get(name, ())[:EXAMPLES],
                }
                for name, entry in draft.declared.get("attributes", {}).items()
            ],
            "type": draft.declared.get("type", "text") if draft.owner else "",
        }
        for draft in drafts
    ]
    language = language_of(" ".join(" ".join((draft.name, *draft.examples)) for draft in drafts))
    told = render_to_string(f"prompts/propose_system_{language}.txt", {"known": list(class_names)}).strip()
    shown = render_to_string(f"prompts/propose_drafts_{language}.txt", {"drafts": rows}).strip()
    return ChatMessage("system", told), ChatMessage("user", shown)


def answer_schema(drafts: Sequence[Draft]) -> dict[str, Any]:
    """`{"classes": [{"drafts", "name", …words}], "attributes": [{"draft", "type", …words}]}`, with the drafts' own keys."""
    return form(
        classes=listed(class_forms(drafts), CLASSES_MAX), attributes=listed(attribute_forms(drafts), ATTRIBUTES_MAX)
    )


def class_forms(drafts: Sequence[Draft]) -> list[dict[str, Any]]:
    """The form of one class; none where no draft is one."""
    keys = [draft.key for draft in drafts if not draft.owner]
    joined = {"type": "array", "items": one_of(keys), "minItems": 1, "maxItems": JOINED_MAX}
    return [form(drafts=joined, name=NAME, **WORDS)] if keys else []


def attribute_forms(drafts: Sequence[Draft]) -> list[dict[str, Any]]:
    keys = attribute_keys(drafts)
    return [form(draft=one_of(keys), type=one_of(TYPES), **WORDS)] if keys else []


def attribute_keys(drafts: Sequence[Draft]) -> list[str]:
    """Of drafts that are attributes, and of the attributes of drafted classes."""
    inner = [
        f"{draft.name}.{name}" for draft in drafts if not draft.owner for name in draft.declared.get("attributes", {})
    ]
    return [draft.key for draft in drafts if draft.owner] + inner

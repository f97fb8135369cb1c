"""What a model is told before it reads a text: the task and the skeleton, in the text's language."""

from typing import Any

from django.template.loader import render_to_string

from common.text import Language
from ontology.types import AttributeType, CompiledSkeleton, Labels


def extraction_prompt(skeleton: CompiledSkeleton, language: Language) -> str:
    """The system message."""
    return render_to_string(
        f"prompts/extract_system_{language}.txt", {"skeleton": skeleton_section(skeleton, language)}
    ).strip()


def skeleton_section(skeleton: CompiledSkeleton, language: Language) -> str:
    """The classes and relations that there are, with their attributes."""
    classes = [
        {
            "name": each.name,
            "label": in_language(each.labels, language),
            "description": in_language(each.description, language),
            "attributes": [attribute_in_words(attribute, language) for attribute in each.attributes],
        }
        for each in skeleton.classes.values()
    ]
    relations = [
        {
            "name": each.name,
            "label": in_language(each.labels, language),
            "description": in_language(each.description, language),
            "sources": " | ".join(each.sources),
            "targets": " | ".join(each.targets),
            "attributes": [attribute_in_words(attribute, language) for attribute in each.attributes],
        }
        for each in skeleton.relations.values()
    ]
    return render_to_string(
        f"prompts/extract_skeleton_{language}.txt", {"classes": classes, "relations": relations}
    ).strip()


def attribute_in_words(attribute: AttributeType, language: Language) -> dict[str, Any]:
    """An attribute as the templates show it."""
    return {
        "name": attribute.name,
        "type": attribute.to_class or attribute.type.value,
        "unit": attribute.unit,
        "options": " | ".join(attribute.options),
        "label": in_language(attribute.labels, language),
        "description": in_language(attribute.description, language),
    }


def in_language(words: Labels, language: Language) -> str:
    """In this language, else in the other."""
    return words.get(language) or next(iter(words.values()), "")

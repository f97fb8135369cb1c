"""The fingerprint of a skeleton: equal for the same meaning, whatever the order, the comments, the quotes or the title of the text."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from ontology.types import EntityClass, RelationType


def fingerprint_of(classes: Mapping[str, EntityClass], relations: Mapping[str, RelationType]) -> str:
    """64 hexadecimal digits."""
    return hashed({"classes": meaning_of(classes), "relations": meaning_of(relations)})


def hashed(meaning: Any) -> str:
    """SHA-256 of its canonical JSON."""
    written = json.dumps(meaning, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()


def meaning_of(value: Any) -> Any:
    """JSON in which order means nothing: every list of a skeleton is a set of alternatives."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: meaning_of(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: meaning_of(each) for key, each in value.items()}
    if isinstance(value, re.Pattern):
        return value.pattern
    if isinstance(value, tuple | frozenset):
        return sorted((meaning_of(each) for each in value), key=lambda each: json.dumps(each, sort_keys=True))
    return value

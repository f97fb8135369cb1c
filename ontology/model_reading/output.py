"""From what a model wrote to its three lists. Given any text; gives entities, attributes and relations as they were written, or nothing with the reason.

Thoughts, code fences and talk around the JSON are left out; JSON that is not quite JSON is repaired where that is certain (`lenient_json`). Nothing is judged here.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from common.text import canonical
from ontology.model_reading.lenient_json import read_json

LISTS = ("entities", "attributes", "relations")
_THOUGHT = re.compile(r"<(think|thinking|thought|reasoning|reflection)>", re.IGNORECASE)
_THOUGHT_ENDS = re.compile(r"</(?:think|thinking|thought|reasoning|reflection)>", re.IGNORECASE)
_BEGINS = re.compile(r"[{\[]")
BEGINNINGS_TRIED = 20


@dataclass(frozen=True, slots=True)
class Output:
    """The lists by name, whatever stands in them. `is_whole` is false where something was cut off."""

    lists: Mapping[str, list[Any]] = field(default_factory=dict)
    is_whole: bool = True

    @property
    def size(self) -> int:
        return sum(map(len, self.lists.values()))


def read_output(text: str) -> Output | None:
    """None where there is no JSON in our form."""
    said = after_thoughts(text)
    for begin in [each.start() for each in _BEGINS.finditer(said)][:BEGINNINGS_TRIED]:
        read = read_json(said[begin:])
        if read and (lists := lists_in(read.value)) is not None:
            return Output(clean(lists), read.is_whole)
    return None


def after_thoughts(text: str) -> str:
    """What was said when thinking was over; "" where it was never over."""
    opened = _THOUGHT.match(text.lstrip())
    ended = _THOUGHT_ENDS.search(text)
    if opened:
        return text[ended.end() :] if ended else ""
    is_first = ended is not None and "{" not in text[: ended.start()]
    return text[ended.end() :] if ended and is_first else text


def lists_in(value: Any) -> dict[str, list[Any]] | None:
    """Our lists in it: an object that has one of them, or one object around such an object."""
    if not isinstance(value, dict):
        return None
    if any(isinstance(value.get(name), list) for name in LISTS):
        return {name: found if isinstance(found := value.get(name), list) else [] for name in LISTS}
    inner = next(iter(value.values())) if len(value) == 1 else None
    return lists_in(inner) if isinstance(inner, dict) else None


def clean(value: Any) -> Any:
    """Without characters and numbers that the ledger can't keep."""
    if isinstance(value, str):
        return canonical(value)
    if isinstance(value, dict):
        return {canonical(str(key)): clean(each) for key, each in value.items()}
    if isinstance(value, list):
        return [clean(each) for each in value]
    return value if not isinstance(value, float) or math.isfinite(value) else str(value)

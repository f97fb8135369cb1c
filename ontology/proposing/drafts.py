"""What is proposed, with how often it was seen and a few examples, as values and as entries of a skeleton."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from knowledge.types import Block
from ontology.proposals import identifier, type_of
from ontology.skeleton.attributes import RESERVED as RESERVED_ATTRIBUTES
from ontology.skeleton.classes import RESERVED as RESERVED_CLASSES
from ontology.types import AttributeType, ValueType
from ontology.values.parse import parse
from ontology.values.unreadable import UnreadableValue

EXAMPLES = 4
LONGEST_EXAMPLE = 60


@dataclass(frozen=True, slots=True)
class Sample:
    """A document, or the beginning of a long one."""

    text: str
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class Draft:
    """A class (`owner` is empty) or an attribute of the class `owner`; `declared` is its entry in a skeleton, `values` are examples of what its attributes hold.

    A draft that a model has named says so; `joins` are the keys of those that it is made of, where they are several.
    """

    name: str
    declared: Mapping[str, Any]
    count: int
    examples: tuple[str, ...]
    reason: str
    owner: str = ""
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    is_named_by_model: bool = False
    joins: tuple[str, ...] = ()

    @property
    def path(self) -> tuple[str, ...]:
        """The mapping that it is added to."""
        return ("classes", self.owner, "attributes") if self.owner else ("classes",)

    @property
    def key(self) -> str:
        """By which it is accepted."""
        return f"{self.owner}.{self.name}" if self.owner else self.name


def class_name(words: str) -> str:
    """“spare part” is SparePart; other scripts stay as they are."""
    name = identifier("".join(each[:1].upper() + each[1:] for each in words.replace("-", " ").split()))
    return f"{name}_" if name.casefold() in {each.casefold() for each in RESERVED_CLASSES} else name[:60]


def attribute_name(words: str) -> str:
    name = identifier(words.lower()).replace("__", "_")
    return f"{name}_" if name.casefold() in RESERVED_ATTRIBUTES else name[:60]


def can_hold(kind: str, values: Iterable[str]) -> bool:
    """Whether all these values can be read as this type; any can as a text."""
    shown = list(values)
    return kind == "text" or (bool(shown) and all(is_readable(each, kind) for each in shown))


def is_readable(value: str, kind: str) -> bool:
    try:
        parse(value, AttributeType("proposed", ValueType(kind)))
    except UnreadableValue:
        return False
    return True


def labels_for(words: str) -> dict[str, str]:
    """Under the language that it is written in."""
    return {"zh" if any(map(is_han, words)) else "en": words}


def is_han(letter: str) -> bool:
    return "\u3400" <= letter <= "\u9fff"


def typed(values: Iterable[str]) -> str:
    """The type that four of five values can be read as, the strictest first; else a text."""
    kinds = Counter(type_of(each) for each in values)
    kind, count = kinds.most_common(1)[0] if kinds else ("text", 0)
    if kind == "integer" and kinds["number"]:
        kind, count = "number", count + kinds["number"]
    return kind if count * 5 >= kinds.total() * 4 else "text"


def examples_of(values: Iterable[str]) -> tuple[str, ...]:
    """The most frequent different ones, short."""
    seen = Counter(" ".join(each.split())[:LONGEST_EXAMPLE] for each in values if each.strip())
    return tuple(value for value, _count in seen.most_common(EXAMPLES))

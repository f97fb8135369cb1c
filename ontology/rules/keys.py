"""What a column's name or the key of "key: value" means: a class, an attribute of a class, or a relation from or to a class."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from common.text import fold
from ontology.types import AttributeType, CompiledSkeleton, EntityClass, RelationType

_UNIT = re.compile(r"\s*[(（\[]([^()（）\[\]]{1,20})[)）\]]\s*$")
_AROUND = " \t\n*_`:：|"


@dataclass(frozen=True, slots=True)
class KeyedRelation:
    """A relation that a key names; `is_inverse` when it leads from the value to the one whose key it is."""

    relation: RelationType
    is_inverse: bool = False

    @property
    def other_ends(self) -> tuple[str, ...]:
        """Classes that the value's names may have."""
        return self.relation.sources if self.is_inverse else self.relation.targets


Meaning = AttributeType | KeyedRelation


@dataclass(frozen=True, slots=True)
class Keys:
    """Meanings by key: `classes` of the entity that a column holds, `of_class` what the key says of an entity of a class, `also_named` the
    columns that hold another name of it; `in_brackets` are the classes whose other names stand in brackets.
    """

    classes: Mapping[str, str]
    of_class: Mapping[str, Mapping[str, Meaning]]
    also_named: Mapping[str, frozenset[str]]
    in_brackets: frozenset[str]

    @classmethod
    def of(cls, skeleton: CompiledSkeleton) -> "Keys":
        classes: dict[str, str] = {}
        for each in skeleton.classes.values():
            for name in (*each.columns, *each.labels.values(), each.name):
                classes.setdefault(folded_key(name)[0], each.name)
        return cls(
            classes,
            {name: meanings(each, skeleton) for name, each in skeleton.classes.items()},
            {name: frozenset(each.also_named_in) for name, each in skeleton.classes.items()},
            frozenset(name for name, each in skeleton.classes.items() if each.has_alias_in_brackets),
        )

    def meaning(self, class_name: str, key: str) -> Meaning | None:
        """What this key says of an entity of that class."""
        return self.of_class.get(class_name, {}).get(folded_key(key)[0])


def meanings(of: EntityClass, skeleton: CompiledSkeleton) -> dict[str, Meaning]:
    """Attributes before relations, a relation before its inverse."""
    found: dict[str, Meaning] = {}
    for attribute in of.attributes:
        for name in (*attribute.keys, *attribute.labels.values(), attribute.name):
            found.setdefault(folded_key(name)[0], attribute)
    for relation in skeleton.relations.values():
        if of.name in relation.sources:
            for name in (*relation.columns, *relation.labels.values(), relation.name):
                found.setdefault(folded_key(name)[0], KeyedRelation(relation))
    for relation in skeleton.relations.values():
        if of.name in relation.targets:
            for name in (*relation.inverse_columns, *relation.inverse.values()):
                found.setdefault(folded_key(name)[0], KeyedRelation(relation, is_inverse=True))
    found.pop("", None)
    return found


def folded_key(words: str) -> tuple[str, str]:
    """The key as it is compared, and the unit that stands in brackets after it: "Context length (tokens)" is about tokens."""
    stripped = words.strip(_AROUND)
    unit = _UNIT.search(stripped)
    bare = stripped[: unit.start()] if unit else stripped
    key = " ".join(fold(bare).replace("_", " ").replace("-", " ").split()).strip(_AROUND)
    return (key, unit[1].strip()) if unit and key else (" ".join(fold(stripped).replace("_", " ").split()), "")

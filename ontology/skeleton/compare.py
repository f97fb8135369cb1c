"""What differs between two skeletons, as values and in words, and what of it has to be looked at again.

`touched` names what extraction must do again because of the differences (a new or changed rule finds other things), `gone` what stands in the
ledger and is allowed no more. Labels, inverse labels and descriptions are for people and models: they touch nothing that rules have found.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

from ontology.skeleton.fingerprint import meaning_of
from ontology.types import AttributeType, CompiledSkeleton, EntityClass, RelationType

WORDS_ONLY = frozenset({"labels", "description", "inverse"})


class Part(StrEnum):
    """What a change is about."""

    CLASS = "class"
    ATTRIBUTE = "attribute"
    RELATION = "relation"


class Action(StrEnum):
    """What became of it."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Change:
    """One difference. `owner` is the class or relation of an attribute; `before` and `after` hold the fields that differ."""

    part: Part
    action: Action
    name: str
    owner: str = ""
    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """“System” or “System.vendor”."""
        return f"{self.owner}.{self.name}" if self.owner else self.name

    @property
    def is_words_only(self) -> bool:
        """Nothing but labels and descriptions differs."""
        return self.action is Action.CHANGED and set(self.after) <= WORDS_ONLY


@dataclass(frozen=True, slots=True)
class Touched:
    """Names of classes and relations, and (owner, attribute) pairs."""

    classes: frozenset[str] = frozenset()
    relations: frozenset[str] = frozenset()
    attributes: frozenset[tuple[str, str]] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.classes or self.relations or self.attributes)


@dataclass(frozen=True, slots=True)
class Difference:
    """All changes from one skeleton to another."""

    changes: tuple[Change, ...] = ()
    touched: Touched = Touched()
    gone: Touched = Touched()

    @property
    def is_empty(self) -> bool:
        """They mean the same."""
        return not self.changes


def compare(old: CompiledSkeleton, new: CompiledSkeleton) -> Difference:
    """What became of the old one's classes, relations and attributes."""
    changes = (
        *changes_of(Part.CLASS, old.classes, new.classes),
        *changes_of(Part.RELATION, old.relations, new.relations),
    )
    telling = [each for each in changes if not each.is_words_only]
    read_again = [each for each in telling if each.action is not Action.REMOVED]
    removed = [each for each in telling if each.action is Action.REMOVED]
    return Difference(changes, with_neighbours(touched_by(read_again), new), touched_by(removed))


def changes_of(
    part: Part,
    old: Mapping[str, EntityClass] | Mapping[str, RelationType],
    new: Mapping[str, EntityClass] | Mapping[str, RelationType],
) -> Iterator[Change]:
    """Classes or relations by name, each followed by its attributes."""
    for name in sorted({*old, *new}):
        before, after = old.get(name), new.get(name)
        yield from changed(part, name, "", before, after)
        if before is not None and after is not None:
            earlier = {each.name: each for each in before.attributes}
            later = {each.name: each for each in after.attributes}
            for attribute in sorted({*earlier, *later}):
                yield from changed(Part.ATTRIBUTE, attribute, name, earlier.get(attribute), later.get(attribute))


def changed(part: Part, name: str, owner: str, before: Any, after: Any) -> Iterator[Change]:
    """One change or none. A class or relation that comes or goes takes its attributes with it."""
    if before is None or after is None:
        yield Change(part, Action.ADDED if before is None else Action.REMOVED, name, owner)
        return
    differing = [
        each.name
        for each in fields(before)
        if each.name != "attributes" and meaning_of(getattr(before, each.name)) != meaning_of(getattr(after, each.name))
    ]
    if differing:
        was, now = ({each: meaning_of(getattr(value, each)) for each in differing} for value in (before, after))
        yield Change(part, Action.CHANGED, name, owner, was, now)


def touched_by(changes: list[Change]) -> Touched:
    """What the changes are about."""
    return Touched(
        frozenset(each.name for each in changes if each.part is Part.CLASS),
        frozenset(each.name for each in changes if each.part is Part.RELATION),
        frozenset((each.owner, each.name) for each in changes if each.part is Part.ATTRIBUTE),
    )


def with_neighbours(touched: Touched, skeleton: CompiledSkeleton) -> Touched:
    """Where a class finds other names, its attributes and the relations that join it find other facts."""
    joining = {name for name, each in skeleton.relations.items() if touched.classes & {*each.sources, *each.targets}}
    relations = touched.relations | joining
    owners: list[EntityClass | RelationType] = [skeleton.classes[name] for name in touched.classes]
    owners += [skeleton.relations[name] for name in relations]
    attributes = {(owner.name, each.name) for owner in owners for each in attributes_of(owner)}
    return Touched(touched.classes, relations, touched.attributes | attributes)


def attributes_of(owner: EntityClass | RelationType) -> tuple[AttributeType, ...]:
    """Those declared."""
    return owner.attributes

"""Add, rename and remove a part of a skeleton's text. What a part says is written by `ontology.editing.values`."""

import re
from collections.abc import Iterator

import yaml
from django.utils.translation import gettext_lazy as _

from common.errors import InvalidInput
from ontology.editing.places import Path, end_of, entries_of, entry_at, entry_in, replaced
from ontology.editing.writing import flow, with_entry
from ontology.skeleton.fields import NAME
from ontology.skeleton.source import tree_of

WITH_THEIR_LAST = ("attributes", "rules", "labels", "description", "inverse")
"""Blocks that go with their last entry."""


def added(text: str, path: Path, name: str, declared: dict[str, object]) -> str:
    """A class, relation or attribute more, at the end of its block. Raises InvalidInput for a name that is taken or none."""
    usable(name)
    root = tree_of(text)
    if entry_in(root, (*path, name)):
        raise InvalidInput(_("“%(name)s” is there already.") % {"name": name}, field="name")
    return with_entry(text, root, path, name, declared)


def renamed(text: str, path: Path, name: str) -> str:
    """The key, and with a class or an attribute of a relation all that refers to it."""
    usable(name)
    entry = entry_at(text, path)
    if any(each.key.value == name for each in entries_of(entry.parent) if each.key is not entry.key):
        raise InvalidInput(_("“%(name)s” is there already.") % {"name": name}, field="name")
    changes = [(entry.key.start_mark.index, entry.key.end_mark.index, flow(name))]
    root = tree_of(text)
    if path[0] == "classes" and len(path) == 2:
        changes += [(node.start_mark.index, node.end_mark.index, flow(name)) for node in referring(root, path[1])]
    text_after = replaced(text, changes)
    if path[0] == "relations" and len(path) == 4:
        return with_slot(text_after, path[:2], path[3], name)
    return text_after


def referring(root: yaml.Node, class_name: str) -> Iterator[yaml.ScalarNode]:
    """Where relations lead to and from, and what attributes refer to."""
    for block in entries_of(root):
        for owner in entries_of(block.value):
            for field in entries_of(owner.value):
                if block.key.value == "relations" and field.key.value in ("from", "to"):
                    named = field.value.value if isinstance(field.value, yaml.SequenceNode) else [field.value]
                    yield from (
                        each for each in named if isinstance(each, yaml.ScalarNode) and each.value == class_name
                    )
                elif field.key.value == "attributes":
                    for attribute in entries_of(field.value):
                        for key in entries_of(attribute.value):
                            if key.key.value == "to" and isinstance(key.value, yaml.ScalarNode):
                                yield from [key.value] if key.value.value == class_name else []


def with_slot(text: str, owner: Path, old: str, new: str) -> str:
    """The relation's phrases with the attribute's slot under its new name."""
    phrases = entry_in(tree_of(text), (*owner, "phrases"))
    if phrases is None:
        return text
    start, end = phrases.value.start_mark.index, end_of(text, phrases.value)
    return text[:start] + re.sub(rf"\{{{re.escape(old)}\}}", f"{{{new}}}", text[start:end]) + text[end:]


def removed(text: str, path: Path) -> str:
    """Without this part: its lines where it has lines of its own, else its place between commas."""
    entry = entry_at(text, path)
    if len(entry.parent.value) == 1 and len(path) > 1 and path[-2] in WITH_THEIR_LAST:
        return removed(text, path[:-1])
    start, end = entry.key.start_mark.index, max(end_of(text, entry.value), entry.key.end_mark.index)
    if entry.parent.flow_style:
        after = re.compile(r"\s*,\s*").match(text, end)
        if after:
            return text[:start] + text[after.end() :]
        return re.sub(r",\s*\Z", "", text[:start]) + text[end:]
    line = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end)
    return text[:line] + (text[stop + 1 :] if stop >= 0 else "")


def usable(name: str) -> None:
    """Raises InvalidInput."""
    if not NAME.fullmatch(name):
        raise InvalidInput(
            _("“%(name)s” can't be a name: letters, digits and _ only, a letter first, at most 60.") % {"name": name},
            field="name",
        )

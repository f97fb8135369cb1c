"""A value at a place of a skeleton's text. What is the same already stays as it is written, with its quotes and comments; what differs is replaced, added or taken away in pieces as small as can be."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any

import yaml

from ontology.editing.changes import removed
from ontology.editing.places import Path, end_of, entry_in, replaced
from ontology.editing.writing import NULL, filled, flow, with_entry
from ontology.skeleton.source import tree_of

Change = tuple[int, int, str]
"""From, to, and the words that stand there afterwards."""


def value_at(text: str, path: Path) -> Any:
    """What stands there as texts, lists and mappings; None where nothing does. Raises SkeletonRefused for a text that is no YAML."""
    found = entry_in(tree_of(text), path)
    return plain(found.value) if found else None


def plain(node: yaml.Node) -> Any:
    """Every scalar is the text that was written."""
    if isinstance(node, yaml.MappingNode):
        return {str(key.value): plain(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [plain(each) for each in node.value]
    return None if node.tag == NULL else str(node.value)


def written(text: str, path: Path, value: Any) -> str:
    """The text with a text, a flag, a list or a mapping of such there; None takes the key away. Raises InvalidInput, SkeletonRefused."""
    root = tree_of(text)
    there = entry_in(root, path)
    if there is None:
        return text if value is None else with_entry(text, root, path[:-1], path[-1], value)
    if value is None:
        return removed(text, path)
    known = plain(there.value)
    if known == value or (known is None and not value):
        return text
    if isinstance(value, dict) and isinstance(known, dict) and known and value:
        for key, each in value.items():
            text = written(text, (*path, key), each)
        for key in known:
            text = text if key in value else removed(text, (*path, key))
        return text
    if isinstance(value, list) and isinstance(there.value, yaml.SequenceNode) and known and value:
        return replaced(text, list_changes(text, there.value, value))
    return filled(text, there, value)


def list_changes(text: str, node: yaml.SequenceNode, items: Sequence[str]) -> list[Change]:
    """From a list to another, item by item."""
    old = [str(each.value) for each in node.value]
    changes: list[Change] = []
    for action, first, end, new_first, new_end in SequenceMatcher(None, old, items, autojunk=False).get_opcodes():
        if action == "equal":
            continue
        both = min(end - first, new_end - new_first)
        for number in range(both):
            each = node.value[first + number]
            changes.append((each.start_mark.index, end_of(text, each), flow(items[new_first + number])))
        changes += [without_item(text, node, number, end) for number in range(first + both, end)]
        if more := [flow(each) for each in items[new_first + both : new_end]]:
            changes.append(with_items(text, node, first + both, more))
    return changes


def without_item(text: str, node: yaml.SequenceNode, number: int, end: int) -> Change:
    """The lines of an item, or its place between commas; `end` is where the items that go end."""
    each = node.value[number]
    if not node.flow_style:
        line_end = text.find("\n", end_of(text, each))
        return line_of(text, each), len(text) if line_end < 0 else line_end + 1, ""
    if end < len(node.value):
        return each.start_mark.index, node.value[number + 1].start_mark.index, ""
    return end_of(text, node.value[number - 1]), end_of(text, each), ""


def with_items(text: str, node: yaml.SequenceNode, number: int, items: Sequence[str]) -> Change:
    """Items more before that number."""
    if node.flow_style:
        if number == 0:
            at = node.value[0].start_mark.index
            return at, at, "".join(f"{each}, " for each in items)
        at = end_of(text, node.value[number - 1])
        return at, at, "".join(f", {each}" for each in items)
    dash = " " * node.start_mark.column + "- "
    if number == 0:
        at = line_of(text, node.value[0])
        return at, at, "".join(f"{dash}{each}\n" for each in items)
    line_end = text.find("\n", end_of(text, node.value[number - 1]))
    at = len(text) if line_end < 0 else line_end
    return at, at, "".join(f"\n{dash}{each}" for each in items)


def line_of(text: str, node: yaml.Node) -> int:
    """Where the line begins on which it begins."""
    return text.rfind("\n", 0, node.start_mark.index) + 1

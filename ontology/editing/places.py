"""Where the parts of a skeleton stand in its text."""

from dataclasses import dataclass

import yaml
from django.utils.translation import gettext_lazy as _

from common.errors import InvalidInput
from ontology.skeleton.source import tree_of

Path = tuple[str, ...]
"""Keys from the root: ("classes", "System", "attributes", "vendor")."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A key and its value in their mapping."""

    key: yaml.ScalarNode
    value: yaml.Node
    parent: yaml.MappingNode


def entry_at(text: str, path: Path) -> Entry:
    """Raises InvalidInput where nothing has that name, SkeletonRefused for a text that is no YAML."""
    found = entry_in(tree_of(text), path)
    if found is None:
        raise InvalidInput(_("There is no “%(name)s” in the text.") % {"name": ".".join(path[1:]) or path[0]})
    return found


def entry_in(root: yaml.Node, path: Path) -> Entry | None:
    """None where nothing has that name."""
    node, found = root, None
    for step in path:
        found = next((each for each in entries_of(node) if each.key.value == step), None)
        if found is None:
            return None
        node = found.value
    return found


def entries_of(node: yaml.Node) -> list[Entry]:
    """Of a mapping; none of anything else."""
    if not isinstance(node, yaml.MappingNode):
        return []
    return [Entry(key, value, node) for key, value in node.value if isinstance(key, yaml.ScalarNode)]


def end_of(text: str, node: yaml.Node) -> int:
    """Where the words of a node end; the parser counts the white space and comments behind a block in."""
    if isinstance(node, yaml.ScalarNode) or getattr(node, "flow_style", False):
        return len(text[: node.end_mark.index].rstrip()) if isinstance(node, yaml.ScalarNode) else node.end_mark.index
    inner = [each for pair in node.value for each in pair] if isinstance(node, yaml.MappingNode) else node.value
    return max((end_of(text, each) for each in inner), default=node.end_mark.index)


def replaced(text: str, changes: list[tuple[int, int, str]]) -> str:
    """With stretches replaced, the last first, so that the places of the others hold."""
    for start, end, words in sorted(changes, reverse=True):
        text = text[:start] + words + text[end:]
    return text

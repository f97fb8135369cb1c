"""Writing into the text of a skeleton: an entry more at the end of its block, a value in the place of another. All else stays as it was written, comments too."""

import re
from typing import Any

import yaml
from django.utils.translation import gettext_lazy as _

from common.errors import InvalidInput
from ontology.editing.places import Entry, Path, end_of, entry_in

NULL = "tag:yaml.org,2002:null"
_COLON = re.compile(r"\s*:")


def with_entry(text: str, root: yaml.Node, path: Path, name: str, value: Any) -> str:
    """One more entry at the end of the mapping at `path`, which is made where it is missing. Raises InvalidInput where neither it nor its owner is there."""
    there = entry_in(root, path)
    if there is not None and isinstance(there.value, yaml.MappingNode) and there.value.value:
        if any(key.value == name for key, _value in there.value.value):
            return text
        return inside(text, there.value, name, value)
    if len(path) == 1:
        return appended(without_empty(text, there), f"{path[0]}:\n  {flow(name)}: {flow(value)}")
    if there is not None and is_empty(there.value):
        return filled(text, there, {name: value})
    if there is None and entry_in(root, path[:-1]) is not None:
        return with_entry(text, root, path[:-1], path[-1], {name: value})
    raise InvalidInput(
        _("“%(name)s” is written in a way that can't be added to. Add it by hand.") % {"name": ".".join(path)}
    )


def filled(text: str, entry: Entry, value: Any) -> str:
    """Its key with this value, on the key's line; comments that stood between the two come after it."""
    after_key = entry.key.end_mark.index
    colon = _COLON.match(text, after_key)
    if colon is None:  # “{benchmark}”
        return f"{text[:after_key]}: {flow(value)}{text[after_key:]}"
    start = max(entry.value.start_mark.index, colon.end())
    comments = text[colon.end() : start].strip()
    rest = text[max(start, end_of(text, entry.value)) :]
    return f"{text[: colon.end()]} {flow(value)}{f'  {comments}' if comments else ''}{rest}"


def inside(text: str, node: yaml.MappingNode, name: str, value: Any) -> str:
    """After its last entry: on a line of its own with the same indentation, or before the closing brace."""
    if node.flow_style:
        at = node.end_mark.index - 1
        return f"{text[:at].rstrip().rstrip(',')}, {flow(name)}: {flow(value)}{text[at:]}"
    last_key, last = node.value[-1]
    line = text.find("\n", max(end_of(text, last), last_key.end_mark.index))
    at = len(text) if line < 0 else line
    indent = " " * last_key.start_mark.column
    return f"{text[:at].rstrip(' ')}\n{indent}{flow(name)}: {flow(value)}{text[at:]}"


def is_empty(node: yaml.Node) -> bool:
    """Nothing, or a mapping of nothing."""
    if isinstance(node, yaml.ScalarNode):
        return node.tag == NULL
    return isinstance(node, yaml.MappingNode) and not node.value


def without_empty(text: str, entry: Entry | None) -> str:
    """Without a key that stands there with nothing behind it."""
    if entry is None:
        return text
    return text[: entry.key.start_mark.index] + text[entry.value.end_mark.index :].lstrip(" ")


def appended(text: str, entry: str) -> str:
    return f"{text.rstrip()}\n{entry}\n"


def flow(value: Any) -> str:
    """On one line, with quotes where they are needed."""
    return yaml.safe_dump(
        [value], default_flow_style=True, allow_unicode=True, sort_keys=False, width=1_000_000
    ).strip()[1:-1]

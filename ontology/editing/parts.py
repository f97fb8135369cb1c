"""What a skeleton's text declares, to be chosen from: classes and relations with their attributes, whether or not the text can be used yet."""

from dataclasses import dataclass

import yaml

from ontology.editing.changes import referring
from ontology.editing.places import Path, entries_of, entry_in
from ontology.skeleton.source import tree_of

BLOCKS = ("classes", "relations")


@dataclass(frozen=True, slots=True)
class Part:
    """A class, a relation or an attribute by its name and the keys that lead to it."""

    name: str
    path: Path
    attributes: "tuple[Part, ...]" = ()

    @property
    def key(self) -> str:
        """As forms name it: “classes/System/attributes/vendor”."""
        return "/".join(self.path)


def parts_in(text: str) -> dict[str, list[Part]]:
    """By block, in the text's order. Raises SkeletonRefused for a text that is no YAML."""
    root = tree_of(text)
    return {block: [part_at(root, (block, name)) for name in names_under(root, (block,))] for block in BLOCKS}


def part_at(root: yaml.Node, path: Path) -> Part:
    inner = (*path, "attributes")
    return Part(path[-1], path, tuple(Part(name, (*inner, name)) for name in names_under(root, inner)))


def names_under(root: yaml.Node, path: Path) -> list[str]:
    found = entry_in(root, path)
    return [str(each.key.value) for each in entries_of(found.value)] if found else []


def referring_to(text: str, class_name: str) -> list[str]:
    """Classes and relations that name this class, in the text's order."""
    root = tree_of(text)
    places = [node.start_mark.index for node in referring(root, class_name)]
    owners = [owner for block in entries_of(root) for owner in entries_of(block.value)]
    return [
        str(owner.key.value)
        for owner in owners
        if any(owner.key.start_mark.index <= place < owner.value.end_mark.index for place in places)
    ]

"""An `ontology.yaml` checked and compiled. All faults are found in one go, each with its line and what to write instead."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import yaml
from django.utils.translation import gettext as _

from ontology.conf import ontology_settings
from ontology.skeleton.classes import read_classes
from ontology.skeleton.faults import Fault, Faults, SkeletonRefused, nearest
from ontology.skeleton.fields import record, text
from ontology.skeleton.fingerprint import fingerprint_of
from ontology.skeleton.relations import read_relations
from ontology.skeleton.source import tree_of
from ontology.types import CompiledSkeleton, EntityClass, RelationType

KEYS = ("title", "classes", "relations")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text gives: a skeleton, or none when one of the faults is more than a warning."""

    skeleton: CompiledSkeleton | None
    faults: tuple[Fault, ...] = ()


def read_skeleton(written: str, *, relation_types_max: int | None = None) -> Reading:
    """Check and compile; `relation_types_max` is the setting unless given. Raises nothing."""
    faults = Faults()
    try:
        root = tree_of(written)
    except SkeletonRefused as refused:
        return Reading(None, refused.faults)
    skeleton = compiled_tree(root, faults, most=relation_types_max or ontology_settings().relation_types_max)
    is_refused = any(not fault.is_warning for fault in faults.found)
    return Reading(None if is_refused else skeleton, faults.in_order)


def compiled_skeleton(written: str) -> CompiledSkeleton:
    """The skeleton. Raises SkeletonRefused with all faults."""
    reading = read_skeleton(written)
    if reading.skeleton is None:
        raise SkeletonRefused([fault for fault in reading.faults if not fault.is_warning])
    return reading.skeleton


def compiled_tree(root: yaml.Node, faults: Faults, *, most: int) -> CompiledSkeleton:
    """What could be read, whatever faults were found."""
    fields = record(root, KEYS, faults, _("the file"))
    classes: Mapping[str, EntityClass] = {}
    if "classes" in fields:
        classes = read_classes(fields["classes"], faults)
    else:
        faults.add(root, _("The file has no “classes”."), _("Begin with “classes:”."))
    relations = read_relations(fields.get("relations"), classes, faults, most=most)
    refuse_unknown_references(fields, classes, relations, faults)
    title = text(fields["title"], faults, "title") if "title" in fields else ""
    return CompiledSkeleton(classes, relations, fingerprint_of(classes, relations), title)


def refuse_unknown_references(
    fields: Mapping[str, yaml.Node],
    classes: Mapping[str, EntityClass],
    relations: Mapping[str, RelationType],
    faults: Faults,
) -> None:
    """An attribute that refers to a class refers to one that there is."""
    owners: tuple[EntityClass | RelationType, ...] = (*classes.values(), *relations.values())
    unknown = {each.to_class for owner in owners for each in owner.attributes if each.to_class} - set(classes)
    for node in [each for part in ("classes", "relations") if part in fields for each in references_in(fields[part])]:
        if node.value in unknown:
            message = _("There is no class “%(name)s”.") % {"name": node.value}
            faults.add(node, message, nearest(node.value, list(classes)))


def references_in(node: yaml.Node) -> Iterator[yaml.ScalarNode]:
    """The values of `to` inside `attributes`."""
    for _name, owner in children(node):
        for _key, attributes in children(owner, "attributes"):
            for _attribute, declared in children(attributes):
                for _to, value in children(declared, "to"):
                    if isinstance(value, yaml.ScalarNode):
                        yield value


def children(node: yaml.Node, key: str = "") -> list[tuple[yaml.Node, yaml.Node]]:
    """Key and value nodes of a mapping; with `key` only those under it."""
    if not isinstance(node, yaml.MappingNode):
        return []
    return [pair for pair in node.value if not key or pair[0].value == key]

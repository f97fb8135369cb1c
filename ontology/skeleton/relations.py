"""Relation types, read from their part of the tree when the classes are known."""

from collections.abc import Collection, Mapping

import yaml
from django.utils.translation import gettext as _

from ontology.conf import RELATION_TYPES_ADVISED
from ontology.skeleton.attributes import folded_names, labelled, read_attributes
from ontology.skeleton.classes import refuse_alike
from ontology.skeleton.faults import Faults, nearest
from ontology.skeleton.fields import Written, entries, labels, name_is_usable, record, texts
from ontology.skeleton.phrases import compiled_phrase
from ontology.skeleton.regexes import UnsafePattern
from ontology.types import AttributeType, RelationType

KEYS = ("from", "to", "labels", "inverse", "description", "attributes", "phrases", "columns", "inverse_columns")
RESERVED = ("HAS_CHUNK", "MENTIONS")


def read_relations(
    node: yaml.Node | None, classes: Collection[str], faults: Faults, *, most: int
) -> Mapping[str, RelationType]:
    """Those under `relations:`, by name."""
    if node is None:
        return {}
    found = entries(node, faults, _("relations"))
    count_types(len(found), node, faults, most=most)
    refuse_alike([Written(name, key) for name, (key, _value) in found.items()], faults)
    return {
        name: read_relation(Written(name, key), value, classes, faults)
        for name, (key, value) in found.items()
        if name_is_usable(Written(name, key), RESERVED, faults)
    }


def count_types(count: int, node: yaml.Node, faults: Faults, *, most: int) -> None:
    """Eight at most, unless the setting says more; then a warning remains."""
    message = _("There are %(count)s relation types; more than %(most)s get mixed up.")
    if count > most:
        advice = _("Join some, turn some into attributes, or set TRELLIS_RELATION_TYPES_MAX.")
        faults.add(node, message % {"count": count, "most": most}, advice)
    elif count > RELATION_TYPES_ADVISED:
        words = {"count": count, "most": RELATION_TYPES_ADVISED}
        faults.add(node, message % words, _("Join some, or turn some into attributes."), is_warning=True)


def read_relation(name: Written, node: yaml.Node, classes: Collection[str], faults: Faults) -> RelationType:
    """One relation type."""
    fields = record(node, KEYS, faults, name.text)
    attributes = read_attributes(fields.get("attributes"), faults, name.text)
    return RelationType(
        name=name.text,
        sources=read_ends("from", fields, name, classes, faults),
        targets=read_ends("to", fields, name, classes, faults),
        labels=labelled(name.text, labels(fields.get("labels"), faults, name.text)),
        inverse=labels(fields.get("inverse"), faults, name.text),
        description=labels(fields.get("description"), faults, name.text),
        attributes=attributes,
        phrases=read_phrases(fields.get("phrases"), attributes, faults, name.text),
        columns=folded_names([each.text for each in texts(fields.get("columns"), faults, name.text)]),
        inverse_columns=folded_names([each.text for each in texts(fields.get("inverse_columns"), faults, name.text)]),
    )


def read_ends(
    end: str, fields: Mapping[str, yaml.Node], name: Written, classes: Collection[str], faults: Faults
) -> tuple[str, ...]:
    """The classes at one end."""
    if end not in fields:
        faults.add(
            name.node, _("%(name)s has no “%(end)s”.") % {"name": name.text, "end": end}, _("Name one or more classes.")
        )
        return ()
    written = texts(fields[end], faults, f"{name.text}.{end}", or_one=True)
    for each in written:
        if each.text not in classes:
            message = _("There is no class “%(name)s”.") % {"name": each.text}
            faults.add(each.node, message, nearest(each.text, list(classes)))
    if isinstance(fields[end], yaml.SequenceNode) and not fields[end].value:
        faults.add(fields[end], _("“%(key)s” is empty.") % {"key": end}, _("Name one or more classes."))
    return tuple(each.text for each in written)


def read_phrases(
    node: yaml.Node | None, attributes: tuple[AttributeType, ...], faults: Faults, what: str
) -> tuple[str, ...]:
    """Phrases as regular expressions."""
    compiled = []
    for written in texts(node, faults, what):
        try:
            compiled.append(compiled_phrase(written.text, attributes))
        except UnsafePattern as refused:
            faults.add(written.node, str(refused), refused.instead)
    return tuple(compiled)

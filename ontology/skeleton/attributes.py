"""Attributes of a class or a relation, read from their part of the tree."""

from collections.abc import Mapping

import yaml
from django.utils.translation import gettext as _

from common.text import fold
from ontology.skeleton.faults import Faults, nearest
from ontology.skeleton.fields import Written, entries, labels, name_is_usable, record, text, texts
from ontology.types import AttributeType, Labels, ValueType
from ontology.values.units import UNIT_NAMES, unit_named

KEYS = ("type", "unit", "options", "to", "labels", "description", "keys")
RESERVED = ("key", "name", "kbs", "evidence", "source", "target")
TYPES = tuple(each.value for each in ValueType)
WITH_UNIT = (ValueType.INTEGER, ValueType.NUMBER)
ATTRIBUTES_MAX = 100


def read_attributes(node: yaml.Node | None, faults: Faults, owner: str) -> tuple[AttributeType, ...]:
    """Those under `attributes:`."""
    if node is None:
        return ()
    found = entries(node, faults, _("attributes of %(owner)s") % {"owner": owner})
    if len(found) > ATTRIBUTES_MAX:
        faults.add(node, _("%(owner)s has more than a hundred attributes.") % {"owner": owner}, _("Split the class."))
    read = [
        read_attribute(Written(name, key), value, faults, owner)
        for name, (key, value) in found.items()
        if name_is_usable(Written(name, key), RESERVED, faults)
    ]
    refuse_shared_keys(read, node, faults, owner)
    return tuple(read)


def read_attribute(name: Written, node: yaml.Node, faults: Faults, owner: str) -> AttributeType:
    """One attribute; what can't be read of it is left at its default."""
    what = f"{owner}.{name.text}"
    fields = record(node, KEYS, faults, what)
    said = read_type(fields.get("type"), faults, what)
    kind = said or ValueType.TEXT
    for key, kinds in {"unit": WITH_UNIT, "options": (ValueType.ENUM,), "to": (ValueType.REFERENCE,)}.items():
        if said and key in fields and kind not in kinds:
            message = _("%(what)s is of type %(type)s, which has no “%(key)s”.")
            wanted = _("Leave it out, or write type: %(type)s.") % {"type": kinds[-1].value}
            faults.add(fields[key], message % {"what": what, "type": kind.value, "key": key}, wanted)
    words = labels(fields.get("labels"), faults, what)
    keys = [each.text for each in texts(fields.get("keys"), faults, what)]
    return AttributeType(
        name=name.text,
        type=kind,
        labels=words,
        description=labels(fields.get("description"), faults, what),
        unit=read_unit(fields.get("unit"), faults, what),
        options=read_options(fields.get("options"), name, kind, faults, what),
        to_class=read_to(fields.get("to"), name, kind, faults, what),
        keys=folded_names([name.text.replace("_", " "), *words.values(), *keys]),
    )


def read_type(node: yaml.Node | None, faults: Faults, what: str) -> ValueType | None:
    """Text unless something is said; None, after a fault, for a type that there is not."""
    if node is None:
        return ValueType.TEXT
    if not (written := text(node, faults, what)):
        return None
    if written not in TYPES:
        faults.add(node, _("There is no type “%(type)s”.") % {"type": written}, nearest(written, TYPES))
        return None
    return ValueType(written)


def read_unit(node: yaml.Node | None, faults: Faults, what: str) -> str:
    """The one sign for it, however it is written."""
    if node is None or not (written := text(node, faults, what)):
        return ""
    unit = unit_named(written)
    if unit is None:
        faults.add(node, _("The unit “%(unit)s” is not known.") % {"unit": written}, nearest(written, UNIT_NAMES))
        return ""
    return unit.name


def read_options(
    node: yaml.Node | None, name: Written, kind: ValueType, faults: Faults, what: str
) -> Mapping[str, tuple[str, ...]]:
    """Options with their spellings: a list of options, or a mapping from each to a list."""
    if node is None:
        if kind is ValueType.ENUM:
            message = _("%(what)s is an enum without options.") % {"what": what}
            faults.add(name.node, message, _("Write options: [one, another]."))
        return {}
    if isinstance(node, yaml.MappingNode):
        found = {
            option: option_spellings(value, faults, what)
            for option, (_key, value) in entries(node, faults, what).items()
        }
    else:
        found = {each.text: () for each in texts(node, faults, what)}
    if isinstance(node, yaml.CollectionNode) and not node.value and kind is ValueType.ENUM:
        faults.add(
            node, _("%(what)s is an enum without options.") % {"what": what}, _("Write options: [one, another].")
        )
    refuse_shared_spellings(found, node, faults, what)
    return found


def option_spellings(node: yaml.Node, faults: Faults, what: str) -> tuple[str, ...]:
    """Other ways to write an option; none where nothing is written."""
    return () if node.tag == "tag:yaml.org,2002:null" else tuple(each.text for each in texts(node, faults, what))


def refuse_shared_spellings(options: Mapping[str, tuple[str, ...]], node: yaml.Node, faults: Faults, what: str) -> None:
    """One spelling means one option."""
    owners: dict[str, str] = {}
    for option, spellings in options.items():
        for spelling in folded_names([option, *spellings]):
            if owners.setdefault(spelling, option) != option:
                message = _("%(what)s: “%(word)s” stands for two options.") % {"what": what, "word": spelling}
                faults.add(node, message, _("Keep it under one of them."))


def read_to(node: yaml.Node | None, name: Written, kind: ValueType, faults: Faults, what: str) -> str:
    """The class referred to; whether there is one is checked when all are known."""
    if node is None and kind is ValueType.REFERENCE:
        message = _("%(what)s is a reference that says no class.") % {"what": what}
        faults.add(name.node, message, _("Write to: and the name of a class."))
    return text(node, faults, what) if node is not None else ""


def refuse_shared_keys(attributes: list[AttributeType], node: yaml.Node, faults: Faults, owner: str) -> None:
    """A column or key names one attribute of its class."""
    owners: dict[str, str] = {}
    for attribute in attributes:
        for key in attribute.keys:
            if owners.setdefault(key, attribute.name) != attribute.name:
                message = _("%(owner)s: the key “%(key)s” names both %(one)s and %(other)s.")
                words = {"owner": owner, "key": key, "one": owners[key], "other": attribute.name}
                faults.add(node, message % words, _("Keep it at one of them."))


def folded_names(names: list[str]) -> tuple[str, ...]:
    """Names as they are compared: folded, white space single, each once."""
    return tuple(dict.fromkeys(" ".join(fold(name).split()) for name in names))


def labelled(name: str, words: Labels) -> Labels:
    """Its labels, or its name where it has none."""
    return words or {"en": name.replace("_", " ")}

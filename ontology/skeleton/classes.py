"""Entity classes and their rules, read from their part of the tree."""

import re
from collections.abc import Mapping

import yaml
from django.utils.translation import gettext as _

from ontology.skeleton.attributes import folded_names, labelled, read_attributes
from ontology.skeleton.faults import Faults
from ontology.skeleton.fields import Written, entries, flag, labels, name_is_usable, record, texts
from ontology.skeleton.regexes import UnsafePattern, safe_pattern
from ontology.types import EntityClass

KEYS = ("labels", "description", "subject", "attributes", "rules")
RULES = (
    "patterns",
    "suffixes",
    "stop_names",
    "columns",
    "also_named_in",
    "record_headings",
    "as_written",
    "alias_in_brackets",
    "self_names",
)
RESERVED = ("Document", "Chunk", "Entity")
CLASSES_MAX = 200


def read_classes(node: yaml.Node, faults: Faults) -> Mapping[str, EntityClass]:
    """Those under `classes:`, by name."""
    found = entries(node, faults, _("classes"))
    if isinstance(node, yaml.MappingNode) and not 0 < len(node.value) <= CLASSES_MAX:
        faults.add(node, _("There must be 1 to 200 classes."), _("Write a name with a colon, such as “Person:”."))
    refuse_alike([Written(name, key) for name, (key, _value) in found.items()], faults)
    read = {
        name: read_class(Written(name, key), value, faults)
        for name, (key, value) in found.items()
        if name_is_usable(Written(name, key), RESERVED, faults)
    }
    refuse_second_subject(read, found, faults)
    refuse_shared_columns(read, found, faults)
    return read


def read_class(name: Written, node: yaml.Node, faults: Faults) -> EntityClass:
    """One class."""
    fields = record(node, KEYS, faults, name.text)
    words = labels(fields.get("labels"), faults, name.text)
    rules = record(fields["rules"], RULES, faults, f"{name.text}.rules") if "rules" in fields else {}
    columns = [each.text for each in texts(rules.get("columns"), faults, name.text)]
    return EntityClass(
        name=name.text,
        labels=labelled(name.text, words),
        description=labels(fields.get("description"), faults, name.text),
        attributes=read_attributes(fields.get("attributes"), faults, name.text),
        is_subject=flag(fields.get("subject"), faults, name.text),
        patterns=read_patterns(rules.get("patterns"), faults, name.text),
        suffixes=tuple(each.text for each in texts(rules.get("suffixes"), faults, name.text)),
        stop_names=frozenset(each.text for each in texts(rules.get("stop_names"), faults, name.text)),
        columns=folded_names([name.text, *words.values(), *columns]),
        record_headings=read_patterns(rules.get("record_headings"), faults, name.text),
        also_named_in=folded_names([each.text for each in texts(rules.get("also_named_in"), faults, name.text)]),
        is_as_written=flag(rules.get("as_written"), faults, name.text),
        has_alias_in_brackets=flag(rules.get("alias_in_brackets"), faults, name.text),
        self_names=tuple(each.text for each in texts(rules.get("self_names"), faults, name.text)),
    )


def read_patterns(node: yaml.Node | None, faults: Faults, what: str) -> tuple[re.Pattern[str], ...]:
    """Regular expressions that can't run away."""
    compiled = []
    for written in texts(node, faults, what):
        try:
            compiled.append(safe_pattern(written.text))
        except UnsafePattern as refused:
            faults.add(written.node, str(refused), refused.instead)
    return tuple(compiled)


def refuse_alike(names: list[Written], faults: Faults) -> None:
    """Names that differ by case alone would be taken for each other."""
    seen: dict[str, str] = {}
    for name in names:
        first = seen.setdefault(name.text.casefold(), name.text)
        if first != name.text:
            message = _("“%(name)s” looks like “%(other)s”.") % {"name": name.text, "other": first}
            faults.add(name.node, message, _("Join the two, or rename one."))


def refuse_second_subject(
    classes: Mapping[str, EntityClass], nodes: Mapping[str, tuple[yaml.Node, yaml.Node]], faults: Faults
) -> None:
    """A document's subject is of one class."""
    for name in [name for name, each in classes.items() if each.is_subject][1:]:
        message = _("%(name)s is the second class with “subject: true”.") % {"name": name}
        faults.add(nodes[name][0], message, _("Keep it at one class."))


def refuse_shared_columns(
    classes: Mapping[str, EntityClass], nodes: Mapping[str, tuple[yaml.Node, yaml.Node]], faults: Faults
) -> None:
    """A column names one class."""
    owners: dict[str, str] = {}
    for name, each in classes.items():
        for column in each.columns:
            if owners.setdefault(column, name) != name:
                message = _("The column “%(column)s” names both %(one)s and %(other)s.")
                words = {"column": column, "one": owners[column], "other": name}
                faults.add(nodes[name][0], message % words, _("Keep it at one of them."))

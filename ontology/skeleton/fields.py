"""The kinds of values that stand in a skeleton, read from nodes: mappings with known keys, texts, lists of texts, flags. What is of another kind becomes a fault and counts as absent."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import yaml
from django.utils.translation import gettext as _

from ontology.skeleton.faults import WIDE_COLON, Faults, colon_advice, nearest
from ontology.types import Labels

TEXT = "tag:yaml.org,2002:str"
NULL = "tag:yaml.org,2002:null"
BOOLEAN = "tag:yaml.org,2002:bool"
LANGUAGES = ("en", "zh")
TEXT_MAX = 2000
LIST_MAX = 1000
NAME = re.compile(r"[^\W\d]\w{0,59}")


@dataclass(frozen=True, slots=True)
class Written:
    """A text and the node it was read from."""

    text: str
    node: yaml.Node


Entries = Mapping[str, tuple[yaml.Node, yaml.Node]]
"""By key: the node of the key, for faults, and the node of its value."""


def is_null(node: yaml.Node) -> bool:
    """Nothing was written."""
    return isinstance(node, yaml.ScalarNode) and node.tag == NULL


def entries(node: yaml.Node, faults: Faults, what: str) -> Entries:
    """A mapping whose keys are names of the author's. Duplicates are faults."""
    if not isinstance(node, yaml.MappingNode):
        wide = isinstance(node, yaml.ScalarNode) and WIDE_COLON in node.value
        instead = colon_advice() if wide else _("Write “Name:” lines.")
        faults.add(node, _("%(what)s: names with a colon are wanted here.") % {"what": what}, instead)
        return {}
    found: dict[str, tuple[yaml.Node, yaml.Node]] = {}
    for key, value in node.value:
        name = text(key, faults, what)
        if name and name in found:
            line = found[name][0].start_mark.line + 1
            message = _("“%(name)s” stands here a second time (first on line %(line)s).") % {"name": name, "line": line}
            faults.add(key, message, _("Join the two, or rename one."))
        elif name:
            found[name] = (key, value)
    return found


def record(node: yaml.Node, known: Sequence[str], faults: Faults, what: str) -> dict[str, yaml.Node]:
    """A mapping with these keys and no others; one that is empty (null) counts as one without keys."""
    if is_null(node):
        return {}
    found = entries(node, faults, what)
    for key, (key_node, value) in found.items():
        if key not in known:
            faults.add(key_node, _("%(what)s has no “%(key)s”.") % {"what": what, "key": key}, nearest(key, known))
        elif is_null(value):
            faults.add(key_node, _("“%(key)s” is empty.") % {"key": key}, _("Write a value or leave the line out."))
    return {key: value for key, (_key, value) in found.items() if key in known and not is_null(value)}


def text(node: yaml.Node, faults: Faults, what: str) -> str:
    """A text that is not empty; numbers, dates and yes/no must be quoted to be one."""
    if not isinstance(node, yaml.ScalarNode):
        faults.add(
            node, _("%(what)s: a text is wanted here.") % {"what": what}, _("Write words, in quotes if need be.")
        )
        return ""
    if node.tag != TEXT:
        message = _("%(what)s: YAML reads %(value)s as something else than text.")
        faults.add(
            node,
            message % {"what": what, "value": node.value or "null"},
            _("Write “%(value)s” in quotes.") % {"value": node.value},
        )
        return ""
    words = str(node.value).strip()
    if not words or len(words) > TEXT_MAX:
        message = _("%(what)s: a text of 1 to %(most)s characters is wanted here.")
        faults.add(node, message % {"what": what, "most": TEXT_MAX})
        return ""
    return words


def texts(node: yaml.Node | None, faults: Faults, what: str, *, or_one: bool = False) -> list[Written]:
    """A list of different texts, or (`or_one`) a single one; nothing when it is absent."""
    if node is None:
        return []
    if or_one and isinstance(node, yaml.ScalarNode):
        return [Written(words, node)] if (words := text(node, faults, what)) else []
    if not isinstance(node, yaml.SequenceNode) or len(node.value) > LIST_MAX:
        message = _("%(what)s: a list of at most %(most)s texts is wanted here.") % {"what": what, "most": LIST_MAX}
        faults.add(node, message, _("Write [one, another], or a line with “- ” for each."))
        return []
    written = [Written(words, each) for each in node.value if (words := text(each, faults, what))]
    for again in repeated(written):
        faults.add(again.node, _("“%(word)s” stands here twice.") % {"word": again.text}, _("Keep one of them."))
    return written


def repeated(written: Iterable[Written]) -> list[Written]:
    """Those that stood before."""
    seen: set[str] = set()
    return [each for each in written if each.text in seen or seen.add(each.text)]  # type: ignore[func-returns-value]


def labels(node: yaml.Node | None, faults: Faults, what: str) -> Labels:
    """Words by language."""
    if node is None:
        return {}
    found = record(node, LANGUAGES, faults, what)
    return {language: words for language, value in found.items() if (words := text(value, faults, what))}


def flag(node: yaml.Node | None, faults: Faults, what: str) -> bool:
    """True or false; false when absent."""
    if node is None:
        return False
    if not isinstance(node, yaml.ScalarNode) or node.tag != BOOLEAN:
        faults.add(node, _("%(what)s: yes or no is wanted here.") % {"what": what}, _("Write true or false."))
        return False
    return str(node.value).lower() in ("true", "yes", "on")


def name_is_usable(written: Written, reserved: Sequence[str], faults: Faults) -> bool:
    """A letter, then letters, digits and underscores; not one that Trellis itself uses."""
    if not NAME.fullmatch(written.text):
        message = _("“%(name)s” can't be a name: letters, digits and _ only, a letter first, at most 60.")
        suggestion = re.sub(r"\W+", "_", written.text).strip("_")[:60] or "Name"
        suggestion = suggestion if NAME.fullmatch(suggestion) else f"n{suggestion}"
        faults.add(written.node, message % {"name": written.text}, _("Write %(name)s.") % {"name": suggestion})
        return False
    if written.text.casefold() in {name.casefold() for name in reserved}:
        message = _("“%(name)s” is a name that Trellis uses itself.") % {"name": written.text}
        faults.add(written.node, message, _("Choose another, such as %(name)s_.") % {"name": written.text})
        return False
    return True

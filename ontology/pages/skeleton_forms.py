"""The forms of the editor of skeletons: which ones a part has, what each makes of the text, and beside which field a fault belongs that it would bring.

A part is named by the keys that lead to it; where one is to be added, by those that lead to its block: “classes”, “classes/System/attributes”.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml
from django.utils.translation import gettext_lazy as _

from common.errors import InvalidInput
from ontology.editing.changes import added, removed, renamed
from ontology.editing.parts import BLOCKS, Part, names_under, part_at, referring_to
from ontology.editing.places import Path, entry_at, entry_in
from ontology.editing.values import value_at, written
from ontology.pages.skeleton_fields import (
    AttributeForm,
    ClassForm,
    PartForm,
    PhrasesForm,
    RelationForm,
    RulesForm,
)
from ontology.skeleton.faults import Fault
from ontology.skeleton.read import read_skeleton
from ontology.skeleton.source import tree_of

REMOVE = "remove"
FORMS: dict[str, type[PartForm]] = {
    "class": ClassForm,
    "rules": RulesForm,
    "relation": RelationForm,
    "phrases": PhrasesForm,
    "attribute": AttributeForm,
}
FORMS_OF = {"class": ("class", "rules"), "relation": ("relation", "phrases"), "attribute": ("attribute",)}


@dataclass(frozen=True, slots=True)
class Panel:
    """The one part that is open: its forms by their names, the first of which says it in words; `just_written` is the name of one."""

    path: Path
    kind: str
    forms: Mapping[str, PartForm]
    attributes: tuple[Part, ...] = ()
    referring: tuple[str, ...] = ()
    line: int = 1
    just_written: str = ""

    @property
    def key(self) -> str:
        return "/".join(self.path)

    @property
    def is_new(self) -> bool:
        return is_block(self.path)

    @property
    def name(self) -> str:
        return "" if self.is_new else self.path[-1]

    @property
    def owner(self) -> str:
        """Of an attribute."""
        return self.path[1] if self.kind == "attribute" else ""

    @property
    def owner_key(self) -> str:
        return "/".join(self.path[:2])


@dataclass(frozen=True, slots=True)
class Edited:
    """The text after a form, and the part to show; `written` is the form's name, `refused` the form (with its name) that changed nothing because of its faults."""

    text: str
    path: Path | None
    written: str = ""
    refused: tuple[str, PartForm] | None = None


def changed(text: str, data: Any) -> Edited:
    """What one form makes of the text. Raises InvalidInput, SkeletonRefused for a text that is no YAML."""
    path, deed = part_of(data.get("part", "")), data.get("deed", "")
    if deed == REMOVE and not is_block(path):
        return Edited(removed(text, path), path[:2] if len(path) > 2 else None)
    if deed not in FORMS_OF[kind_of(path)]:
        raise InvalidInput(_("There is no such change."))
    form = form_for(text, path, deed, data)
    if form.is_valid():
        try:
            after, now = applied(text, path, form)
        except InvalidInput as error:
            form.add_error("name" if error.extra.get("field") == "name" else None, str(error))
            return Edited(text, path, refused=(deed, form))
        wrong = new_faults(text, after)
        if not wrong:
            return Edited(after, now[:2] if is_block(path) else now, deed)
        place(wrong, form, after, now)
    return Edited(text, path, refused=(deed, form))


def panel_of(text: str, path: Path, just_written: str = "", refused: tuple[str, PartForm] | None = None) -> Panel:
    """Raises InvalidInput where there is no such part, SkeletonRefused for a text that is no YAML."""
    kind, root = kind_of(path), tree_of(text)
    names = FORMS_OF[kind][:1] if is_block(path) else FORMS_OF[kind]
    forms = {name: form_for(text, path, name) for name in names} | dict([refused] if refused else [])
    if is_block(path):
        return Panel(path, kind, forms)
    line = entry_at(text, path).key.start_mark.line + 1
    referring = tuple(referring_to(text, path[-1])) if kind == "class" else ()
    return Panel(path, kind, forms, part_at(root, path).attributes, referring, line, just_written)


def form_for(text: str, path: Path, name: str, data: Any = None) -> PartForm:
    """Filled with what stands in the text, or with what was sent."""
    classes = names_under(tree_of(text), ("classes",))
    if is_block(path):
        return FORMS[name](data, names=classes)
    entry_at(text, path)
    return FORMS[name](data, declared=value_at(text, path), names=classes, name=path[-1])


def applied(text: str, path: Path, form: PartForm) -> tuple[str, Path]:
    """The text with all that was changed in the form, and where the part is now. Raises InvalidInput."""
    name = form.cleaned_data.get("name", "")
    if is_block(path):
        return added(text, path, name, nested(form.written())), (*path, name)
    if "name" in form.changed_data:
        text, path = renamed(text, path, name), (*path[:-1], name)
    for where, value in form.written().items():
        text = written(text, (*path, *where), value)
    return text, path


def nested(values: Mapping[Path, Any]) -> dict[str, Any]:
    """Places of one or two keys as a mapping; what is None is left out."""
    found: dict[str, Any] = {}
    for where, value in values.items():
        if value is not None:
            into = found.setdefault(where[0], {}) if len(where) == 2 else found
            into[where[-1]] = value
    return found


def new_faults(before: str, after: str) -> list[Fault]:
    """Those that the change would bring."""
    known = {(each.message, each.instead) for each in read_skeleton(before).faults}
    found = [each for each in read_skeleton(after).faults if not each.is_warning]
    return [each for each in found if (each.message, each.instead) not in known]


def place(faults: list[Fault], form: PartForm, text: str, path: Path) -> None:
    """Each beside the field within whose words it is, else above the form."""
    root = tree_of(text)
    for fault in faults:
        form.add_error(field_at(fault, form, root, path), f"{fault.message} {fault.instead}".strip())
    first = next((name for name in form.fields if name in form.errors), None)
    if first:
        form.fields[first].widget.attrs["autofocus"] = True


def field_at(fault: Fault, form: PartForm, root: yaml.Node, path: Path) -> str | None:
    at = (fault.line - 1, fault.column - 1)
    for field, where in form.places.items():
        entry = entry_in(root, (*path, *where))
        if entry:
            start, end = entry.key.start_mark, entry.value.end_mark
            if (start.line, start.column) <= at < (end.line, end.column):
                return field
    entry = entry_in(root, path)
    is_at_name = entry and (entry.key.start_mark.line, entry.key.start_mark.column) == at
    return "name" if is_at_name and "name" in form.changed_data else None


def part_of(key: str) -> Path:
    """The keys of “classes/System/attributes/vendor”. Raises InvalidInput."""
    steps = tuple(key.split("/"))
    is_one = len(steps) <= 4 and steps[0] in BLOCKS and all(steps) and steps[2:3] in ((), ("attributes",))
    if not is_one:
        raise InvalidInput(_("Choose a class, an attribute or a relation."), field="part")
    return steps


def is_block(path: Path) -> bool:
    """Whether it leads to where parts are, not to a part."""
    return len(path) % 2 == 1


def kind_of(path: Path) -> str:
    if len(path) > 2:
        return "attribute"
    return "class" if path[0] == "classes" else "relation"

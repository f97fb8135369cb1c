"""What waits in quarantine as a change of the skeleton: given the person's text and one case, gives the text with the unknown class, relation or attribute drafted into it. All else stays as it was written, comments too."""

import re
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from accounts.types import Subject
from common.errors import InvalidInput, NotFound
from ontology.editing.places import entry_in
from ontology.editing.writing import with_entry
from ontology.models import Quarantined
from ontology.rights import require_graph_editor
from ontology.skeleton.source import tree_of
from ontology.types import AttributeType, Reason, ValueType
from ontology.values.parse import parse
from ontology.values.unreadable import UnreadableValue

PROPOSED = {Reason.UNKNOWN_CLASS, Reason.UNKNOWN_RELATION, Reason.UNKNOWN_ATTRIBUTE}
TRIED = (ValueType.INTEGER, ValueType.DATE, ValueType.NUMBER, ValueType.BOOLEAN)
_PLAIN = re.compile(r"\W+")


def proposal_for(subject: Subject, graph_id: UUID, case_id: UUID, skeleton_text: str) -> str:
    """For the editor of the skeleton, which is opened with `?draft=<case id>`. Raises NotFound, InvalidInput."""
    require_graph_editor(subject, graph_id)
    case = Quarantined.objects.filter(pk=case_id, graph=graph_id).first()
    if case is None:
        raise NotFound(_("This case is gone; its document has been read again or deleted."))
    return proposed_text(skeleton_text, case)


def proposed_text(skeleton_text: str, case: Quarantined) -> str:
    """With the draft in it. Raises InvalidInput for a case that no change of the skeleton settles, SkeletonRefused for a text that is no YAML."""
    if case.reason not in PROPOSED:
        raise InvalidInput(_("No change of the skeleton settles this."))
    root = tree_of(skeleton_text)
    found: dict[str, Any] = case.found
    if case.reason == Reason.UNKNOWN_CLASS:
        return with_entry(skeleton_text, root, ("classes",), identifier(case.about), {"labels": {"en": case.about}})
    if case.reason == Reason.UNKNOWN_RELATION:
        ends = {"from": [found["source"]["class_name"]], "to": [found["target"]["class_name"]]}
        return with_entry(
            skeleton_text, root, ("relations",), identifier(case.about), {**ends, "labels": {"en": case.about}}
        )
    owner, _dot, name = case.about.partition(".")
    block = "classes" if entry_in(root, ("classes", owner)) else "relations"
    declared = {"type": type_of(raw_of(found, name)), "labels": {"en": name}}
    if identifier(name) != name:
        declared["keys"] = [name]
    return with_entry(skeleton_text, root, (block, owner, "attributes"), identifier(name), declared)


def identifier(words: str) -> str:
    """A name as skeletons allow it."""
    name = _PLAIN.sub("_", words.strip()).strip("_") or "Unnamed"
    return f"_{name}" if name[0].isdigit() else name


def raw_of(found: dict[str, Any], name: str) -> str:
    """The value as it is written."""
    return str(found.get("raw") or found.get("attributes", {}).get(name, ""))


def type_of(raw: str) -> str:
    """The strictest type that can read it."""
    for kind in TRIED:
        try:
            parse(raw, AttributeType("proposed", kind))
        except UnreadableValue:
            continue
        return kind.value
    return ValueType.TEXT.value

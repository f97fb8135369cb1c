"""What the entity desk shows of a pair: both sides beside each other, what they share and where they differ. Given two described entities, gives rows for a template."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from django.utils.translation import gettext as _

from ontology.export import written
from ontology.labels import labelled, labelled_inverse
from ontology.models import Entity, Suggestion
from ontology.pages.words import class_shown
from ontology.resolution.reasons import is_against, said
from ontology.selectors.entity import Described, described
from ontology.selectors.views import GraphView

QUOTES = 3
RELATIONS = 6
ALIKE = 0.5


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a name; `differs` where the other has something else there."""

    text: str
    differs: bool


@dataclass(frozen=True, slots=True)
class Said:
    """One line on one side; `is_shared` when the other side says it too."""

    text: str
    is_shared: bool = False
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the comparison. `differs`: both say something, and nothing of it is the same."""

    label: str
    left: Sequence[Said]
    right: Sequence[Said]
    differs: bool = False
    left_more: int = 0
    right_more: int = 0


def pair_shown(view: GraphView, suggestion: Suggestion) -> dict[str, Any]:
    """All that the card of a suggestion shows."""
    left, right = described(view, suggestion.left), described(view, suggestion.right)
    return {
        "suggestion": suggestion,
        "percent": round(suggestion.score * 100),
        "reasons": reasons_shown(view, suggestion.reasons, suggestion.left, suggestion.right),
        "left": side(view, left, right),
        "right": side(view, right, left),
        "rows": [*value_rows(left, right), *([row] if (row := relation_row(left, right)) else [])],
        "into": "left" if weight(suggestion.left) >= weight(suggestion.right) else "right",
    }


def weight(entity: Entity) -> tuple[bool, int]:
    """Who stays when the two are merged, unless the editor says otherwise."""
    return entity.is_confirmed, entity.support


def side(view: GraphView, known: Described, other: Described) -> dict[str, Any]:
    return {
        "entity": known.root,
        "pieces": pieces(known.name, other.name),
        "class": class_shown(view, known.root.class_name),
        "others": [each.name for each in known.others[:6]],
        "count": known.mention_count,
        "documents": known.document_count,
        "quotes": known.mentions[:QUOTES],
    }


def pieces(name: str, other: str) -> list[Piece]:
    """Where two names are nearly one, what differs is marked; where they are not, nothing is."""
    matcher = SequenceMatcher(None, name, other, autojunk=False)
    if matcher.ratio() < ALIKE:
        return [Piece(name, False)]
    return [
        Piece(name[start:end], kind != "equal") for kind, start, end, _from, _to in matcher.get_opcodes() if end > start
    ]


def reasons_shown(view: GraphView, reasons: Sequence[dict[str, Any]], *entities: Entity) -> list[dict[str, Any]]:
    """In words, with attributes and classes as the skeleton calls them."""
    owners = [view.skeleton.classes[each.class_name] for each in entities if each.class_name in view.skeleton.classes]

    def label(name: str) -> str:
        declared = next((found for owner in owners if (found := owner.attribute(name))), None)
        return labelled(declared or view.skeleton.classes.get(name), name)

    return [{"text": said(each, label), "against": is_against(each)} for each in reasons]


def value_rows(left: Described, right: Described) -> list[Row]:
    """One row an attribute that either has."""
    owner = left.view.skeleton.classes.get(left.root.class_name)
    rows = []
    for name in sorted({*left.values, *right.values}):
        one, other = ([written(value) for value in known.values.get(name, ())] for known in (left, right))
        both = set(one) & set(other)
        label = labelled(owner.attribute(name) if owner else None, name)
        differs = bool(one and other and not both)
        rows.append(
            Row(
                label, [Said(text, text in both) for text in one], [Said(text, text in both) for text in other], differs
            )
        )
    return rows


def relation_row(left: Described, right: Described) -> Row | None:
    """What either has a relation to, the shared first."""
    told = [relations_of(known) for known in (left, right)]
    both = set(told[0]) & set(told[1])
    lines = [sorted((Said(other, (type, other) in both, type) for type, other in each), key=first) for each in told]
    if not any(lines):
        return None
    one, other = lines
    more = (max(0, len(one) - RELATIONS), max(0, len(other) - RELATIONS))
    return Row(_("Relations"), one[:RELATIONS], other[:RELATIONS], False, *more)


def first(line: Said) -> tuple[bool, str, str]:
    return not line.is_shared, line.detail, line.text


def relations_of(known: Described) -> list[tuple[str, str]]:
    """As they read from the entity: what the relation is called, and to whom it leads."""
    declared = known.view.skeleton.relations
    found = {
        (
            labelled(declared.get(each.edge.type), each.edge.type)
            if each.is_outgoing
            else labelled_inverse(declared.get(each.edge.type), each.edge.type),
            each.other.name,
        )
        for each in known.relations
    }
    return sorted(found)

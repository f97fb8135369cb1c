"""Facts that differ between two readings, one page at a time, with names, values and quotations. Given changes, gives them under names that the subject may know."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from ontology.models import AttributeValue, Entity
from ontology.roots import roots_of
from ontology.selectors.entities import Shown, shown
from ontology.selectors.fact_changes import KINDS, ROWS, FactChanges, Said
from ontology.selectors.quotes import Quote, quotes_at
from ontology.selectors.views import GraphView, condition

PAGE = 30


@dataclass(frozen=True, slots=True)
class End:
    """An entity at which a fact hangs. `is_known`: it has a page that the subject may open."""

    id: UUID
    name: str
    class_name: str
    is_known: bool


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a change: the row, its quotation, and the entities that it is about. `is_still_known`: something that the subject may read, or a person, says so now."""

    row: Any
    quote: Quote | None
    entity: End
    other: End | None
    is_still_known: bool


@dataclass(frozen=True, slots=True)
class FactChangeShown:
    """A change with its words; at least one side is there."""

    kind: str
    action: str
    before: Side | None
    after: Side | None

    @property
    def sides(self) -> list[Side]:
        """Those that are there, what was first."""
        return [side for side in (self.before, self.after) if side]

    @property
    def entity(self) -> End:
        return self.sides[-1].entity


def facts_shown(changes: FactChanges, *, page: int = 1) -> list[FactChangeShown]:
    """One page, from 1, in the order of the text, with names, quotations and whether it is still known; empty behind the last."""
    first = max(0, page - 1) * PAGE
    chosen = changes.all[first : first + PAGE]
    sides = [(each.kind, said) for each in chosen for said in (each.before, each.after) if said]
    words = Words.of(changes.view, sides)
    return [
        FactChangeShown(
            each.kind,
            each.action,
            words.side(each.kind, each.before) if each.before else None,
            words.side(each.kind, each.after) if each.after else None,
        )
        for each in chosen
    ]


@dataclass(frozen=True, slots=True)
class Words:
    """What is needed to show some facts: their rows, quotations, and the entities they are about as the subject may know them."""

    view: GraphView
    rows: Mapping[UUID, Any]
    known: frozenset[UUID]
    quotes: Mapping[UUID, Quote]
    roots: Mapping[UUID, UUID]
    seen: Mapping[UUID, Shown]
    own: Mapping[UUID, Entity]

    @classmethod
    def of(cls, view: GraphView, sides: Sequence[tuple[str, Said]]) -> "Words":
        rows: dict[UUID, Any] = {}
        known: set[UUID] = set()
        for kind in KINDS:
            model = ROWS[kind]
            seen = condition(view.visible(kind, f'"{model._meta.db_table}"'))
            found = model._default_manager.filter(pk__in=[said.fact for each, said in sides if each == kind])
            rows |= {row.pk: row for row in found}
            known |= set(found.filter(seen).values_list("pk", flat=True))
        ends = {end for row in rows.values() for end in ends_of(row)}
        roots = roots_of(ends)
        return cls(
            view,
            rows,
            frozenset(known),
            quotes_at([said.place for _kind, said in sides]),
            roots,
            shown(view, set(roots.values())),
            Entity.objects.in_bulk(ends),
        )

    def side(self, kind: str, said: Said) -> Side:
        row = self.rows[said.fact]
        first, *others = (self.end(id) for id in ends_of(row))
        is_known = first.is_known and self.is_seen(first) if kind == "entity" else said.fact in self.known
        return Side(row, self.quotes.get(said.place), first, others[0] if others else None, is_known)

    def end(self, id: UUID) -> End:
        """Under the name that the subject may know; under the one that this document gave it where it is known no more."""
        root, own = self.roots.get(id, id), self.own[id]
        if each := self.seen.get(root):
            return End(root, each.name, each.class_name, True)
        return End(root, own.name, own.class_name, self.view.may_edit)

    def is_seen(self, end: End) -> bool:
        return end.id in self.seen


def ends_of(row: Any) -> list[UUID]:
    """The entities that a fact is about, the one it hangs at first."""
    match row:
        case Entity():
            return [row.pk]
        case AttributeValue():
            return [row.entity_id, *([row.reference_id] if row.reference_id else [])]
        case _:
            return [row.source_id, row.target_id]

"""All that is known of one entity and of those merged into it, for its page, for REST and for export. Only what the subject may know of; the best supported first."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

from ontology.models import Alias, AttributeValue, Entity
from ontology.names import normal
from ontology.roots import members_of
from ontology.selectors.entities import ROW, Shown, other_names, shown
from ontology.selectors.pictures import Bounds, Edge, edges_of
from ontology.selectors.quotes import Quote, places_of
from ontology.selectors.views import GraphView, condition, number
from ontology.values.agreement import Exact, agree, exact

QUOTES_A_FACT = 5
MENTIONS = 20
RELATIONS_MAX = 500
COUNT_MENTIONS = """
SELECT count(*), count(DISTINCT evidence.document_id) FROM ontology_evidence AS evidence JOIN knowledge_document AS document ON document.id = evidence.document_id
WHERE evidence.entity_id = ANY(%s) AND evidence.is_live AND document.kb_id = ANY(%s)
"""


@dataclass(frozen=True, slots=True)
class Other:
    """Another name, and whose it is: of an entity that was merged (`entity`), or one more of the same."""

    name: str
    entity: Entity | None = None


@dataclass(frozen=True, slots=True)
class ValueShown:
    """`is_contradicted`: another exact value of the same attribute is known, and both can't be true. The first of several is the one to believe."""

    row: AttributeValue
    support: int
    quotes: Sequence[Quote]
    is_contradicted: bool
    reference: Shown | None = None


@dataclass(frozen=True, slots=True)
class RelationShown:
    """A relation as it is seen from the entity: `is_outgoing` when it leads from it to the other."""

    edge: Edge
    is_outgoing: bool
    other: Shown
    quotes: Sequence[Quote]


@dataclass(frozen=True, slots=True)
class Described:
    """An entity for readers. `mention_count` and `document_count` are of all places, `mentions` the first of them."""

    view: GraphView
    root: Entity
    name: str
    others: Sequence[Other]
    values: Mapping[str, Sequence[ValueShown]]
    relations: Sequence[RelationShown]
    mentions: Sequence[Quote]
    mention_count: int
    document_count: int

    @property
    def has_contradictions(self) -> bool:
        return any(value.is_contradicted for values in self.values.values() for value in values)


def described(view: GraphView, root: Entity) -> Described:
    """For a root that the subject was found to see."""
    members = members_of([root.pk])[root.pk]
    mentions, documents = mention_counts(view, members)
    name = shown_name(view, root)
    return Described(
        view,
        root,
        name,
        names_of(view, root, members, name),
        values_of(view, members),
        relations_of(view, root, members),
        mentions_of(view, members),
        mentions,
        documents,
    )


def shown_name(view: GraphView, root: Entity) -> str:
    """Under which the subject may know it."""
    if view.sees_all or view.may_edit:
        return root.name
    found = shown(view, [root.pk]).get(root.pk)
    return found.name if found else other_names(view, [root.pk]).get(root.pk, "")


def names_of(view: GraphView, root: Entity, members: Collection[UUID], name: str) -> list[Other]:
    """Those that were merged with their names, then other names; each once."""
    own, alias = view.visible("entity", ROW), view.visible("alias", '"ontology_alias"')
    merged = Entity.objects.filter(pk__in=members).exclude(pk=root.pk).order_by("name", "pk")
    if not view.may_edit:
        merged = merged.filter(condition(own))
    aliases = Alias.objects.filter(condition(alias), entity__in=members)
    found = [Other(each.name, each) for each in merged]
    seen = {normal(name), *(normal(each.name) for each in found)}
    for text in aliases.order_by("-support", "pk").values_list("text", flat=True):
        if normal(text) not in seen:
            seen.add(normal(text))
            found.append(Other(text))
    return found


def values_of(view: GraphView, members: Collection[UUID]) -> dict[str, list[ValueShown]]:
    """By attribute, the one to believe first: a person's word, an exact one, what the latest document says, what more places say."""
    rows = list(value_rows(view, members))
    quotes = places_of(view, "attribute", [row.pk for row in rows], limit=QUOTES_A_FACT)
    referred = shown(view, {row.reference_id for row in rows if row.reference_id})
    rows.sort(key=lambda row: believed(row, quotes[row.pk]), reverse=True)
    known: dict[str, set[Exact]] = {}
    for row in rows:
        if not row.comparison:
            known.setdefault(row.name, set()).add(compared(row))
    found: dict[str, list[ValueShown]] = {}
    for row in sorted(rows, key=lambda row: row.name):
        is_contradicted = not row.comparison and any(not agree(compared(row), each) for each in known[row.name])
        reference = referred.get(row.reference_id) if row.reference_id else None
        found.setdefault(row.name, []).append(
            ValueShown(row, row.seen_support, quotes[row.pk], is_contradicted, reference)
        )
    return found


def compared(row: AttributeValue) -> Exact:
    return exact(row.value_key, row.value, row.unit, row.text)


def value_rows(view: GraphView, members: Collection[UUID]) -> "QuerySet[Any]":
    row = '"ontology_attributevalue"'
    seen, support = view.visible("attribute", row), view.support("attribute", row)
    found = AttributeValue.objects.filter(condition(seen), entity__in=members)
    return found.annotate(seen_support=number(support)).order_by("pk")


def believed(row: Any, quotes: Sequence[Quote]) -> tuple[bool, bool, date, datetime | date, int]:
    """Greater is believed more."""
    dated = max((quote.effective_on for quote in quotes if quote.effective_on), default=date.min)
    read = max((quote.read_at.date() for quote in quotes), default=date.min)
    return row.is_confirmed, not row.comparison, dated, read, row.seen_support


def relations_of(view: GraphView, root: Entity, members: Collection[UUID]) -> list[RelationShown]:
    """Both directions, by type, the best supported first."""
    edges = edges_of(view, Bounds(), touching=members, limit=RELATIONS_MAX)
    known = shown(view, {edge.target if edge.source == root.pk else edge.source for edge in edges})
    quotes = places_of(view, "relation", [edge.id for edge in edges], limit=QUOTES_A_FACT)
    found = []
    for edge in sorted(edges, key=lambda edge: (edge.type, edge.source != root.pk, -edge.support)):
        is_outgoing = edge.source == root.pk
        other = known.get(edge.target if is_outgoing else edge.source)
        if other is not None:
            found.append(RelationShown(edge, is_outgoing, other, quotes[edge.id]))
    return found


def mentions_of(
    view: GraphView, members: Collection[UUID], *, after: UUID | None = None, limit: int = MENTIONS
) -> list[Quote]:
    """The places where it is named, those that were found first; `after` continues."""
    more = {"after": after} if after else {}
    found = places_of(view, "entity", members, limit=limit, **more)
    return sorted((quote for quotes in found.values() for quote in quotes), key=lambda quote: quote.id)[:limit]


def closest(quotes: Sequence[Quote]) -> list[Quote]:
    """Without those that hold another one of them: a row or sentence that says something of it, beside its name there."""
    return [
        quote
        for quote in quotes
        if not any(
            other.document_id == quote.document_id
            and other.version == quote.version
            and (other.start, other.end) != (quote.start, quote.end)
            and quote.start <= other.start
            and other.end <= quote.end
            for other in quotes
        )
    ]


def mention_counts(view: GraphView, members: Collection[UUID]) -> tuple[int, int]:
    """Places, and documents that they stand in."""
    with connection.cursor() as cursor:
        cursor.execute(COUNT_MENTIONS, [list(members), list(view.kb_ids)])
        places, documents = cursor.fetchone() or (0, 0)
    return places, documents

"""Parts of a graph to look at: the strongest of it, and what lies around one entity. Bounded, the best supported first; only what the subject may know of."""

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import connection

from ontology.roots import members_of, roots_of
from ontology.selectors.entities import EntityFilter, Shown, entities_found, shown
from ontology.selectors.views import GraphView, Piece

NODES_MAX = 2000
EDGES_A_NODE = 4

RELATIONS = """
SELECT relation.id, relation.source_id, relation.type, relation.target_id, relation.attributes, relation.is_confirmed, relation.was_read,
    relation.decided_by_id, {support} AS places,
    (SELECT source.revision FROM ontology_entity AS source WHERE source.id = relation.source_id) AS revision
FROM ontology_relation AS relation WHERE relation.graph_id = %s AND {visible} {more} ORDER BY places DESC, relation.id LIMIT %s
"""


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation between the two that readers see at its ends. `revision` is that of the entity which the relation itself begins at: who judges it, sends that. `was_read` and `decided_by` (a person's id): see `Fact`."""

    id: UUID
    source: UUID
    type: str
    target: UUID
    support: int
    is_confirmed: bool
    revision: int
    attributes: dict[str, Any] = field(default_factory=dict)
    was_read: bool = False
    decided_by: UUID | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """`is_cut`: there is more than could be given."""

    nodes: tuple[Shown, ...]
    edges: tuple[Edge, ...]
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a picture is narrowed to; no class or relation means all of them."""

    classes: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    limit: int = 200


def strongest(view: GraphView, bounds: Bounds) -> Picture:
    """Entities in the order of their best supported relations; where those do not fill it, other well supported ones."""
    rows = edges_of(view, bounds, limit=bounds.limit * EDGES_A_NODE)
    known = those(shown(view, ends(rows)), bounds.classes)
    chosen = first_ends(rows, known, bounds.limit)
    if len(chosen) < bounds.limit and not bounds.relations:
        for each in best_supported(view, bounds):
            if len(chosen) < bounds.limit:
                chosen.setdefault(each.id, each)
    return Picture(tuple(chosen.values()), among(rows, chosen), is_cut=len(known) > len(chosen))


def around(view: GraphView, root_id: UUID, bounds: Bounds) -> Picture:
    """One entity with those it has relations to, and the relations among all of them."""
    members = members_of([root_id])[root_id]
    rows = edges_of(view, bounds, touching=members, limit=bounds.limit * EDGES_A_NODE)
    known = shown(view, {root_id, *ends(rows)})
    centre = known.get(root_id)
    known = those(known, bounds.classes)
    if centre is None:
        return Picture((), ())
    chosen = {root_id: centre} | first_ends(rows, known | {root_id: centre}, bounds.limit)
    others = edges_of(view, bounds, between=everybody(chosen), limit=bounds.limit * EDGES_A_NODE)
    edges = {edge.id: edge for edge in (*rows, *others)}
    return Picture(tuple(chosen.values()), among(edges.values(), chosen), is_cut=len(known) > len(chosen))


def best_supported(view: GraphView, bounds: Bounds) -> Iterable[Shown]:
    """One question for each class that is wanted."""
    for name in bounds.classes or ("",):
        ids = list(entities_found(view, EntityFilter(class_name=name)).values_list("pk", flat=True)[: bounds.limit])
        found = shown(view, ids)
        yield from (found[pk] for pk in ids if pk in found)


def edges_of(
    view: GraphView,
    bounds: Bounds,
    *,
    limit: int,
    touching: Collection[UUID] | None = None,
    between: Collection[UUID] | None = None,
) -> list[Edge]:
    """The best supported relations, with their ends followed to whom readers see; those that a merge turned into a loop are left out."""
    seen, places = view.visible("relation", "relation"), view.support("relation", "relation")
    more = narrowed(bounds.relations, touching, between)
    statement = RELATIONS.format(support=places.sql, visible=seen.sql, more=more.sql)
    with connection.cursor() as cursor:
        cursor.execute(statement, [*places.values, view.graph.pk, *seen.values, *more.values, limit])
        columns = [column.name for column in cursor.description or ()]
        rows = [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
    roots = roots_of({end for row in rows for end in (row["source_id"], row["target_id"])})
    return [edge for row in rows if (edge := edge_from(row, roots)).source != edge.target]


def narrowed(types: tuple[str, ...], touching: Collection[UUID] | None, between: Collection[UUID] | None) -> Piece:
    sql: list[str] = []
    values: list[object] = []
    if types:
        sql.append("AND relation.type = ANY(%s)")
        values.append(list(types))
    if touching is not None:
        sql.append("AND (relation.source_id = ANY(%s) OR relation.target_id = ANY(%s))")
        values += [list(touching), list(touching)]
    if between is not None:
        sql.append("AND relation.source_id = ANY(%s) AND relation.target_id = ANY(%s)")
        values += [list(between), list(between)]
    return Piece(" ".join(sql), tuple(values))


def edge_from(row: dict[str, Any], roots: dict[UUID, UUID]) -> Edge:
    said = row["attributes"]
    attributes = json.loads(said) if isinstance(said, str) else said
    return Edge(
        row["id"],
        roots[row["source_id"]],
        row["type"],
        roots[row["target_id"]],
        row["places"],
        row["is_confirmed"],
        row["revision"],
        attributes or {},
        row["was_read"],
        row["decided_by_id"],
    )


def ends(edges: Iterable[Edge]) -> set[UUID]:
    return {end for edge in edges for end in (edge.source, edge.target)}


def those(known: dict[UUID, Shown], classes: tuple[str, ...]) -> dict[UUID, Shown]:
    return {pk: each for pk, each in known.items() if not classes or each.class_name in classes}


def first_ends(edges: Iterable[Edge], known: dict[UUID, Shown], limit: int) -> dict[UUID, Shown]:
    """Both ends of the edges in order, as long as there is room for both."""
    chosen: dict[UUID, Shown] = {}
    for edge in edges:
        pair = {edge.source, edge.target}
        if pair <= known.keys() and len(chosen.keys() | pair) <= limit:
            chosen |= {pk: known[pk] for pk in (edge.source, edge.target)}
    return chosen


def among(edges: Iterable[Edge], chosen: Collection[UUID]) -> tuple[Edge, ...]:
    return tuple(edge for edge in edges if edge.source in chosen and edge.target in chosen)


def everybody(roots: Collection[UUID]) -> set[UUID]:
    """These and all that were merged into them."""
    return set().union(*members_of(roots).values())

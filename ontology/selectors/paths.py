"""The shortest way between two entities, at most six relations long. The graph database is asked first where it is there; what it answers is checked against the
ledger, and where that does not hold for the subject (or there is no answer) the ledger itself is searched from both ends, inside a bound.
"""

from dataclasses import dataclass, field
from itertools import pairwise
from uuid import UUID

import structlog

from common.errors import EngineRefused, EngineUnavailable, Misconfigured
from ontology.graph.shortest import shortest_in_database
from ontology.selectors.entities import Shown, shown
from ontology.selectors.pictures import Bounds, Edge, Picture, edges_of, everybody
from ontology.selectors.views import GraphView

log = structlog.get_logger(__name__)

LONGEST = 6
VISITED_MAX = 20_000
EDGES_A_STEP = 20_000
Steps = dict[UUID, tuple[UUID, Edge] | None]


@dataclass(slots=True)
class Search:
    """One of the two ends: everybody who was reached, by whom, and who is to be looked at next."""

    reached: Steps
    edge_of_it: set[UUID] = field(default_factory=set)
    depth: int = 0


def path_between(view: GraphView, source: UUID, target: UUID, *, relations: tuple[str, ...] = ()) -> Picture | None:
    """The entities from one to the other in order, with the relations between them; None when there is no way, or none inside the bound."""
    known = shown(view, {source, target})
    if {source, target} - known.keys():
        return None
    if source == target:
        return Picture((known[source],), ())
    return by_database(view, source, target, relations) or by_ledger(view, source, target, relations)


def by_database(view: GraphView, source: UUID, target: UUID, relations: tuple[str, ...]) -> Picture | None:
    """None too when the database is away, behind, or knows only ways that the subject may not know of."""
    try:
        found = shortest_in_database(view.graph, source, target, relations, longest=LONGEST)
    except (EngineUnavailable, EngineRefused, Misconfigured) as error:
        log.info("graph.path_from_ledger", why=str(error))
        return None
    if not found:
        return None
    edges = edges_of(view, Bounds(relations=relations), between=everybody(found), limit=EDGES_A_STEP)
    return along(view, found, edges)


def along(view: GraphView, ids: list[UUID], edges: list[Edge]) -> Picture | None:
    """These entities in order, with the best supported relation between each and the next; None where one is missing."""
    known = shown(view, ids)
    chosen = []
    for one, other in pairwise(ids):
        edge = next((each for each in edges if {each.source, each.target} == {one, other}), None)
        if edge is None or one not in known or other not in known:
            return None
        chosen.append(edge)
    return Picture(tuple(known[pk] for pk in ids), tuple(chosen))


def by_ledger(view: GraphView, source: UUID, target: UUID, relations: tuple[str, ...]) -> Picture | None:
    """Breadth first from both ends, the smaller one's turn."""
    searches = [Search({source: None}, {source}), Search({target: None}, {target})]
    bounds = Bounds(relations=relations)
    while sum(search.depth for search in searches) < LONGEST:
        search = min(searches, key=lambda each: len(each.edge_of_it))
        if not search.edge_of_it or sum(len(each.reached) for each in searches) > VISITED_MAX:
            return None
        step(view, search, bounds)
        if met := searches[0].reached.keys() & searches[1].reached.keys():
            return joined(view, searches, min(met))
    return None


def step(view: GraphView, search: Search, bounds: Bounds) -> None:
    """Everybody who is one relation further away."""
    edges = edges_of(view, bounds, touching=everybody(search.edge_of_it), limit=EDGES_A_STEP)
    fresh: Steps = {}
    for edge in edges:
        for one, other in ((edge.source, edge.target), (edge.target, edge.source)):
            if one in search.edge_of_it and other not in search.reached:
                fresh.setdefault(other, (one, edge))
    known = shown(view, fresh)
    search.edge_of_it = set(known)
    search.reached |= {pk: fresh[pk] for pk in known}
    search.depth += 1


def joined(view: GraphView, searches: list[Search], met: UUID) -> Picture:
    """From the source to where both met, and on to the target."""
    before, first = walked(searches[0].reached, met)
    after, second = walked(searches[1].reached, met)
    ids = [*reversed(before), *after[1:]]
    known: dict[UUID, Shown] = shown(view, ids)
    return Picture(tuple(known[pk] for pk in ids), (*reversed(first), *second))


def walked(reached: Steps, at: UUID) -> tuple[list[UUID], list[Edge]]:
    """The way back to where this search began."""
    ids, edges = [at], []
    while back := reached[at]:
        at, edge = back
        ids.append(at)
        edges.append(edge)
    return ids, edges

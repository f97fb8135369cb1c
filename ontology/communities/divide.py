"""Divides the graph into communities by the Leiden algorithm (Traag, Waltman and van Eck, "From Louvain to Leiden", 2019). Pure: given links and the earlier division; gives groups.

The coarsest level is found with the Constant Potts Model, because there (Traag, Van Dooren and Nesterov, 2011) a part of the graph is divided as it would be within the whole: after a change only the
communities that it touches are divided anew, beginning from how they were, and all others stay. What is larger than `LARGEST` is divided again by hierarchical Leiden with modularity, as in GraphRAG
(Edge et al., 2024). The seed is fixed: the same input gives the same groups.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from graspologic_native import hierarchical_leiden, leiden  # type: ignore[attr-defined]

from ontology.communities.groups import Group
from ontology.communities.weights import Link

SEED = 20190326
RESOLUTION = 0.01
SMALLEST, LARGEST = 3, 20
SWEEPS, ROUNDS = 50, 3

Edges = list[tuple[str, str, float]]
Home = TypeVar("Home")


@dataclass(frozen=True, slots=True)
class Division:
    """`placed`: how many entities were given their place anew."""

    groups: tuple[Group, ...]
    placed: int


def divide(links: Sequence[Link], known: Sequence[Group], touched: Collection[UUID] | None) -> Division:
    """`touched` are entities of which something has changed since `known`; None: all of them may have."""
    nodes = {end for link in links for end in (link.left, link.right)}
    before = [each for each in known if each.level == 0]
    kept = [] if touched is None else [each for each in before if stays(each, nodes, set(touched))]
    moving = nodes.difference(*(each.ids for each in kept))
    tops = [each.members for each in kept] + coarsest(within(links, moving), before)
    return Division(tuple(with_smaller(tops, links, known)), len(moving))


def stays(group: Group, nodes: set[UUID], touched: set[UUID]) -> bool:
    return group.ids <= nodes and not group.ids & touched


def within(links: Sequence[Link], nodes: set[UUID]) -> list[Link]:
    return [link for link in links if link.left in nodes and link.right in nodes]


def coarsest(links: Sequence[Link], before: Sequence[Group]) -> list[tuple[UUID, ...]]:
    """Groups of level 0, each with its most central member first."""
    if not links:
        return []
    edges = edges_from(links)
    _quality, homes = leiden(
        edges,
        starting_communities=start(edges, before),
        resolution=RESOLUTION,
        use_modularity=False,
        iterations=ROUNDS,
        seed=SEED,
        max_local_moving_iterations=SWEEPS,
    )
    groups = collected(homes.items())
    return ordered([ids for ids in groups.values() if len(ids) >= SMALLEST], links)


def with_smaller(tops: Sequence[tuple[UUID, ...]], links: Sequence[Link], known: Sequence[Group]) -> Iterator[Group]:
    """Each top with what is below it: as it was where the top is as it was."""
    earlier = {group.ids: place for place, group in enumerate(known) if group.level == 0}
    inner = inside(tops, links)
    children = children_of(known)
    count = 0
    for place, members in enumerate(tops):
        found = [Group(0, members)]
        if (old := earlier.get(frozenset(members))) is not None:
            found = subtree(known, children, old)
        elif len(members) > LARGEST:
            found += smaller(members, inner[place], known)
        for group in found:
            yield Group(group.level, group.members, None if group.parent is None else group.parent + count)
        count += len(found)


def smaller(top: tuple[UUID, ...], links: Sequence[Link], known: Sequence[Group]) -> list[Group]:
    """What is below a top; their parents count from the top, which is 0."""
    edges = edges_from(links)
    clusters = hierarchical_leiden(
        edges,
        starting_communities=start(edges, [each for each in known if each.level == 1]),
        iterations=ROUNDS,
        max_cluster_size=LARGEST,
        seed=SEED,
        max_local_moving_iterations=SWEEPS,
    )
    parts = collected((each.node, (each.level, each.cluster, each.parent_cluster)) for each in clusters)
    places: dict[int | None, int] = {None: 0}
    groups = [Group(0, top)]
    for (_level, cluster, above), ids in sorted(parts.items(), key=lambda part: part[0][:2]):
        parent = places.get(above)
        if parent is None or len(ids) < SMALLEST:
            continue
        if ids == groups[parent].ids:  # not divided
            places[cluster] = parent
            continue
        places[cluster] = len(groups)
        groups.append(Group(groups[parent].level + 1, ordered([ids], within(links, ids))[0], parent))
    return groups[1:]


def edges_from(links: Sequence[Link]) -> Edges:
    return [(link.left.hex, link.right.hex, link.weight) for link in links]


def start(edges: Edges, before: Sequence[Group]) -> dict[str, int]:
    """Everybody where they were; who was nowhere stands alone."""
    names = sorted({end for left, right, _weight in edges for end in (left, right)})
    homes = {member.hex: number for number, group in enumerate(before) for member in group.members}
    numbers: dict[object, int] = {}
    return {name: numbers.setdefault(homes.get(name, name), len(numbers)) for name in names}


def collected(homes: Iterable[tuple[str, Home]]) -> dict[Home, set[UUID]]:
    """Who lives where."""
    found: dict[Home, set[UUID]] = defaultdict(set)
    for name, home in homes:
        found[home].add(UUID(name))
    return found


def inside(tops: Sequence[tuple[UUID, ...]], links: Sequence[Link]) -> Mapping[int, list[Link]]:
    """The links within each top."""
    homes = {member: place for place, members in enumerate(tops) for member in members}
    found: dict[int, list[Link]] = defaultdict(list)
    for link in links:
        home = homes.get(link.left)
        if home is not None and home == homes.get(link.right):
            found[home].append(link)
    return found


def ordered(groups: Sequence[Collection[UUID]], links: Sequence[Link]) -> list[tuple[UUID, ...]]:
    """The groups by their smallest id; members by the weight of their links inside, the greatest first."""
    sorted_groups = sorted((tuple(sorted(ids)) for ids in groups), key=lambda ids: ids[0])
    weights: defaultdict[UUID, float] = defaultdict(float)
    for inner in inside(sorted_groups, links).values():
        for link in inner:
            weights[link.left] += link.weight
            weights[link.right] += link.weight
    return [tuple(sorted(ids, key=lambda id: (-weights[id], id))) for ids in sorted_groups]


def children_of(known: Sequence[Group]) -> Mapping[int, list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    for place, group in enumerate(known):
        if group.parent is not None:
            found[group.parent].append(place)
    return found


def subtree(known: Sequence[Group], children: Mapping[int, list[int]], root: int) -> list[Group]:
    """As it was; parents count from the root, which is 0."""
    found = [Group(known[root].level, known[root].members)]
    waiting = [(child, 0) for child in children.get(root, ())]
    while waiting:
        place, parent = waiting.pop(0)
        waiting += [(child, len(found)) for child in children.get(place, ())]
        found.append(Group(known[place].level, known[place].members, parent))
    return found

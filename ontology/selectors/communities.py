"""Communities as readers see them: of their members those that the reader may know of, told in sentences that the reader may read. The policy is in every statement."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from accounts.types import Subject
from ontology.communities.central import Central, Told, central_of
from ontology.communities.links import homes_of, links_of
from ontology.communities.sources import readable
from ontology.communities.weights import Link
from ontology.models import Community, CommunityMember
from ontology.selectors.entities import Shown, entities_seen
from ontology.selectors.views import GraphView, graph_view

LIMIT = 50
MOST_MEMBERS = 300
FEW = 2
TITLE_NAMES, SUMMARY_SENTENCES = 3, 3


@dataclass(frozen=True, slots=True)
class CommunityShown:
    """`size` counts the members that the reader may know of, `entities` are the most central of them. `is_by_model`: title and summary are a model's words, else names and quotations."""

    id: UUID
    level: int
    parent: UUID | None
    title: str
    summary: str
    size: int
    is_by_model: bool
    entities: Sequence[Shown]
    told: Sequence[Told]


def communities_for(
    subject: Subject, graph_id: UUID, level: int = 0, *, limit: int = LIMIT
) -> tuple[list[CommunityShown], bool]:
    """The largest of one level, and whether there are more. Raises NotFound for a graph that the subject may not know of."""
    view = graph_view(subject, graph_id)
    rows = list(communities_seen(view).filter(level=level)[: limit + 1])
    return shown_of(view, rows[:limit]), len(rows) > limit


def communities_within(
    view: GraphView, parent_id: UUID | None, *, first: int = 0, limit: int = LIMIT
) -> tuple[list[CommunityShown], bool]:
    """The coarsest, or those inside of one: so many from the place `first`, the largest first, and whether there are more."""
    rows = communities_seen(view)
    inside = rows.filter(parent=parent_id) if parent_id else rows.filter(level=0)
    found = list(inside[first : first + limit + 1])
    return shown_of(view, found[:limit]), len(found) > limit


def lineage(view: GraphView, community_id: UUID) -> list[CommunityShown]:
    """A community and those that hold it, the coarsest first; empty for one that the reader may not know of."""
    found: list[Community] = []
    wanted: UUID | None = community_id
    while wanted and (row := communities_seen(view).filter(pk=wanted).first()):
        found.insert(0, row)
        wanted = row.parent_id
    shown = shown_of(view, found)
    return shown if any(each.id == community_id for each in shown) else []


def with_smaller(view: GraphView, ids: Collection[UUID]) -> set[UUID]:
    """Those of these communities that have smaller ones inside of which the reader may know."""
    rows = communities_seen(view).filter(parent__in=ids).order_by().values_list("parent_id", flat=True)
    return {parent for parent in rows if parent}


def every_community(view: GraphView) -> Iterator[CommunityShown]:
    """All levels, the coarsest first."""
    rows = list(communities_seen(view))
    for first in range(0, len(rows), LIMIT):
        yield from shown_of(view, rows[first : first + LIMIT])


def communities_seen(view: GraphView) -> "QuerySet[Community]":
    """Those in which there is somebody whom the reader may know of, by level, the largest first."""
    rows = Community.objects.filter(graph=view.graph.pk).order_by("level", "-size", "pk")
    return rows if view.sees_all else rows.filter(pk__in=homes_of(view))


def shown_of(view: GraphView, rows: Sequence[Community]) -> list[CommunityShown]:
    members = members_seen(view, [row.pk for row in rows])
    central = central_of(view, members)
    sources = readable({each for row in rows for each in row.made_from}, view.kb_ids)
    return [
        described(row, view.sees_all, members[row.pk], central[row.pk], sources)
        for row in rows
        if len(members.get(row.pk, ())) >= FEW and central[row.pk].entities
    ]


def described(
    row: Community, sees_all: bool, members: Sequence[UUID], central: Central, sources: set[UUID]
) -> CommunityShown:
    """A model's words where they are about these members and all that they were made from can be read."""
    is_by_model = bool(row.title) and row.written_for == row.key and sources.issuperset(row.made_from)
    names = [each.name for each in central.entities[:TITLE_NAMES]]
    return CommunityShown(
        id=row.pk,
        level=row.level,
        parent=row.parent_id,
        title=row.title if is_by_model else " · ".join(names),
        summary=row.summary if is_by_model else " ".join(each.sentence for each in central.told[:SUMMARY_SENTENCES]),
        size=row.size if sees_all else len(members),
        is_by_model=is_by_model,
        entities=central.entities,
        told=central.told,
    )


def community_said(found: CommunityShown) -> dict[str, Any]:
    """As programs get it."""
    return {
        "id": str(found.id),
        "level": found.level,
        "parent": str(found.parent) if found.parent else None,
        "title": found.title,
        "summary": found.summary,
        "by_model": found.is_by_model,
        "size": found.size,
        "entities": [
            {"id": str(each.id), "name": each.name, "class": each.class_name, "support": each.support}
            for each in found.entities
        ],
        "evidence": [each.quote.said | {"sentence": each.sentence} for each in found.told],
    }


def members_seen(view: GraphView, ids: Collection[UUID]) -> dict[UUID, list[UUID]]:
    """The most central first. Where the reader may not know of all, only those that what the reader may know of binds together: why two stand together is no secret told."""
    rows = CommunityMember.objects.filter(community__in=ids, rank__lt=MOST_MEMBERS).order_by("community", "rank")
    known = set(entities_seen(view).filter(pk__in=rows.order_by().values("entity")).values_list("pk", flat=True))
    found: dict[UUID, list[UUID]] = defaultdict(list)
    for community, entity in rows.values_list("community_id", "entity_id"):
        if entity in known:
            found[community].append(entity)
    if view.sees_all:
        return found
    links = links_of(view, among=known)
    return {id: bound(members, links) for id, members in found.items()}


def bound(members: Sequence[UUID], links: Iterable[Link]) -> list[UUID]:
    """The largest part of them that links hold together, in the same order."""
    homes: dict[UUID, list[UUID]] = {member: [member] for member in members}
    for link in links:
        if link.left in homes and link.right in homes and homes[link.left] is not homes[link.right]:
            joined = homes[link.left] + homes[link.right]
            homes.update(dict.fromkeys(joined, joined))
    largest = max(homes.values(), key=len, default=[])
    return [member for member in members if homes[member] is largest]

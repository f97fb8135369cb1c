"""From rows to groups and back. What has not changed is not written: a community keeps its id, and its words, while its members are the same."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

from django.utils import timezone

from ontology.communities.groups import Group, matched
from ontology.models import Community, CommunityMember

BATCH = 5000


def known_of(graph_id: UUID) -> dict[UUID, Group]:
    """Every community by its id, parents first; `parent` counts in this order."""
    rows = list(Community.objects.filter(graph=graph_id).order_by("level", "pk").values_list("pk", "level", "parent"))
    members: dict[UUID, list[UUID]] = defaultdict(list)
    places = CommunityMember.objects.filter(community__graph=graph_id).order_by("community", "rank", "entity")
    for community, entity in places.values_list("community_id", "entity_id"):
        members[community].append(entity)
    numbers = {pk: place for place, (pk, _level, _parent) in enumerate(rows)}
    return {pk: Group(level, tuple(members[pk]), numbers[parent] if parent else None) for pk, level, parent in rows}


def store(graph_id: UUID, known: Mapping[UUID, Group], groups: Sequence[Group]) -> int:
    """Make the rows say `groups`; gives how many communities are new or have changed. In the caller's transaction."""
    before = {row.pk: row for row in Community.objects.filter(graph=graph_id).only("pk", "key", "parent_id")}
    ids = matched(known, groups)
    rows = [before.get(id) or Community(graph_id=graph_id) if id else Community(graph_id=graph_id) for id in ids]
    changed = [place for place, group in enumerate(groups) if rows[place].key != group.key]
    for place in changed:
        become(rows[place], groups[place])
    moved = [place for place, group in enumerate(groups) if moves(rows[place], rows, group)]
    write(rows, before, changed, moved)
    write_members({rows[place].pk: (known.get(rows[place].pk), groups[place]) for place in changed})
    Community.objects.filter(pk__in=before.keys() - {row.pk for row in rows}).delete()
    return len(changed)


def become(row: Community, group: Group) -> None:
    """Other members: what was said of the ones before does not hold any more."""
    row.level, row.key, row.size, row.updated_at = group.level, group.key, len(group.members), timezone.now()
    row.title, row.summary, row.made_from = "", "", []


def moves(row: Community, rows: Sequence[Community], group: Group) -> bool:
    """Put it below its parent; whether that is another one than before."""
    parent_id = None if group.parent is None else rows[group.parent].pk
    was, row.parent_id = row.parent_id, parent_id
    return was != parent_id


def write(rows: Sequence[Community], before: Mapping[UUID, Community], changed: list[int], moved: list[int]) -> None:
    """Parents come first in `rows`."""
    Community.objects.bulk_create([rows[place] for place in changed if rows[place].pk not in before], batch_size=BATCH)
    Community.objects.bulk_update(
        [rows[place] for place in sorted({*changed, *moved}) if rows[place].pk in before],
        ("parent", "key", "size", "title", "summary", "made_from", "updated_at"),
        batch_size=500,
    )


def write_members(groups: Mapping[UUID, tuple[Group | None, Group]]) -> None:
    """Of communities whose members have changed: the earlier group, where there was one, and the present."""
    stale = CommunityMember.objects.filter(community__in=[id for id, (before, _now) in groups.items() if before])
    stale.delete()
    CommunityMember.objects.bulk_create(
        (
            CommunityMember(community_id=id, entity_id=entity, rank=rank)
            for id, (_before, now) in groups.items()
            for rank, entity in enumerate(now.members)
        ),
        batch_size=BATCH,
    )

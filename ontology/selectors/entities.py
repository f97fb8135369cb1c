"""Entities as readers see them: those that were merged stand behind their root, with what supports them all. The policy is in the query."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, QuerySet
from django.db.models.expressions import RawSQL
from django.utils.translation import gettext_lazy as _

from accounts.types import Subject
from common.errors import Forbidden, InvalidInput, NotFound
from ontology.models import Entity
from ontology.names import normal
from ontology.rights import graphs_for
from ontology.roots import members_of, roots_of
from ontology.selectors.views import GraphView, Piece, condition, number, view_of

STATES = ("confirmed", "found", "rejected")
ROW = '"ontology_entity"'
# `own` is the row itself, `one` each of those that stand behind it.
IS_SEEN = """
CASE WHEN EXISTS (SELECT 1 FROM ontology_entity AS below WHERE below.merged_into_id = {row}.id) THEN EXISTS (
    WITH RECURSIVE member(id) AS (
        SELECT {row}.id UNION SELECT below.id FROM member JOIN ontology_entity AS below ON below.merged_into_id = member.id
    ) SELECT 1 FROM member JOIN ontology_entity AS one ON one.id = member.id WHERE {one}
) ELSE {own} END
"""
SUPPORT = """
CASE WHEN EXISTS (SELECT 1 FROM ontology_entity AS below WHERE below.merged_into_id = {row}.id) THEN (
    WITH RECURSIVE member(id) AS (
        SELECT {row}.id UNION SELECT below.id FROM member JOIN ontology_entity AS below ON below.merged_into_id = member.id
    ) SELECT coalesce(sum({each}), 0)::int FROM member JOIN ontology_entity AS one ON one.id = member.id WHERE {one}
) ELSE {own} END
"""
# From those that bear the name up to whom they were merged into.
BEARERS = """
{row}.id IN (WITH RECURSIVE bearer(id) AS (
    (SELECT one.id FROM ontology_entity AS one WHERE one.graph_id = %s AND one.normal_name LIKE %s AND {entity}
    UNION SELECT alias.entity_id FROM ontology_alias AS alias WHERE alias.graph_id = %s AND alias.normal LIKE %s AND {alias})
    UNION SELECT above.merged_into_id FROM bearer JOIN ontology_entity AS above ON above.id = bearer.id WHERE above.merged_into_id IS NOT NULL
) SELECT id FROM bearer)
"""


@dataclass(frozen=True, slots=True)
class EntityFilter:
    """What a list is narrowed to; empty means no limit. `state` is one of STATES; rejected ones are shown to editors alone."""

    q: str = ""
    class_name: str = ""
    state: str = ""
    min_support: int = 0


def entities_seen(view: GraphView) -> "QuerySet[Any]":
    """All that exist and that the subject may know of, with `seen_support`: the places that support them and all that were merged into them."""
    rows = Entity.objects.filter(graph_id=view.graph.pk, merged_into=None, is_rejected=False)
    found: QuerySet[Any] = with_support(view, rows).filter(is_seen(view))
    return found


def with_support(view: GraphView, rows: "QuerySet[Any]") -> "QuerySet[Any]":
    own, each = view.support("entity", ROW), view.support("entity", "one")
    seen = view.visible("entity", "one")
    sql = SUPPORT.format(row=ROW, each=each.sql, one=seen.sql, own=own.sql)
    values = (*each.values, *seen.values, *own.values)
    counted: QuerySet[Any] = rows.annotate(seen_support=number(Piece(sql, values)))
    return counted


def is_seen(view: GraphView) -> RawSQL:
    """It or one that was merged into it exists for the subject."""
    own, one = view.visible("entity", ROW), view.visible("entity", "one")
    sql = IS_SEEN.format(row=ROW, one=one.sql, own=own.sql)
    return condition(Piece(sql, (*one.values, *own.values)))


def entities_found(view: GraphView, wanted: EntityFilter) -> "QuerySet[Any]":
    """The same, narrowed. Raises InvalidInput for an unknown state, Forbidden for rejected ones where one is no editor."""
    rows = rejected(view) if wanted.state == "rejected" else entities_seen(view)
    if wanted.state not in ("", *STATES):
        raise InvalidInput(_("The state is one of: %(names)s.") % {"names": ", ".join(STATES)}, field="state")
    if wanted.state in ("confirmed", "found"):
        rows = rows.filter(is_confirmed=wanted.state == "confirmed")
    if wanted.class_name:
        rows = rows.filter(class_name=wanted.class_name)
    if wanted.min_support:
        rows = rows.filter(seen_support__gte=wanted.min_support)
    if wanted.q:
        named = bears(view, wanted.q)
        rows = rows.filter(condition(named))
    return rows.order_by("-seen_support", "-pk")


def rejected(view: GraphView) -> "QuerySet[Any]":
    if not view.may_edit:
        raise Forbidden(_("Only editors see what was rejected."))
    return with_support(view, Entity.objects.filter(graph_id=view.graph.pk, merged_into=None, is_rejected=True))


def bears(view: GraphView, q: str) -> Piece:
    """It, or one that was merged into it, has a name or another name in which these words stand. For rejected ones their own name is looked at alone."""
    entity, alias = view.visible("entity", "one"), view.visible("alias", "alias")
    pattern = f"%{escaped(normal(q) or q.casefold())}%"
    sql = BEARERS.format(row=ROW, entity=f"({entity.sql} OR one.is_rejected)", alias=alias.sql)
    graph = view.graph.pk
    return Piece(sql, (graph, pattern, *entity.values, graph, pattern, *alias.values))


def escaped(text: str) -> str:
    """For LIKE, so that nothing in it is a wildcard."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def counts_by_class(view: GraphView) -> dict[str, int]:
    """How many entities of each class the subject may know of."""
    rows = entities_seen(view).order_by().values("class_name").annotate(count=Count("pk"))
    return dict(rows.values_list("class_name", "count"))


def entity_for(subject: Subject, entity_id: UUID) -> tuple[GraphView, Entity]:
    """One, merged or not, with the view of its graph; editors find rejected ones too. Raises NotFound for one that the subject may not know of."""
    found = Entity.objects.filter(pk=entity_id, graph__in=graphs_for(subject)).select_related("graph__skeleton").first()
    if found is not None and found.graph.skeleton_id:
        view = view_of(subject, found.graph)
        if view.may_edit or is_known(view, found):
            return view, found
    raise NotFound(_("There is no such entity, or you may not see it."))


def is_known(view: GraphView, entity: Entity) -> bool:
    """Whether it exists for the subject: by itself, or by one that was merged into it."""
    if entity.merged_into_id is None:
        return entities_seen(view).filter(pk=entity.pk).exists()
    own = view.visible("entity", ROW)
    seen = condition(own)
    return Entity.objects.filter(seen, pk=entity.pk).exists() and root_of(view, entity) is not None


def root_of(view: GraphView, entity: Entity) -> Entity | None:
    """The one that readers see in its place, with `seen_support`; for editors a rejected one too."""
    rows = Entity.objects.filter(pk=roots_of([entity.pk])[entity.pk])
    rows = with_support(view, rows).select_related("graph__skeleton", "decided_by")
    return (rows if view.may_edit else rows.filter(is_seen(view), is_rejected=False)).first()


@dataclass(frozen=True, slots=True)
class Shown:
    """An entity as it stands in lists and pictures."""

    id: UUID
    name: str
    class_name: str
    support: int
    is_confirmed: bool


def shown(view: GraphView, root_ids: Collection[UUID]) -> dict[UUID, Shown]:
    """Those of these roots that the subject may know of, under names that they may know."""
    own = view.visible("entity", ROW)
    rows = entities_seen(view).filter(pk__in=root_ids).annotate(is_own=condition(own))
    found = list(rows)
    names = other_names(view, [row.pk for row in found if not row.is_own])
    return {
        row.pk: Shown(row.pk, names.get(row.pk, row.name), row.class_name, row.seen_support, row.is_confirmed)
        for row in found
    }


def other_names(view: GraphView, root_ids: Collection[UUID]) -> Mapping[UUID, str]:
    """Where the root's own name may not be known: that of the best supported one that was merged into it."""
    if not root_ids:
        return {}
    members = members_of(root_ids)
    own = view.visible("entity", ROW)
    rows = Entity.objects.filter(
        condition(own),
        pk__in=set().union(*members.values()),
    )
    names = {row.pk: row.name for row in with_support(view, rows).order_by("seen_support")}
    return {
        root: next(name for pk, name in reversed(names.items()) if pk in ids)
        for root, ids in members.items()
        if ids & names.keys()
    }


def suggestions_for_name(view: GraphView, q: str, *, limit: int = 10) -> list[Shown]:
    """Entities whose name begins with or holds these words, the best known first; for a box in which one is looked for."""
    ids = list(entities_found(view, EntityFilter(q=q)).values_list("pk", flat=True)[:limit])
    found = shown(view, ids)
    return [found[pk] for pk in ids if pk in found]

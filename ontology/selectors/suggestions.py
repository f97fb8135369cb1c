"""What waits at the entity desk: pairs that may be one, names that may stand for two, merges that can be taken back. For editors of everything that feeds the graph."""

from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from accounts.models import AuditEvent
from accounts.types import Subject
from common.errors import Forbidden, NotFound
from ontology.models import Entity, SplitSuggestion, Suggestion
from ontology.rights import bases_of
from ontology.selectors.views import GraphView, graph_view

DEEDS = ("entity.", "attribute.", "relation.", "quarantine.")


def editors_view(subject: Subject, graph_id: UUID) -> GraphView:
    """Raises NotFound for a graph that the subject may not know of, Forbidden where they may not edit it."""
    view = graph_view(subject, graph_id)
    require_editor(view)
    return view


def require_editor(view: GraphView) -> None:
    if not view.may_edit:
        raise Forbidden(_("Only editors of all that feeds this graph work at its desk."))


def there(side: str) -> Q:
    """The entity at this end exists and was not merged into another."""
    found = {f"{side}__is_rejected": False, f"{side}__merged_into": None}
    return Q(**found) & (Q(**{f"{side}__support__gt": 0}) | Q(**{f"{side}__is_confirmed": True}))


def suggestions_of(view: GraphView, *, state: str = "open", class_name: str = "") -> "QuerySet[Suggestion]":
    """The surest first."""
    require_editor(view)
    rows = Suggestion.objects.filter(there("left"), there("right"), graph=view.graph, state=state)
    if class_name:
        rows = rows.filter(Q(left__class_name=class_name) | Q(right__class_name=class_name))
    return rows.select_related("left", "right").order_by("-score", "-pk")


def suggestion_for(subject: Subject, suggestion_id: UUID) -> tuple[GraphView, Suggestion]:
    """Raises NotFound, Forbidden."""
    found = Suggestion.objects.select_related("left", "right").filter(pk=suggestion_id).first()
    if found is None:
        raise NotFound(_("This suggestion is gone; its entities have changed."))
    try:
        return editors_view(subject, found.graph_id), found
    except NotFound:
        raise NotFound(_("This suggestion is gone; its entities have changed.")) from None


def splits_of(view: GraphView, *, state: str = "open") -> "QuerySet[SplitSuggestion]":
    """Names that may stand for two, the surest first."""
    require_editor(view)
    rows = SplitSuggestion.objects.filter(there("entity"), graph=view.graph, state=state)
    return rows.select_related("entity").order_by("-score", "-pk")


def merges_of(view: GraphView) -> "QuerySet[Entity]":
    """Entities that were merged into others, the last first."""
    require_editor(view)
    rows = Entity.objects.filter(graph=view.graph, merged_into__isnull=False)
    return rows.select_related("merged_into", "decided_by").order_by("-decided_at", "-pk")


def history_of(view: GraphView) -> "QuerySet[AuditEvent]":
    """What people decided about entities, facts and quarantine, the last first."""
    require_editor(view)
    kinds = Q()
    for beginning in DEEDS:
        kinds |= Q(action__startswith=beginning)
    return AuditEvent.objects.filter(kinds, kb_id__in=list(bases_of(view.graph.pk).values_list("pk", flat=True)))

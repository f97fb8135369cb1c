"""Who may see and change a graph: by the knowledge bases that feed it. What a reader sees of a fact is decided by its evidence, and by where it was known from."""

from uuid import UUID

from django.db.models import Q, QuerySet

from accounts.types import Subject
from common.errors import NotFound
from knowledge import policy
from knowledge.models import KnowledgeBase, Role
from ontology.models import Graph


def bases_of(graph_id: UUID) -> "QuerySet[KnowledgeBase]":
    """Those that feed the graph."""
    return KnowledgeBase.objects.filter(graph_source__graph_id=graph_id)


def graphs_for(
    subject: Subject, *, least: Role = Role.VIEWER, bases: "QuerySet[KnowledgeBase] | None" = None
) -> "QuerySet[Graph]":
    """Graphs that are fed by a knowledge base (one of these) in which the subject has at least this role."""
    readable = policy.visible(KnowledgeBase.objects.all() if bases is None else bases, subject, least=least)
    return Graph.objects.filter(sources__kb__in=readable).distinct()


def require_graph_editor(subject: Subject, graph_id: UUID) -> None:
    """An editor of every knowledge base that feeds it, because a change shows in all. Raises NotFound, Forbidden."""
    bases = list(bases_of(graph_id).values_list("pk", flat=True))
    if not bases:
        raise NotFound("")
    for kb_id in bases:
        policy.require_editor(subject, kb_id)


def seen(subject: Subject, *, path: str = "evidence__") -> Q:
    """The condition on a fact (reached from its evidence by `path`) that some live evidence of it stands where the subject may read."""
    return Q(**{f"{path}is_live": True}) & policy.kb_filter(subject, prefix=f"{path}document__kb__")


def vouched(subject: Subject, graph_id: UUID) -> Q:
    """The condition on a fact that a person vouches for it, and that it was known from where the subject may read; who may read all that feed the graph knows of all of them."""
    bases = bases_of(graph_id)
    readable = set(policy.visible(bases, subject).values_list("pk", flat=True))
    if readable == set(bases.values_list("pk", flat=True)):
        return Q(is_confirmed=True)
    return Q(is_confirmed=True, known_in__overlap=sorted(readable))

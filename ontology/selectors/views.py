"""What one subject may see of one graph, worked out once a request by the access policy; the other selectors put it into their statements."""

from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import BooleanField, IntegerField, QuerySet
from django.db.models.expressions import RawSQL
from django.utils.translation import gettext_lazy as _

from accounts.types import Subject
from common.errors import NotFound
from knowledge import policy
from knowledge.models import KnowledgeBase, Role
from knowledge.selectors.bases import base_named
from ontology.graphs import skeleton_of
from ontology.models import Graph
from ontology.rights import bases_of, graphs_for
from ontology.types import CompiledSkeleton

EXISTS = "(NOT {row}.is_rejected AND ({row}.support > 0 OR {row}.is_confirmed))"
VISIBLE = "(NOT {row}.is_rejected AND (({row}.is_confirmed AND {row}.known_in && %s::uuid[]) OR EXISTS ({said})))"
COUNTED = "(SELECT count(*)::int FROM ({said}) AS places)"
SAID = """
SELECT 1 FROM ontology_evidence AS said JOIN knowledge_document AS source ON source.id = said.document_id
WHERE said.{kind}_id = {row}.id AND said.is_live AND source.kb_id = ANY(%s)
"""


class Piece(NamedTuple):
    """A piece of SQL with the values for its placeholders, in order."""

    sql: str
    values: tuple[Any, ...] = ()


def condition(piece: Piece) -> RawSQL:
    """For `filter`. Pieces are made of our own texts, values are parameters."""
    return RawSQL(piece.sql, piece.values, output_field=BooleanField())  # noqa: S611


def number(piece: Piece) -> RawSQL:
    """For `annotate`."""
    return RawSQL(piece.sql, piece.values, output_field=IntegerField())  # noqa: S611


@dataclass(frozen=True, slots=True)
class GraphView:
    """A graph with the knowledge bases in which the subject may read. `sees_all`: those are all that feed it. `may_edit`: the subject may change facts. Made here only."""

    graph: Graph
    kb_ids: tuple[UUID, ...]
    sees_all: bool
    may_edit: bool

    @property
    def skeleton(self) -> CompiledSkeleton:
        return skeleton_of(self.graph)

    def visible(self, kind: str, row: str) -> Piece:
        """The condition that a fact (a row of this kind under this alias) exists and that the subject may know of it."""
        if self.sees_all:
            return Piece(EXISTS.format(row=row))
        return Piece(
            VISIBLE.format(row=row, said=SAID.format(kind=kind, row=row)),
            (list(self.kb_ids), list(self.kb_ids)),
        )

    def support(self, kind: str, row: str) -> Piece:
        """How many places that the subject may read say so."""
        if self.sees_all:
            return Piece(f"{row}.support")
        return Piece(COUNTED.format(said=SAID.format(kind=kind, row=row)), (list(self.kb_ids),))


def view_of(subject: Subject, graph: Graph) -> GraphView:
    """For a graph that the subject was found to see."""
    bases = bases_of(graph.pk)
    readable = set(policy.visible(bases, subject).values_list("pk", flat=True))
    editable = set(policy.visible(bases, subject, least=Role.EDITOR).values_list("pk", flat=True))
    everything = set(bases.values_list("pk", flat=True))
    return GraphView(graph, tuple(sorted(readable)), readable == everything, editable == everything)


def graphs_found(subject: Subject, *, kb: str = "") -> "QuerySet[Graph]":
    """Those that the subject may look at, by name; with `kb` those that this knowledge base feeds, if the subject may read it."""
    rows = graphs_for(subject).select_related("skeleton").exclude(skeleton=None).order_by("name", "pk")
    if not kb:
        return rows
    return rows.filter(pk__in=graphs_for(subject, bases=KnowledgeBase.objects.filter(slug=kb)))


def graphs_seen(subject: Subject) -> list[GraphView]:
    """All that the subject may look at, by name."""
    return [view_of(subject, graph) for graph in graphs_found(subject)]


def graph_view(subject: Subject, graph_id: UUID) -> GraphView:
    """Raises NotFound for one that the subject may not know of."""
    graph = graphs_for(subject).select_related("skeleton").exclude(skeleton=None).filter(pk=graph_id).first()
    if graph is None:
        raise NotFound(_("There is no such graph, or you may not see it."))
    return view_of(subject, graph)


def view_named(subject: Subject, slug: str) -> GraphView:
    """The graph that a knowledge base feeds. Raises NotFound when the subject may not see the base, or it feeds none yet."""
    kb = base_named(subject, slug)
    graph = Graph.objects.select_related("skeleton").exclude(skeleton=None).filter(sources__kb=kb).first()
    if graph is None:
        raise NotFound(_("Nothing was read into this knowledge base yet, so it has no graph."))
    return view_of(subject, graph)


def bases_in(view: GraphView) -> list[KnowledgeBase]:
    """Those that feed the graph and that the subject may read."""
    return list(KnowledgeBase.objects.filter(pk__in=view.kb_ids).order_by("name"))

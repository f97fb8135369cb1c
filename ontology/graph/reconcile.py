"""Check that the graph database holds exactly the ledger's live graph, and mend what differs.

Nobody else projects meanwhile. What the ledger changes while it is being looked at waits in the outbox; so what differs is projected and looked at once more before it
counts.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from common.errors import Conflict
from common.findings import MOST_EXAMPLES, Finding
from ontology.graph import cypher
from ontology.graph.comparing import Comparison, Difference, Stray, batches, nobodys
from ontology.graph.database import GraphDatabaseClient
from ontology.graph.keys import graph_key
from ontology.graph.projector import Projector, only_one
from ontology.graph.rebuild import WAIT_S
from ontology.graph.writing import Ends
from ontology.models import ChangeKind, GraphChange

RULE = "the graph database holds exactly the ledger's live graph"
ADVICE = "Run it with --mend; what the graph database can't store is shown by `manage.py graph status`."
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Reconciler:
    """Of one graph. Call inside `only_one`."""

    projector: Projector

    @property
    def comparison(self) -> Comparison:
        return Comparison(self.projector.writer.desired, self.projector.database)

    def look(self) -> tuple[list[Difference], list[Stray]]:
        """All that differs and is not just on its way."""
        self.projector.drain()
        differences = list(self.comparison.from_ledger())
        strays = list(self.comparison.strays())
        if not differences and not strays:
            return [], []
        self.projector.drain()
        return self._still(differences), self._still_astray(strays)

    def _still(self, differences: Sequence[Difference]) -> list[Difference]:
        return [
            found
            for kind, ids in by_kind(differences).items()
            for batch in batches(ids)
            for found in self.comparison.among(kind, batch)
        ]

    def _still_astray(self, strays: Sequence[Stray]) -> list[Stray]:
        if not strays:
            return []
        before = {(stray.label, stray.id, stray.source) for stray in strays}
        return [stray for stray in self.comparison.strays() if (stray.label, stray.id, stray.source) in before]

    def mend(self, differences: Sequence[Difference], strays: Sequence[Stray]) -> None:
        """Strays go; rows that differ are taken out and projected anew; what was set aside is tried again."""
        remove(self.projector.database, strays)
        GraphChange.objects.filter(graph_id=self.projector.graph_id, is_set_aside=True).update(is_set_aside=False)
        for kind, ids in by_kind(differences).items():
            for batch in batches(ids):
                self._take_out(kind, batch)
                GraphChange.objects.bulk_create(
                    GraphChange(graph_id=self.projector.graph_id, kind=kind, key=id) for id in batch
                )
        self.projector.drain()

    def _take_out(self, kind: ChangeKind, ids: Collection[UUID]) -> None:
        """What is not missing may be there twice, or with edges too many. An entity keeps its edges; the projector makes it anew where its class is wrong."""
        keys = [self._key(id) for id in ids]
        if kind == ChangeKind.CHUNK:
            self.projector.writer.delete_chunks(keys)
        elif kind == ChangeKind.RELATION:
            edges = self.comparison.desired.relations(ids).edges
            self.projector.writer.delete_edges((id, Ends(edge.source, edge.target)) for id, edge in edges.items())

    def _key(self, id: UUID) -> str:
        return graph_key(self.projector.graph_id, id)


def reconcile(projector: Projector, *, mend: bool, wait_s: float = WAIT_S) -> Finding:
    """One graph. Raises Conflict when another process goes on projecting for so long, EngineUnavailable."""
    with only_one(projector.graph_id, wait_s=wait_s) as is_mine:
        if not is_mine:
            raise Conflict(_("Another process is projecting this graph. Try again when it has ended."))
        reconciler = Reconciler(projector)
        differences, strays = found = reconciler.look()
        words = [f"{each.what}: {each.kind} {each.id}" for each in differences]
        words += [f"extra: {each.words}" for each in strays]
        for _round in range(ROUNDS if mend else 0):  # one that is taken away may leave another without a reason to be
            if not any(found):
                break
            reconciler.mend(*found)
            found = reconciler.look()
    return told(words, len(words) - len(found[0]) - len(found[1]) if mend else 0)


def reconcile_rest(database: GraphDatabaseClient, graph_ids: Collection[UUID], *, mend: bool) -> Finding:
    """What stands under our labels and belongs to no graph that there is."""
    strays = list(nobodys(database, graph_ids))
    if mend:
        remove(database, strays)
    return told([f"extra: {each.words}" for each in strays], len(strays) if mend else 0)


def told(words: Sequence[str], mended: int) -> Finding:
    """With what to do about the rest."""
    broken = len(words)
    advice = "" if mended >= broken else ADVICE
    return Finding(RULE, broken, max(0, mended), tuple(words[:MOST_EXAMPLES]), advice)


def remove(database: GraphDatabaseClient, strays: Sequence[Stray]) -> None:
    """Edges first, then nodes with what still hangs on them."""
    for label in cypher.OWN_LABELS:
        edges = [each for each in strays if each.label == label and each.source]
        for some in batches(edges):
            by_source: dict[str | None, list[str]] = defaultdict(list)
            for each in some:
                by_source[each.source].append(each.id)
            rows = [{"source": source, "ids": ids} for source, ids in by_source.items()]
            database.write([(cypher.DELETE_EDGES[label], {"rows": rows})])
        nodes = [each.id for each in strays if each.label == label and not each.source]
        for ids in batches(nodes):
            database.write([(cypher.DELETE_NODES[label], {"ids": ids})])


def by_kind(differences: Sequence[Difference]) -> dict[ChangeKind, list[UUID]]:
    """Ids in the order in which kinds are projected."""
    found: dict[ChangeKind, list[UUID]] = defaultdict(list)
    for difference in sorted(differences, key=lambda each: list(ChangeKind).index(each.kind)):
        found[difference.kind].append(difference.id)
    return found

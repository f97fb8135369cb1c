"""`manage.py graph status|rebuild|reconcile|facts|entities|communities`: the graphs, how far the graph database is behind the ledger, making it right; and what is known.

With --json one object a line, for each graph or for each fact.
"""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError, CommandParser

from accounts.subjects import subject_named
from accounts.types import Subject
from common.commands import PART_FAILED, TrellisCommand
from common.errors import Conflict, EngineUnavailable
from common.findings import Finding
from inference.selectors import active_space
from knowledge.models import KnowledgeBase
from knowledge.selectors.bases import base_named
from ontology.fact_vectors.sentences import waiting
from ontology.graph import lag
from ontology.graph.binding import graph_database, projector_of
from ontology.graph.rebuild import rebuild
from ontology.graph.reconcile import reconcile, reconcile_rest
from ontology.graphs import source_of
from ontology.management.lines import community_line, entity_line, fact_line
from ontology.models import Graph
from ontology.selectors.communities import community_said, every_community
from ontology.selectors.facts import entities, facts
from ontology.selectors.views import graph_view

BUSY = 1


class Command(TrellisCommand):
    help = "The graphs in the graph database: how they are, made anew, checked and mended."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        for name, text in (
            ("status", "how far each graph is behind the ledger, and what could not be stored"),
            ("rebuild", "make the graph anew from the ledger"),
            ("reconcile", "compare the graph with the ledger in both directions"),
        ):
            action = actions.add_parser(name, help=text)
            super().add_arguments(action)
            action.add_argument("--kb", metavar="SLUG", help="only the graph that this knowledge base feeds")
            if name == "reconcile":
                action.add_argument("--mend", action="store_true", help="mend what differs")
        for name, text in (
            ("facts", "relations with their evidence"),
            ("entities", "entities with what is known of them"),
            ("communities", "entities that belong together, with a title and a summary"),
        ):
            action = actions.add_parser(name, help=text)
            super().add_arguments(action)
            action.add_argument("--kb", metavar="SLUG", required=True, help="the knowledge base")
            action.add_argument("--as", dest="user", metavar="USER", help="only what this person may see")

    def run(self, options: dict[str, Any]) -> int:
        try:
            return self.acts()[options["action"]](options)
        except Conflict as error:
            raise CommandError(str(error), returncode=BUSY) from None

    def acts(self) -> dict[str, Callable[[dict[str, Any]], int]]:
        return {
            "status": self.status,
            "rebuild": self.rebuild,
            "reconcile": self.reconcile,
            "facts": self.facts,
            "entities": self.entities,
            "communities": self.communities,
        }

    def facts(self, options: dict[str, Any]) -> int:
        for row in facts(*self.asked(options)):
            self.say(row, fact_line(row))
        return 0

    def entities(self, options: dict[str, Any]) -> int:
        for row in entities(*self.asked(options)):
            self.say(row, entity_line(row))
        return 0

    def communities(self, options: dict[str, Any]) -> int:
        subject, graph_id = self.asked(options)
        for each in every_community(graph_view(subject, graph_id)):
            self.say(community_said(each), community_line(each))
        return 0

    def asked(self, options: dict[str, Any]) -> tuple[Subject, UUID]:
        """Who asks, and the graph that the knowledge base feeds."""
        subject = subject_named(options["user"]) if options["user"] else Subject.system()
        return subject, source_of(base_named(subject, options["kb"]).pk).graph_id

    def status(self, options: dict[str, Any]) -> int:
        version, space = self.version(), active_space()
        aside = 0
        for graph in self.graphs(options["kb"]):
            found = lag.lag_of(graph)
            rows = lag.set_aside(graph)
            lacking = waiting(graph, space.pk if space else None).count
            aside += found.set_aside
            told = {
                **self.named(graph),
                "pending": found.pending,
                "lag_s": round(found.seconds, 1),
                "set_aside": found.set_aside,
                "vectors_lacking": lacking,
                "examples": rows,
                "database": version,
            }
            line = f"{graph.name}: {found.pending} changes wait, the oldest for {found.seconds:.0f} s; {found.set_aside} could not be stored; {lacking} facts wait for a vector"
            self.say(told, "\n".join([line, *(f"  {row['kind']} {row['id']}: {row['error']}" for row in rows)]))
        return PART_FAILED if aside else 0

    def version(self) -> str:
        """Of the database; "" with a remark when it is away, because the figures are the ledger's."""
        try:
            return graph_database().version()
        except EngineUnavailable as error:
            self.note(str(error))
            return ""

    def rebuild(self, options: dict[str, Any]) -> int:
        aside = 0
        for graph in self.graphs(options["kb"]):
            self.note(f"{graph.name}: is made anew")
            done = rebuild(projector_of(graph))
            aside += done.set_aside
            told = {**self.named(graph), "projected": done.projected, "set_aside": done.set_aside}
            self.say(told, f"{graph.name}: {done.projected} rows projected, {done.set_aside} could not be stored")
        return PART_FAILED if aside else 0

    def reconcile(self, options: dict[str, Any]) -> int:
        mend, well = options["mend"], True
        for graph in self.graphs(options["kb"]):
            finding = reconcile(projector_of(graph), mend=mend)
            well &= self.tell(self.named(graph), graph.name, finding)
        if not options["kb"]:
            ids = list(Graph.objects.values_list("pk", flat=True))
            finding = reconcile_rest(graph_database(), ids, mend=mend)
            if finding.broken:
                well &= self.tell({"graph": None, "kbs": []}, "no graph", finding)
        return 0 if well else PART_FAILED

    def tell(self, told: dict[str, Any], name: str, finding: Finding) -> bool:
        row = {**told, "broken": finding.broken, "mended": finding.mended, "examples": finding.examples}
        lines = [
            f"{name}: {finding.broken} differences, {finding.mended} mended",
            *(f"  {each}" for each in finding.examples),
        ]
        self.say({**row, "ok": finding.is_well, "advice": finding.advice}, "\n".join([*lines, finding.advice]).rstrip())
        return finding.is_well

    def graphs(self, slug: str | None) -> Sequence[Graph]:
        graphs = Graph.objects.select_related("skeleton").exclude(skeleton=None).order_by("pk")
        if slug:
            graphs = graphs.filter(sources__kb=base_named(Subject.system(), slug))
        return list(graphs)

    def named(self, graph: Graph) -> dict[str, Any]:
        slugs = KnowledgeBase.objects.filter(graph_source__graph=graph).order_by("slug")
        return {"graph": str(graph.pk), "name": graph.name, "kbs": list(slugs.values_list("slug", flat=True))}

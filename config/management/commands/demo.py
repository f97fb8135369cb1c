"""`manage.py demo load|remove`: the demo's knowledge bases, with what is known from them."""

from typing import Any

from django.core.management.base import CommandParser

from common.commands import PART_FAILED, TrellisCommand
from knowledge import beats, demo, queue
from knowledge.models import Document, DocumentState, KnowledgeBase, RunState, StageRun
from knowledge.purge import purge
from knowledge.sweeping import empty_bases_go
from knowledge.tools import tools
from knowledge.working import read_along
from ontology.demo import give_skeleton
from ontology.tend_graphs import tend_graphs


class Command(TrellisCommand):
    help = "Load the demo (nothing happens when it is there, or was removed by somebody), or remove it."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("what", choices=("load", "remove"))
        parser.add_argument("--wait", action="store_true", help="return when it can be asked (or is gone)")
        parser.add_argument("--again", action="store_true", help="load it although it was removed")

    def run(self, options: dict[str, Any]) -> int:
        return self.load(options) if options["what"] == "load" else self.remove(options)

    def load(self, options: dict[str, Any]) -> int:
        if demo.demo_base() is None and demo.was_removed() and not options["again"]:
            self.say({"status": "removed"}, "The demo was removed. Load it with --again.")
            return 0
        enqueue = beats.is_served(queue.INDEXING) or not options["wait"]
        bases = [kb for of in demo.BASES if (kb := self.loaded(of, enqueue=enqueue, again=options["again"]))]
        if options["wait"]:
            read_along([version for kb in bases for version in demo.unread(kb)], tools(), lambda _version_id: None)
            while tend_graphs(tools()):
                pass
        return self.tell(bases)

    def loaded(self, of: demo.DemoBase, *, enqueue: bool, again: bool) -> KnowledgeBase | None:
        """The knowledge base with its skeleton and files; None when somebody removed this one, or has another under its address."""
        if demo.demo_base(of) is None and demo.was_removed(of) and not again:
            return None
        kb = demo.made(of)
        if kb is not None:
            give_skeleton(kb, of)
            demo.fill(kb, tools(), enqueue=enqueue, of=of)
        return kb

    def tell(self, bases: list[KnowledgeBase]) -> int:
        documents = Document.objects.filter(kb__in=bases, state=DocumentState.LIVE).count()
        runs = StageRun.objects.filter(document__kb__in=bases, state=RunState.FAILED)
        failed = runs.values("version_id").distinct().count()
        slugs = [kb.slug for kb in bases]
        self.say(
            {"status": "loaded", "documents": documents, "failed": failed, "kbs": slugs},
            f"The demo is loaded ({', '.join(slugs)}): {documents} documents, {failed} failed.",
        )
        return PART_FAILED if failed else 0

    def remove(self, options: dict[str, Any]) -> int:
        found = [demo.remove(of) for of in demo.BASES]
        if options["wait"]:
            gone = Document.objects.filter(
                kb__slug__in=[of.slug for of in demo.BASES], kb__is_deleting=True, state=DocumentState.DELETING
            )
            for document in gone:
                purge(document, tools())
            empty_bases_go()
        self.say(
            {"status": "removed" if any(found) else "absent"},
            "The demo is removed." if any(found) else "The demo is not loaded.",
        )
        return 0

"""`manage.py reread`: read documents again from their originals, where the parser has become better since, or always with --force."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from accounts.subjects import subject_named
from accounts.types import Subject
from common.commands import PART_FAILED, WRONG_USE, TrellisCommand
from knowledge import beats, queue
from knowledge.models import Document, Job, KnowledgeBase, Role
from knowledge.selectors.bases import base_named, bases_for
from knowledge.selectors.documents import document_called
from knowledge.selectors.items import result_of
from knowledge.services.reading import documents_reread
from knowledge.tools import tools
from knowledge.working import read_along


class Command(TrellisCommand):
    help = "Read documents again from their originals: all whose parser is newer than their last reading, or those that are named."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("documents", nargs="*", metavar="DOCUMENT", help="paths or ids; all when none are given")
        parser.add_argument("--kb", metavar="SLUG", help="only in this knowledge base")
        parser.add_argument("--force", action="store_true", help="also where the parser is the same")
        parser.add_argument("--wait", action="store_true", help="return when everything is read")
        parser.add_argument("--as", dest="user", metavar="USER", help="act as this person")

    def run(self, options: dict[str, Any]) -> int:
        subject = subject_named(options["user"]) if options["user"] else Subject.system()
        named = [document_called(subject, name, kb=options["kb"] or "") for name in options["documents"]]
        failed = 0
        for kb in self.bases(subject, options["kb"], named):
            ids = [document.pk for document in named if document.kb_id == kb.pk]
            has_workers = beats.is_served(queue.INDEXING)
            job = documents_reread(
                subject=subject,
                kb=kb,
                documents=ids,
                force=options["force"],
                enqueue=has_workers or not options["wait"],
            )
            failed += self.tell(job, wait=options["wait"]) if job else 0
        return PART_FAILED if failed else 0

    def bases(self, subject: Subject, slug: str | None, named: list[Document]) -> list[KnowledgeBase]:
        """Where to look: the named documents' knowledge bases, the one that is asked for, or all."""
        if named:
            return list({document.kb_id: document.kb for document in named}.values())
        if slug:
            return [base_named(subject, slug, least=Role.EDITOR)]
        found = list(bases_for(subject, least=Role.EDITOR))
        if not found:
            raise CommandError("There is no knowledge base.", returncode=WRONG_USE)
        return found

    def tell(self, job: Job, *, wait: bool) -> int:
        """A line for each document; gives how many failed."""
        if wait:
            read_along(
                [item.version_id for item in job.items.all() if item.version_id], tools(), lambda _version_id: None
            )
        results = [result_of(item) for item in job.items.all()]
        for result in results:
            self.say(result.as_json(), f"{result.status:<10} {result.path}")
        return sum(result.status == "failed" for result in results)

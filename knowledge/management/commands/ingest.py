"""`manage.py ingest PATH… --kb SLUG`: read files into a knowledge base, the same way in as by the page. One line a file."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError, CommandParser

from accounts.subjects import subject_named
from accounts.types import Subject
from common.commands import PART_FAILED, WRONG_USE, TrellisCommand
from common.errors import EngineUnavailable, NotFound
from knowledge import beats, queue
from knowledge.models import Job, JobItem, KnowledgeBase, Outcome, Role
from knowledge.selectors.bases import base_named
from knowledge.selectors.items import ItemResult, result_of
from knowledge.services.bases import kb_create
from knowledge.services.uploads import upload
from knowledge.sources import file_from, files_named, files_of_lines
from knowledge.tools import Tools, tools
from knowledge.uploading import IncomingFile
from knowledge.working import read_along

BATCH = 200


class Command(TrellisCommand):
    help = "Read files, folders, patterns, standard input (-) or JSON lines into a knowledge base."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("paths", nargs="*", metavar="PATH", help="file, folder or pattern; - for standard input")
        parser.add_argument(
            "--jsonl",
            type=Path,
            metavar="FILE",
            help='instead of paths: lines of {"id", "title", "text"}, one document each; - for standard input',
        )
        parser.add_argument("--kb", required=True, metavar="SLUG", help="knowledge base")
        parser.add_argument("--create", action="store_true", help="make the knowledge base when it does not exist")
        parser.add_argument(
            "--wait",
            action="store_true",
            help="return when everything is read; helps the workers, or does without them",
        )
        parser.add_argument("--name", default="standard-input.md", help="what standard input is called")
        parser.add_argument("--as", dest="user", metavar="USER", help="act as this person")

    def run(self, options: dict[str, Any]) -> int:
        if bool(options["paths"]) == bool(options["jsonl"]):
            raise CommandError("Give paths, or --jsonl FILE.", returncode=WRONG_USE)
        if options["jsonl"] and str(options["jsonl"]) != "-" and not options["jsonl"].is_file():
            raise CommandError(f"There is no file {options['jsonl']}.", returncode=WRONG_USE)
        subject = subject_named(options["user"]) if options["user"] else Subject.system()
        kb = self.base(subject, options["kb"], may_create=options["create"])
        files = iter(list(incoming(options)) if options["paths"] else incoming(options))
        statuses: Counter[str] = Counter()
        while batch := list(islice(files, BATCH)):
            statuses += self.take_in(subject, kb, batch, wait=options["wait"])
        self.note(", ".join(f"{count} {status}" for status, count in sorted(statuses.items())) or "Nothing to read.")
        return PART_FAILED if statuses["failed"] or statuses["refused"] else 0

    def base(self, subject: Subject, slug: str, *, may_create: bool) -> KnowledgeBase:
        """The knowledge base, made when it may be."""
        try:
            return base_named(subject, slug, least=Role.EDITOR)
        except NotFound:
            if not may_create:
                raise
        return kb_create(subject=subject, slug=slug)

    def take_in(
        self, subject: Subject, kb: KnowledgeBase, batch: Sequence[IncomingFile], *, wait: bool
    ) -> Counter[str]:
        """One batch, from files to lines of output."""
        has_workers = beats.is_served(queue.INDEXING)
        job = upload(subject=subject, kb=kb, files=batch, tools=tools(), enqueue=has_workers or not wait)
        if not wait and not has_workers:
            self.note("No worker is running: the documents wait until `manage.py up` runs, or use --wait.")
        return self.tell(job, tools()) if wait else Counter(self.line(item).status for item in job.items.all())

    def tell(self, job: Job, parts: Tools) -> Counter[str]:
        """Read what is to be read and print a line for each file as it ends."""
        statuses: Counter[str] = Counter()
        items = {item.version_id: item for item in job.items.all() if item.version_id and item.outcome in TO_READ}
        for item in job.items.all():
            if item.version_id not in items:
                statuses[self.line(item).status] += 1

        def told(version_id: UUID) -> None:
            statuses[self.line(items.pop(version_id)).status] += 1

        try:
            read_along(list(items), parts, told)
        except EngineUnavailable:
            for item in items.values():
                self.line(item)
            self.note("What is left waits and will be read by the workers, or by the next `ingest --wait`.")
            raise
        return statuses

    def line(self, item: JobItem) -> ItemResult:
        """Print how a file stands."""
        result = result_of(item)
        detail = (
            f": {result.error['message']}"
            if result.error
            else f" ({result.chunks} chunks)"
            if result.chunks is not None
            else ""
        )
        self.say(result.as_json(), f"{result.status:<10} {result.path}{detail}")
        return result


TO_READ = (Outcome.NEW, Outcome.NEW_VERSION, Outcome.AGAIN)


def incoming(options: dict[str, Any]) -> Iterator[IncomingFile]:
    """What the arguments name."""
    if options["jsonl"]:
        return files_of_lines(options["jsonl"])
    if options["paths"] == ["-"]:
        return iter([file_from(sys.stdin.buffer, options["name"])])
    return files_named(options["paths"])

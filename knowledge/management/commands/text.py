"""`manage.py text DOCUMENT`: the canonical text of a document's live version; with --json its chunks too."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from accounts.subjects import subject_named
from accounts.types import Subject
from common.commands import WRONG_USE, TrellisCommand
from knowledge.models import Chunk, Version
from knowledge.selectors.documents import document_called


class Command(TrellisCommand):
    help = "Print the canonical text of a document's live version."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("document", metavar="DOCUMENT", help="path or id")
        parser.add_argument("--kb", metavar="SLUG", help="knowledge base, where several have a document of this path")
        parser.add_argument("--as", dest="user", metavar="USER", help="act as this person")

    def run(self, options: dict[str, Any]) -> int:
        subject = subject_named(options["user"]) if options["user"] else Subject.system()
        document = document_called(subject, options["document"], kb=options["kb"] or "")
        if document.live_version_id is None:
            raise CommandError("This document has not been read yet.", returncode=WRONG_USE)
        version = Version.objects.get(pk=document.live_version_id)
        chunks = Chunk.objects.filter(version=version).order_by("ordinal") if self.as_json else []
        row = {
            "document": str(document.pk),
            "version": version.number,
            "text": version.text,
            "chunks": [
                {"id": str(c.pk), "kind": c.kind, "start": c.start, "end": c.end, "context": c.context, "page": c.page}
                for c in chunks
            ],
        }
        self.say(row, version.text)
        return 0

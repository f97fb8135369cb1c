"""A corpus file as a knowledge base of its own, by the ordinary way in: read once, and again only what changed."""

import hashlib
import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from accounts.types import Subject
from common.errors import NotFound
from evaluation.files import ids_in
from knowledge.models import Document, DocumentState, KnowledgeBase, Outcome
from knowledge.selectors.bases import base_named
from knowledge.services.bases import kb_create
from knowledge.services.bin import documents_bin
from knowledge.services.uploads import upload
from knowledge.sources import files_of_lines
from knowledge.tools import Tools
from knowledge.uploading import IncomingFile
from knowledge.working import read_along

BATCH = 500
TO_READ = (Outcome.NEW, Outcome.NEW_VERSION, Outcome.AGAIN)


def slug_for(corpus: Path) -> str:
    """The name of the knowledge base of this file: readable, and one a path."""
    whole = corpus.resolve()
    readable = re.sub(r"[^a-z0-9]+", "-", f"{whole.parent.name}-{whole.stem}".lower()).strip("-")[:50]
    return f"eval-{readable}-{hashlib.sha256(str(whole).encode()).hexdigest()[:8]}"


def corpus_base(subject: Subject, slug: str) -> KnowledgeBase:
    """The knowledge base of that name, made when there is none."""
    try:
        return base_named(subject, slug)
    except NotFound:
        return kb_create(subject=subject, slug=slug)


def corpus_read(subject: Subject, kb: KnowledgeBase, corpus: Path, tools: Tools, told: Callable[[int], None]) -> None:
    """Bring the knowledge base in step with the file; `told` hears how many documents were read. Raises EngineUnavailable, InvalidInput."""
    done = 0

    def count(_version: object) -> None:
        nonlocal done
        done += 1
        told(done)

    for batch in batches(sound(files_of_lines(corpus))):
        job = upload(subject=subject, kb=kb, files=batch, tools=tools, enqueue=False)
        waiting = job.items.filter(outcome__in=TO_READ, version__isnull=False).values_list("version_id", flat=True)
        read_along([version_id for version_id in waiting if version_id], tools, count)
    put_away_the_rest(subject, kb, frozenset(ids_in(corpus)), tools)


def sound(files: Iterator[IncomingFile]) -> Iterator[IncomingFile]:
    """What is measured is the whole corpus. Raises UnreadableFile for a line that is no document."""
    for file in files:
        if file.error:
            raise file.error
        yield file


def batches(files: Iterator[IncomingFile]) -> Iterator[list[IncomingFile]]:
    while batch := list(islice(files, BATCH)):
        yield batch


def put_away_the_rest(subject: Subject, kb: KnowledgeBase, kept: frozenset[str], tools: Tools) -> None:
    """Documents that the file no longer holds go to the bin."""
    here = Document.objects.filter(kb=kb, state=DocumentState.LIVE).values_list("pk", "path").iterator()
    gone = [document for document, path in here if path not in kept]
    if gone:
        documents_bin(subject=subject, kb_id=kb.pk, documents=gone, tools=tools)

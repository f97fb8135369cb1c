"""Turn staged files into documents, originals, versions, stages and the items of a job: the inside of `upload_commit`, called in its transaction."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.types import Subject
from common.errors import Conflict
from knowledge import metadata, paths, runs
from knowledge.conf import knowledge_settings
from knowledge.corpus import corpus_moved, hold_paths
from knowledge.models import (
    Document,
    Job,
    JobItem,
    JobKind,
    KnowledgeBase,
    Original,
    Outcome,
    StageRun,
    UploadFile,
    Version,
)
from knowledge.uploading import Examined, classify


@dataclass(slots=True)
class Accepted:
    """The job, and what was made for it."""

    job: Job
    subject: Subject
    is_new: bool = True
    known: dict[UUID, Document] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set)
    documents: list[Document] = field(default_factory=list)
    originals: list[Original] = field(default_factory=list)
    versions: list[Version] = field(default_factory=list)
    stages: list[StageRun] = field(default_factory=list)
    items: list[JobItem] = field(default_factory=list)
    again: list[UUID] = field(default_factory=list)

    @property
    def version_ids(self) -> list[UUID]:
        """What is to be read."""
        return [*(version.pk for version in self.versions), *self.again]

    def counts(self) -> dict[str, int]:
        """How many files of each outcome."""
        return dict(Counter(str(item.outcome) for item in self.items))

    def save(self) -> None:
        """Few statements, however many files."""
        for model, rows in (
            (Document, self.documents),
            (Original, self.originals),
            (Version, self.versions),
            (StageRun, self.stages),
            (JobItem, self.items),
        ):
            model._default_manager.bulk_create(rows, batch_size=500)  # type: ignore[arg-type]


def accept(subject: Subject, kb: KnowledgeBase, rows: Sequence[UploadFile], idempotency_key: str) -> Accepted:
    """Inside a transaction. Uploads to one knowledge base are accepted one after the other, so that no path is made twice."""
    hold_paths(kb.pk)
    request_hash = hash_of_request(rows)
    if idempotency_key and (job := same_job(subject, kb, idempotency_key, request_hash)):
        return Accepted(job, subject, is_new=False)
    allowed = knowledge_settings().job_tokens
    job = Job.objects.create(
        kind=JobKind.READ,
        kb=kb,
        created_by_id=subject.user_id,
        idempotency_key=idempotency_key,
        request_hash=request_hash,
        token_allowance=allowed,
        token_limit=allowed,
    )
    accepted = Accepted(job, subject)
    by_path = {row.path: row for row in rows if row.outcome != Outcome.REFUSED}
    files = classify(kb, [as_examined(row) for row in rows])
    ids = [file.known.document_id for file in files if file.known]
    accepted.known = {
        document.pk: document
        for document in Document.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
    }
    for file in files:
        take_in(kb, file, by_path.get(file.path), accepted)
    accepted.save()
    if not accepted.version_ids:
        job.finished_at = timezone.now()
        job.save(update_fields=["finished_at"])
    return accepted


def hash_of_request(rows: Sequence[UploadFile]) -> str:
    """What tells two requests with one idempotency key apart: paths, bytes, and what was said of them."""
    parts = sorted(
        json.dumps([row.path, row.sha256, row.metadata, row.outcome == Outcome.REFUSED], sort_keys=True) for row in rows
    )
    return sha256("\n".join(parts).encode()).hexdigest()


def same_job(subject: Subject, kb: KnowledgeBase, key: str, request_hash: str) -> Job | None:
    """The job that this key has made before. Raises Conflict when it was made from other files."""
    job = Job.objects.filter(kb=kb, created_by_id=subject.user_id, idempotency_key=key).first()
    if job and job.request_hash != request_hash:
        raise Conflict(_("This idempotency key was used for other files. Use a new key for a new upload."))
    return job


def as_examined(row: UploadFile) -> Examined:
    """A staged file, to be looked at again beside what is there now."""
    return Examined(
        path=row.path,
        name=row.name,
        size_bytes=row.size_bytes,
        sha256=row.sha256,
        media_type=row.media_type,
        said=row.metadata,
        outcome=Outcome(row.outcome),
        error=row.error,
    )


def take_in(kb: KnowledgeBase, file: Examined, row: UploadFile | None, accepted: Accepted) -> None:
    """Whatever one file asks for; its item says what it was."""
    item = JobItem(job=accepted.job, path=file.path, outcome=file.outcome, notices=list(file.notices), error=file.error)
    accepted.items.append(item)
    if file.is_refused or row is None:
        return
    if file.known is None:
        item.document = new_document(kb, file, accepted)
        item.version = new_version(item.document, 1, file, row, accepted)
        return
    item.document = accepted.known[file.known.document_id]
    item.version_id = file.known.version_id
    if file.outcome == Outcome.NEW_VERSION:
        runs.cancel(item.document, why=runs.SUPERSEDED)
        item.version = new_version(item.document, file.known.number + 1, file, row, accepted)
    elif file.outcome == Outcome.AGAIN:
        runs.again(file.known.version_id)
        accepted.again.append(file.known.version_id)
    elif metadata.apply(item.document, file.said):
        item.document.save()
        corpus_moved(kb.pk)


def new_document(kb: KnowledgeBase, file: Examined, accepted: Accepted) -> Document:
    """A path that has no document."""
    document = Document(
        kb=kb,
        path=file.path,
        folder=paths.folder_of(file.path),
        title=file.said.get("title", ""),
        owner_id=accepted.subject.user_id,
    )
    accepted.documents.append(document)
    return document


def new_version(document: Document, number: int, file: Examined, row: UploadFile, accepted: Accepted) -> Version:
    """A reading that waits, from bytes that the document may have had before."""
    original = Original.objects.filter(document=document, sha256=file.sha256).first() if number > 1 else None
    if original is None:
        original = Original(
            document=document,
            sha256=file.sha256,
            size_bytes=file.size_bytes,
            name=file.name,
            media_type=file.media_type,
            key=row.key,
        )
        accepted.originals.append(original)
        accepted.keys.add(row.key)
    version = Version(
        document=document,
        number=number,
        original=original,
        created_by_id=accepted.subject.user_id,
        title=file.said.get("title", ""),
        metadata=file.said,
    )
    accepted.versions.append(version)
    accepted.stages.extend(runs.waiting(version))
    return version

"""Take files in: first they are staged (kept, and shown as what they will be), then accepted as one job. Commands and programs do both in one call."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.services.audit import audit
from accounts.types import Subject
from common.errors import NotFound, TrellisError
from common.ids import uuid7
from common.storage import pieces_of
from knowledge import policy, queue
from knowledge.models import Job, KnowledgeBase, Outcome, Upload, UploadFile
from knowledge.services.acceptance import Accepted, accept
from knowledge.tools import Tools
from knowledge.unpacking import unpacked
from knowledge.uploading import Examined, IncomingFile, classify, examine

KEPT = timedelta(days=1)


def upload_stage(
    *, subject: Subject, kb: KnowledgeBase, files: Iterable[IncomingFile], tools: Tools, into: Upload | None = None
) -> Upload:
    """Keep the files that can be read and say what each will be; nothing of it is a document yet. Archives count as their files.

    `into` is a batch of the subject's in the same knowledge base that these files join, so that a large folder can be sent in pieces.
    Raises Forbidden or NotFound by the policy; a file that can't be read is refused by itself.
    """
    policy.require_editor(subject, kb.pk)
    if into is not None and (into.kb_id != kb.pk or into.created_by_id != subject.user_id):
        raise NotFound(_("There is no such upload, or it is not yours."))
    batch = into or Upload.objects.create(kb=kb, created_by_id=subject.user_id)
    taken = batch.files.exclude(outcome=Outcome.REFUSED).values_list("path", flat=True)
    keys: list[str] = []
    try:
        with TemporaryDirectory(prefix="trellis-") as folder:
            sent = examine(unpacked(files, tools.limits, Path(folder)), tools.limits, taken=taken)
            examined = []
            for incoming, file in sent:
                keys.append("" if file.is_refused else f"{key_prefix(batch)}/{uuid7().hex}")
                keep(keys[-1], incoming, tools)
                examined.append(file)
        rows = [staged_row(batch, file, key) for file, key in zip(classify(kb, examined), keys, strict=True)]
        UploadFile.objects.bulk_create(rows)
    except BaseException:
        take_back(batch, keys, tools, is_whole=into is None)
        raise
    return batch


def take_back(batch: Upload, keys: Sequence[str], tools: Tools, *, is_whole: bool) -> None:
    """Nothing of this call stays: neither its bytes nor, when it began the batch, the batch."""
    if is_whole:
        forget_staged(batch, tools)
        return
    for key in filter(None, keys):
        tools.storage.remove(key)


def key_prefix(upload: Upload) -> str:
    """Where the bytes of a batch lie. The row of the batch is there before them, so that no bytes are ever without a row."""
    return f"originals/{upload.pk}"


def keep(key: str, incoming: IncomingFile, tools: Tools) -> None:
    """Store the bytes of one file; a refused one has no key."""
    if not key:
        return
    if isinstance(incoming.content, bytes):
        tools.storage.keep(key, [incoming.content])
        return
    with incoming.content.open("rb") as source:
        tools.storage.keep(key, pieces_of(source))


def staged_row(upload: Upload, file: Examined, key: str) -> UploadFile:
    """The row of a file."""
    return UploadFile(
        upload=upload,
        path=file.path,
        name=file.name[:1000],
        size_bytes=file.size_bytes,
        sha256=file.sha256,
        media_type=file.media_type,
        key=key,
        metadata=file.said,
        outcome=file.outcome,
        notices=list(file.notices),
        error=file.error,
    )


def upload_commit(
    *, subject: Subject, upload: Upload, tools: Tools, idempotency_key: str = "", enqueue: bool = True
) -> Job:
    """Accept what was staged: documents, versions and a job, in one transaction; the reading is queued after it.

    What a file will be is decided anew, because others may have been quicker. The same idempotency key gives the same job; with other files it
    raises Conflict.
    """
    policy.require_editor(subject, upload.kb_id)
    if subject.user_id != upload.created_by_id and not subject.is_administrator:
        raise NotFound(_("There is no such upload, or it is not yours."))
    rows = list(UploadFile.objects.filter(upload=upload).order_by("pk"))
    with transaction.atomic():
        accepted = accept(subject, upload.kb, rows, idempotency_key)
        upload.delete()
        if accepted.is_new:
            audit(subject, "upload", None, label=accepted.job.label, kb_id=upload.kb_id, after=accepted.counts())
        if enqueue:
            transaction.on_commit(lambda: queue.send_versions(accepted.version_ids))
    drop_unused(rows, accepted, tools)
    return accepted.job


def upload_discard(*, subject: Subject, upload: Upload, tools: Tools) -> None:
    """Forget what was staged."""
    if subject.user_id != upload.created_by_id and not subject.is_administrator:
        raise NotFound(_("There is no such upload, or it is not yours."))
    forget_staged(upload, tools)


def forget_staged(upload: Upload, tools: Tools) -> None:
    """Rows and bytes."""
    tools.storage.remove_below(key_prefix(upload))
    upload.delete()


def upload(
    *,
    subject: Subject,
    kb: KnowledgeBase,
    files: Sequence[IncomingFile],
    tools: Tools,
    idempotency_key: str = "",
    enqueue: bool = True,
) -> Job:
    """Stage and accept in one call; when it fails, nothing is left."""
    staged = upload_stage(subject=subject, kb=kb, files=files, tools=tools)
    try:
        return upload_commit(
            subject=subject, upload=staged, tools=tools, idempotency_key=idempotency_key, enqueue=enqueue
        )
    except TrellisError:
        upload_discard(subject=subject, upload=staged, tools=tools)
        raise


def drop_unused(rows: Sequence[UploadFile], accepted: Accepted, tools: Tools) -> None:
    """Remove the bytes that have become nobody's original."""
    for row in rows:
        if row.key and row.key not in accepted.keys:
            tools.storage.remove(row.key)


def uploads_expire(*, tools: Tools) -> int:
    """Forget what was staged a day ago and never accepted; gives how many batches."""
    old = list(Upload.objects.filter(created_at__lt=timezone.now() - KEPT))
    for staged in old:
        upload_discard(subject=Subject.system(), upload=staged, tools=tools)
    return len(old)

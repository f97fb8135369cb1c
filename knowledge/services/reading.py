"""Cancel a reading, try a stage again, read a document again from its original."""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.services.audit import audit
from accounts.types import Subject
from common.errors import Conflict, InvalidInput
from knowledge import jobs, policy, queue, runs
from knowledge.conf import knowledge_settings
from knowledge.models import Document, DocumentState, Job, JobItem, JobKind, KnowledgeBase, Outcome, StageRun, Version
from knowledge.parsing.read import PARSERS
from knowledge.spending import grant_again
from knowledge.tools import Tools


@transaction.atomic
def reading_cancel(*, subject: Subject, version: Version) -> int:
    """End the reading of a version; what is stored stays for a retry. Gives how many stages were ended, 0 when nothing was to do."""
    document = held(subject, version)
    ended = runs.cancel(document, why=runs.CANCELLED, version_id=version.pk)
    if ended:
        audit(subject, "reading.cancel", document, kb_id=document.kb_id, after={"version": version.number})
        jobs.settle(document.pk)
    return ended


@transaction.atomic
def job_cancel(*, subject: Subject, job: Job) -> int:
    """The same for everything unfinished of a job. A job that deletes can't be cancelled: raises Conflict."""
    policy.require_editor(subject, job.kb_id)
    if job.kind == JobKind.PURGE:
        raise Conflict(_("Deleting for good can't be cancelled."))
    versions = Version.objects.filter(job_items__job=job, runs__state__in=runs.UNFINISHED).defer("text").distinct()
    return sum(bool(reading_cancel(subject=subject, version=version)) for version in versions)


@transaction.atomic
def reading_retry(*, subject: Subject, version: Version, tools: Tools, from_stage: str = "") -> int:
    """Have failed or cancelled stages tried again; with `from_stage` that stage and all after it anew, though they be done. Gives how many wait again.

    Raises Conflict when the version is the one that readers see (read the document again instead) or a newer one has come, InvalidInput for an
    unknown stage.
    """
    document = held(subject, version)
    if document.state != DocumentState.LIVE:
        raise Conflict(_("The document is in the bin. Restore it first."))
    if document.versions.filter(number__gt=version.number).exists():
        raise Conflict(_("A newer version has come. Read the document again instead."))
    if from_stage and from_stage not in runs.STAGES:
        raise InvalidInput(_("There is no stage “%(stage)s”.") % {"stage": from_stage}, field="stage")
    if from_stage and version.published_at:
        raise Conflict(_("Readers see this version already. Read the document again instead."))
    count = runs.again(version.pk, from_stage=from_stage)
    grant_again(version)
    if from_stage:
        forget_from(version, from_stage, tools)
    if count:
        Job.objects.filter(items__version=version).update(finished_at=None, seen_at=None)
        audit(
            subject,
            "reading.retry",
            document,
            kb_id=document.kb_id,
            after={"version": version.number, "from": from_stage},
        )
        transaction.on_commit(lambda: queue.send_versions([version.pk]))
    return count


def forget_from(version: Version, stage: str, tools: Tools) -> None:
    """Take back what this stage and those after it stored; the last first."""
    later = runs.STAGES[runs.STAGES.index(stage) :]
    for step in reversed(tools.way_in):
        if step.name in later:
            step.forget(version)


def held(subject: Subject, version: Version) -> Document:
    """The version's document, held against other writers. Raises Forbidden or NotFound by the policy."""
    document = Document.objects.select_for_update(no_key=True).get(pk=version.document_id)
    policy.require_editor(subject, document.kb_id)
    return document


@transaction.atomic
def documents_reread(
    *,
    subject: Subject,
    kb: KnowledgeBase,
    documents: Sequence[UUID] = (),
    force: bool = False,
    enqueue: bool = True,
    label: str = "",
) -> Job | None:
    """Read documents (all when none are named) again from their originals where the parser is newer than their last reading, or always with `force`.

    Each becomes a new version. Gives the job, or None when nothing is to be done.
    """
    policy.require_editor(subject, kb.pk)
    found = Document.objects.select_for_update(no_key=True).filter(kb=kb, state=DocumentState.LIVE).order_by("pk")
    if documents:
        found = found.filter(pk__in=documents)
    allowed = knowledge_settings().job_tokens
    job = Job(
        kind=JobKind.REREAD,
        kb=kb,
        created_by_id=subject.user_id,
        label=label,
        token_allowance=allowed,
        token_limit=allowed,
    )
    fresh = [version for document in found if (version := next_version(subject, document, force=force))]
    if not fresh:
        return None
    job.save()
    for version in fresh:
        runs.cancel(version.document, why=runs.SUPERSEDED)
        version.save()
        StageRun.objects.bulk_create(runs.waiting(version))
        JobItem.objects.create(
            job=job, path=version.document.path, document=version.document, version=version, outcome=Outcome.AGAIN
        )
    audit(
        subject,
        "documents.reread",
        None,
        label=f"{len(fresh)}",
        kb_id=kb.pk,
        after={"documents": len(fresh), "force": force},
    )
    if enqueue:
        transaction.on_commit(lambda: queue.send_versions([version.pk for version in fresh]))
    return job


def next_version(subject: Subject, document: Document, *, force: bool) -> Version | None:
    """An unsaved version from the newest original, when there is a reason for one."""
    last = document.versions.select_related("original").defer("text").order_by("-number").first()
    if last is None or not (force or is_outdated(last)):
        return None
    title = last.metadata.get("title", "")
    said = {field: value for field, value in last.metadata.items() if field == "title"}
    return Version(
        document=document,
        number=last.number + 1,
        original=last.original,
        created_by_id=subject.user_id,
        title=title,
        metadata=said,
    )


def is_outdated(version: Version) -> bool:
    """Whether today's parser for this kind of file is another than the one that read it. What is unread or has failed is not outdated."""
    today = {parser.name: str(parser) for parser in PARSERS.values()}
    name = version.parser.partition("/")[0]
    return bool(version.parser) and today.get(name, version.parser) != version.parser

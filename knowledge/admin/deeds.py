"""What can be done to many documents at once: each deed says what it is called, whether it can be taken back, and does it through the services, all or none."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.types import Subject
from knowledge.models import Document, Job, KnowledgeBase, Version
from knowledge.services.bin import documents_bin, documents_restore
from knowledge.services.documents import BulkEdit, document_edit, documents_edit
from knowledge.services.purging import purge_start
from knowledge.services.reading import documents_reread, reading_retry
from knowledge.tools import tools

FIELDS = ("path", "tags", "owner_id", "effective_on", "expires_on")


@dataclass(frozen=True, slots=True)
class Done:
    """`count` really changed; `jobs` were begun; `undo` is what `take_back` needs, in JSON's types."""

    count: int
    jobs: Sequence[Job] = ()
    undo: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Deed:
    """A thing that is done to documents. `is_final`: it can't be undone, and asks for the name of the knowledge base."""

    name: str
    title: str | Promise
    text: str | Promise
    action: str | Promise
    run: Callable[[Subject, Sequence[Document]], Done]
    is_final: bool = False


def by_base(documents: Iterable[Document]) -> dict[KnowledgeBase, list[UUID]]:
    """The ids of each knowledge base."""
    found: dict[KnowledgeBase, list[UUID]] = defaultdict(list)
    for document in documents:
        found[document.kb].append(document.pk)
    return found


@transaction.atomic
def put_into_bin(subject: Subject, documents: Sequence[Document]) -> Done:
    for kb, ids in by_base(documents).items():
        documents_bin(subject=subject, kb_id=kb.pk, documents=ids, tools=tools())
    return Done(len(documents), undo={"deed": "restore", "ids": texts(documents)})


@transaction.atomic
def take_out_of_bin(subject: Subject, documents: Sequence[Document]) -> Done:
    for kb, ids in by_base(documents).items():
        documents_restore(subject=subject, kb_id=kb.pk, documents=ids, tools=tools())
    return Done(len(documents), undo={"deed": "bin", "ids": texts(documents)})


@transaction.atomic
def delete_for_good(subject: Subject, documents: Sequence[Document]) -> Done:
    jobs = []
    for kb, ids in by_base(documents).items():
        chosen = [document for document in documents if document.pk in set(ids)]
        jobs.append(purge_start(subject=subject, kb=kb, documents=chosen))
    return Done(len(documents), jobs)


@transaction.atomic
def read_again(subject: Subject, documents: Sequence[Document]) -> Done:
    started = [
        documents_reread(subject=subject, kb=kb, documents=ids, force=True) for kb, ids in by_base(documents).items()
    ]
    jobs = [job for job in started if job is not None]
    return Done(sum(job.items.count() for job in jobs), jobs)


@transaction.atomic
def try_again(subject: Subject, documents: Sequence[Document]) -> Done:
    newest = Version.objects.filter(document__in=documents).order_by("document", "-number").distinct("document")
    versions = newest.select_related("document").defer("text")
    return Done(sum(bool(reading_retry(subject=subject, version=each, tools=tools())) for each in versions))


DEEDS = {
    deed.name: deed
    for deed in (
        Deed(
            "bin",
            _("Put into the bin"),
            _("Readers and answers stop seeing them at once. They can be restored."),
            _("Put into the bin"),
            put_into_bin,
        ),
        Deed("restore", _("Restore from the bin"), _("They are as they were before."), _("Restore"), take_out_of_bin),
        Deed(
            "purge",
            _("Delete for good"),
            _(
                "Documents, versions, originals, passages and vectors go, and quotations of them are erased. This can't be undone."
            ),
            _("Delete for good"),
            delete_for_good,
            is_final=True,
        ),
        Deed(
            "reread",
            _("Read again"),
            _("Each is read again from its original as a new version. Readers see the present one until that is done."),
            _("Read again"),
            read_again,
        ),
        Deed(
            "retry",
            _("Try failed readings again"),
            _("Stages that failed or were cancelled are tried again; the others stay as they are."),
            _("Try again"),
            try_again,
        ),
    )
}


@transaction.atomic
def change_all(subject: Subject, documents: Sequence[Document], change: BulkEdit) -> Done:
    """A bulk edit, with what the documents were before."""
    before = {str(document.pk): values_of(document) for document in documents}
    for kb, ids in by_base(documents).items():
        documents_edit(subject=subject, kb_id=kb.pk, documents=ids, change=change)
    after = {str(each.pk): values_of(each) for each in Document.objects.filter(pk__in=[each.pk for each in documents])}
    different = {id: values for id, values in before.items() if after.get(id) != values}
    return Done(len(different), undo={"deed": "edit", "rows": different})


@dataclass(frozen=True, slots=True)
class Difference:
    """One document in a preview: each changed field with its value before and after."""

    document: Document
    fields: Sequence[tuple[str | Promise, str, str]]


def previewed(subject: Subject, documents: Sequence[Document], change: BulkEdit) -> list[Difference]:
    """What a bulk edit would change, found by doing it and taking it back. Raises what the edit would raise."""
    with transaction.atomic():
        done = change_all(subject, documents, change)
        after = {
            str(each.pk): each for each in Document.objects.select_related("owner").filter(pk__in=done.undo["rows"])
        }
        transaction.set_rollback(True)
    return [
        Difference(document, differences(document, after[str(document.pk)]))
        for document in documents
        if str(document.pk) in after
    ]


def differences(before: Document, after: Document) -> list[tuple[str | Promise, str, str]]:
    labels = {
        "path": _("path"),
        "tags": _("tags"),
        "owner_id": _("responsible person"),
        "effective_on": _("effective from"),
        "expires_on": _("expires after"),
    }
    return [
        (labels[name], shown(before, name), shown(after, name))
        for name in FIELDS
        if getattr(before, name) != getattr(after, name)
    ]


def shown(document: Document, name: str) -> str:
    value = document.owner if name == "owner_id" else getattr(document, name)
    return ", ".join(value) if isinstance(value, list) else str(value or "–")


def values_of(document: Document) -> dict[str, Any]:
    """The fields that bulk edits touch, in JSON's types."""
    return {
        name: value if isinstance(value, list | str) else str(value) if value else None
        for name in FIELDS
        for value in (getattr(document, name),)
    }


@transaction.atomic
def take_back(subject: Subject, documents: Sequence[Document], undo: dict[str, Any]) -> int:
    """Undo what `Done.undo` describes, for the documents that the subject may still change; gives how many."""
    if undo["deed"] != "edit":
        return DEEDS[undo["deed"]].run(subject, documents).count
    for document in documents:
        values = undo["rows"][str(document.pk)]
        owner = UUID(values["owner_id"]) if values["owner_id"] else None
        changes = {**{name: value for name, value in values.items() if name != "owner_id"}, "owner": owner}
        document_edit(subject=subject, document=document, changes=changes)
    return len(documents)


def texts(documents: Iterable[Document]) -> list[str]:
    return [str(document.pk) for document in documents]

"""Read documents: lists with filters, folders and tags with counts, versions, chunks, the bin."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import Count, Exists, F, Func, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.types import Subject
from common.errors import InvalidInput, NotFound
from knowledge import policy
from knowledge.models import Chunk, Document, DocumentState, KnowledgeBase, Role, RunState, StageRun, Version
from knowledge.runs import UNFINISHED


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """What a list is narrowed to; empty means no limit. `folder` includes what is below it. `reading` is "failed", "cancelled", "unfinished" or "done".

    `expired` True shows only expired ones, False only those in force.
    """

    kb: str = ""
    folder: str = ""
    tags: tuple[str, ...] = ()
    reading: str = ""
    q: str = ""
    owner_id: UUID | None = None
    language: str = ""
    expired: bool | None = None


@dataclass(slots=True)
class Folder:
    """A folder with the number of documents in it and below it."""

    name: str
    path: str
    count: int = 0
    folders: list["Folder"] = field(default_factory=list)


def documents_for(
    subject: Subject, *, kb: str = "", state: DocumentState = DocumentState.LIVE, least: Role = Role.VIEWER
) -> QuerySet[Document]:
    """Documents that the subject may see, of one knowledge base or of all, newest first."""
    found = policy.visible(Document.objects.select_related("kb", "owner"), subject, least=least).filter(state=state)
    return (found.filter(kb__slug=kb) if kb else found).order_by("-updated_at", "-pk")


def documents_found(subject: Subject, wanted: DocumentFilter) -> QuerySet[Document]:
    """The same, narrowed; the live version comes along without its text."""
    found = documents_for(subject, kb=wanted.kb).filter(conditions(wanted))
    return found.select_related("kb", "owner", "live_version").defer("live_version__text")


def conditions(wanted: DocumentFilter) -> Q:
    """A filter as a condition on documents."""
    condition = Q()
    if wanted.folder:
        condition &= Q(folder=wanted.folder) | Q(folder__startswith=f"{wanted.folder}/")
    if wanted.tags:
        condition &= Q(tags__contains=list(wanted.tags))
    if wanted.q:
        condition &= Q(title__icontains=wanted.q) | Q(path__icontains=wanted.q)
    if wanted.owner_id:
        condition &= Q(owner_id=wanted.owner_id)
    if wanted.language:
        condition &= Q(language=wanted.language)
    if wanted.expired is not None:
        is_expired = Q(expires_on__isnull=False, expires_on__lt=timezone.localdate())
        condition &= is_expired if wanted.expired else ~is_expired
    return condition & reading_condition(wanted.reading)


def reading_condition(reading: str) -> Q:
    """By how the latest reading went. Raises InvalidInput for a word that is none of these."""
    newest = Subquery(Version.objects.filter(document=OuterRef("document_id")).order_by("-number").values("pk")[:1])
    runs = (
        StageRun.objects.filter(document=OuterRef("pk"), version_id__isnull=False)
        .alias(newest=newest)
        .filter(version_id=F("newest"))
    )
    ended = Exists(runs.filter(state__in=(RunState.FAILED, RunState.CANCELLED)))
    left = Exists(runs.filter(state__in=UNFINISHED))
    known = {
        "": Q(),
        "failed": Q(Exists(runs.filter(state=RunState.FAILED))),
        "cancelled": Q(Exists(runs.filter(state=RunState.CANCELLED))),
        "unfinished": Q(left) & ~Q(ended),
        "done": ~Q(left) & ~Q(ended),
    }
    if reading not in known:
        raise InvalidInput(_("“%(word)s” is no state of reading.") % {"word": reading}, field="reading")
    return known[reading]


def document_called(subject: Subject, name: str, *, kb: str = "") -> Document:
    """By path or id. Raises NotFound, or InvalidInput when several knowledge bases have this path."""
    documents = documents_for(subject, kb=kb)
    try:
        found = list(documents.filter(pk=UUID(name)))
    except ValueError:
        found = list(documents.filter(path=name)[:2])
    if not found:
        raise NotFound(_("There is no document “%(name)s”, or you may not see it.") % {"name": name})
    if len(found) > 1:
        raise InvalidInput(
            _("Several knowledge bases have a document “%(name)s”. Name one with --kb.") % {"name": name}
        )
    return found[0]


def bin_for(subject: Subject, *, kb: str = "") -> QuerySet[Document]:
    """What lies in the bin, the last thrown first; for editors. What is being deleted for good is not shown."""
    return documents_for(subject, kb=kb, state=DocumentState.BINNED, least=Role.EDITOR).order_by("-binned_at")


def folders_of(subject: Subject, kb: KnowledgeBase, *, published_only: bool = False) -> Folder:
    """The tree of folders of a knowledge base; the root is the whole. Readers find only what has been published."""
    found = counted_documents(subject, kb, published_only=published_only)
    return tree(found.values_list("folder").annotate(count=Count("pk")))


def counted_documents(subject: Subject, kb: KnowledgeBase, *, published_only: bool) -> QuerySet[Document]:
    found = documents_for(subject, kb=kb.slug).order_by()
    return found.exclude(live_version=None) if published_only else found


def tree(counts: Iterable[tuple[str, int]]) -> Folder:
    """Nest folders, sorted by name; a parent that holds only folders is there too."""
    root = Folder("", "")
    known = {"": root}
    for path, count in sorted(counts):
        root.count += count
        parts = path.split("/") if path else []
        for depth in range(1, len(parts) + 1):
            name = "/".join(parts[:depth])
            if name not in known:
                known[name] = Folder(parts[depth - 1], name)
                known["/".join(parts[: depth - 1])].folders.append(known[name])
            known[name].count += count
    return root


def tags_of(subject: Subject, kb: KnowledgeBase, *, published_only: bool = False) -> list[tuple[str, int]]:
    """Each tag with the number of documents that carry it, the most used first."""
    each = (
        counted_documents(subject, kb, published_only=published_only)
        .annotate(tag=Func(F("tags"), function="unnest"))
        .values_list("tag", flat=True)
    )
    return sorted(Counter(each).items(), key=lambda entry: (-entry[1], entry[0]))


def versions_of(document: Document) -> QuerySet[Version]:
    """All readings of a document (from one of the selectors above), the newest first, without their texts."""
    return document.versions.select_related("original", "created_by").defer("text").order_by("-number")


def chunks_of(version: Version) -> QuerySet[Chunk]:
    """The chunks of a version (of a document from one of the selectors above) in reading order."""
    return Chunk.objects.filter(version=version).select_related("section").order_by("ordinal")


def version_for(subject: Subject, version_id: UUID, *, least: Role = Role.VIEWER) -> Version:
    """One version with its document, without its text. Raises NotFound; editors also see versions of binned documents."""
    found = policy.visible(Version.objects.select_related("document__kb", "original"), subject, least=least).defer(
        "text"
    )
    version = found.filter(pk=version_id).exclude(document__state=DocumentState.DELETING).first()
    if version is None or (version.document.state == DocumentState.BINNED and least == Role.VIEWER):
        raise NotFound(_("There is no such version, or you may not see it."))
    return version


def chunk_for(subject: Subject, chunk_id: UUID, *, least: Role = Role.VIEWER) -> Chunk:
    """One chunk with its document. Raises NotFound."""
    found = policy.visible(Chunk.objects.select_related("document__kb", "version__original"), subject, least=least)
    chunk = found.defer("version__text").filter(pk=chunk_id, document__state=DocumentState.LIVE).first()
    if chunk is None:
        raise NotFound(_("There is no such passage, or you may not see it."))
    return chunk

"""Change what is said of documents: title, path, tags, owner, source, dates; one document or many at once. What an editor sets by hand stays so."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.services.audit import audit
from accounts.types import Subject
from common.errors import Conflict, InvalidInput, NotFound
from knowledge import metadata, paths, policy
from knowledge.corpus import corpus_moved, hold_paths
from knowledge.models import Document, DocumentState
from knowledge.parsing.paths import normalise_path

FIELDS = ("title", "tags", "source_url", "effective_on", "expires_on", "owner", "path", "folder")


@dataclass(frozen=True, slots=True)
class BulkEdit:
    """A change to many documents. `fields` are set as they are (see FIELDS; no path or title); `folder` moves them, "" to the top."""

    fields: Mapping[str, Any] | None = None
    folder: str | None = None
    add_tags: Sequence[str] = ()
    remove_tags: Sequence[str] = ()

    def for_document(self, document: Document) -> dict[str, Any]:
        """What this is for one document."""
        changes = dict(self.fields or {})
        if self.folder is not None:
            changes["folder"] = self.folder
        if self.add_tags or self.remove_tags:
            gone = set(metadata.clean_tags(list(self.remove_tags)))
            tags = [*changes.get("tags", document.tags), *metadata.clean_tags(list(self.add_tags))]
            changes["tags"] = [tag for tag in dict.fromkeys(tags) if tag not in gone]
        return changes


@transaction.atomic
def document_edit(*, subject: Subject, document: Document, changes: Mapping[str, Any]) -> Document:
    """Set fields by hand; None or "" empties one. Raises InvalidInput for a value that can't be, Conflict for a path that is taken."""
    policy.require_editor(subject, document.kb_id)
    hold_paths(document.kb_id)
    fresh = locked(document.kb_id, [document.pk])[0]
    if edit(subject, fresh, changes):
        corpus_moved(fresh.kb_id)
    return fresh


@transaction.atomic
def documents_edit(*, subject: Subject, kb_id: UUID, documents: Sequence[UUID], change: BulkEdit) -> int:
    """The same for many, all or none; gives how many really changed. Raises what `document_edit` raises, naming the first document concerned."""
    policy.require_editor(subject, kb_id)
    hold_paths(kb_id)
    changed = sum(edit(subject, document, change.for_document(document)) for document in locked(kb_id, documents))
    if changed:
        corpus_moved(kb_id)
    return changed


def locked(kb_id: UUID, ids: Sequence[UUID]) -> list[Document]:
    """The documents, held against other writers. Raises NotFound when one is not in use."""
    found = list(
        Document.objects.select_for_update(no_key=True)
        .filter(kb_id=kb_id, pk__in=ids, state=DocumentState.LIVE)
        .order_by("pk")
    )
    if len(found) != len(set(ids)):
        raise NotFound(_("There is no such document, or it is in the bin."))
    return found


def edit(subject: Subject, document: Document, changes: Mapping[str, Any]) -> bool:
    """Inside the caller's transaction; whether anything is different now."""
    clean = cleaned(document, changes)
    before = {field: getattr(document, field) for field in clean}
    different = {field: value for field, value in clean.items() if before[field] != value}
    if not different:
        return False
    for field, value in different.items():
        setattr(document, field, value)
    by_hand = set(different) - {"path", "folder", "owner_id"}
    document.set_by_hand = sorted({*document.set_by_hand, *by_hand})
    document.save()
    audit(
        subject,
        "document.edit",
        document,
        kb_id=document.kb_id,
        before=recorded(before, different),
        after=recorded(different, different),
    )
    return True


def cleaned(document: Document, changes: Mapping[str, Any]) -> dict[str, Any]:
    """The changes in the form in which rows hold them. Raises InvalidInput or Conflict."""
    if unknown := set(changes) - set(FIELDS):
        raise InvalidInput(_("“%(field)s” can't be changed.") % {"field": sorted(unknown)[0]})
    clean = {
        field: field_value(field, value) for field, value in changes.items() if field not in ("path", "folder", "owner")
    }
    if "owner" in changes:
        owner = changes["owner"]
        clean["owner_id"] = owner.pk if isinstance(owner, User) else owner
    if "path" in changes or "folder" in changes:
        clean |= placed(document, changes)
    effective = clean.get("effective_on", document.effective_on)
    expires = clean.get("expires_on", document.expires_on)
    if effective and expires and expires < effective:
        raise InvalidInput(_("A document can't expire before it takes effect."), field="expires_on")
    return clean


def field_value(field: str, value: Any) -> Any:
    """One field; empty values empty it."""
    if not value:
        return {"tags": [], "effective_on": None, "expires_on": None}.get(field, "")
    clean = metadata.clean_value(field, value)
    return date.fromisoformat(clean) if field in metadata.DATES else clean


def placed(document: Document, changes: Mapping[str, Any]) -> dict[str, str]:
    """A new path, whole or by its folder. Raises Conflict when another document has it."""
    path = normalise_path(str(changes.get("path") or document.path))
    if changes.get("folder") is not None:
        path = paths.moved(path, to_folder=str(changes["folder"]).strip("/"))
    others = Document.objects.filter(kb_id=document.kb_id, path=path, state=DocumentState.LIVE).exclude(pk=document.pk)
    if others.exists():
        raise Conflict(_("There is a document “%(path)s” already.") % {"path": path}, field="path")
    return {"path": path, "folder": paths.folder_of(path)}


def recorded(values: Mapping[str, Any], fields: Iterable[str]) -> dict[str, Any]:
    """Values for the audit record."""
    return {
        field: value if isinstance(value, list | str | None) else str(value)
        for field, value in values.items()
        if field in fields
    }

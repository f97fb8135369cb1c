"""What a staged upload will be, file by file, in words, before anything is committed."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from accounts.types import Subject
from common.errors import NotFound
from knowledge import policy
from knowledge.faults import in_words
from knowledge.models import Outcome, Role, Upload, UploadFile

Words = str | Promise

NOTICES: dict[str, Any] = {
    "same_bytes": _("The same content is in “{path}” already; this will be a document of its own."),
    "in_bin": _("A document of this path is in the bin; this will be a new one beside it."),
}
UNCHANGED = _("Its content is what the document has already; nothing will be read.")


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """One file: `outcome` with its label, the reason when it is refused, and remarks."""

    id: UUID
    path: str
    size_bytes: int
    outcome: Outcome
    error: dict[str, str] | None
    notices: tuple[Words, ...]

    @property
    def outcome_label(self) -> Words:
        return self.outcome.label

    @property
    def is_taken(self) -> bool:
        return self.outcome in (Outcome.NEW, Outcome.NEW_VERSION, Outcome.AGAIN)


def upload_for(subject: Subject, upload_id: UUID) -> Upload:
    """The subject's own upload. Raises NotFound."""
    found = Upload.objects.select_related("kb").filter(pk=upload_id).first()
    if found is None or not (subject.is_administrator or (subject.user_id and found.created_by_id == subject.user_id)):
        raise NotFound(_("There is no such upload, or it is not yours."))
    policy.require(subject, found.kb_id, least=Role.EDITOR)
    return found


def upload_plan(upload: Upload) -> list[PlannedFile]:
    """Every file of an upload (from `upload_for` or `upload_stage`), in the order in which it was sent."""
    return [planned(row) for row in upload.files.order_by("pk")]


def planned(row: UploadFile) -> PlannedFile:
    """One row in words."""
    remarks = [notice_words(notice) for notice in row.notices]
    if row.outcome == Outcome.UNCHANGED:
        remarks.insert(0, UNCHANGED)
    return PlannedFile(row.pk, row.path, row.size_bytes, Outcome(row.outcome), in_words(row.error), tuple(remarks))


def notice_words(notice: dict[str, str]) -> Words:
    """The sentence of a notice as it is stored."""
    return format_lazy(NOTICES[notice["code"]], path=notice["path"])

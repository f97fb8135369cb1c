"""The one access policy: who may see and change what in knowledge bases. Every query passes through here; there is no second place that knows.

A person's role in a knowledge base is the highest of what was granted to them, to their department and to everyone; administrators own all of them,
operators see none by being operators. A key acts in its owner's role, in the knowledge bases it was granted, never above its scopes.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Model, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from accounts.models import Scope
from accounts.types import Subject
from common.errors import Forbidden, NotFound
from knowledge.models import (
    Chunk,
    Document,
    Job,
    KeyGrant,
    KnowledgeBase,
    Membership,
    Original,
    Role,
    StageRun,
    Version,
)

Row = TypeVar("Row", bound=Model)

RANKS = {Role.VIEWER: 1, Role.EDITOR: 2, Role.OWNER: 3}

KB_PATHS: dict[type[Model], str] = {
    KnowledgeBase: "",
    Document: "kb__",
    Chunk: "kb__",
    Job: "kb__",
    Membership: "kb__",
    Version: "document__kb__",
    Original: "document__kb__",
    StageRun: "document__kb__",
}


def memberships_of(subject: Subject) -> QuerySet[Membership]:
    """Every grant that reaches this subject's person."""
    if subject.user_id is None:
        return Membership.objects.none()
    reaches = Q(user_id=subject.user_id) | Q(user=None, department=None)
    if subject.department_id:
        reaches |= Q(department_id=subject.department_id)
    return Membership.objects.filter(reaches)


def kb_filter(subject: Subject, *, prefix: str = "", least: Role = Role.VIEWER) -> Q:
    """The condition on a knowledge base (reached through `prefix`, e.g. "kb__") that the subject has at least this role in it."""
    scope = Scope.READ if least == Role.VIEWER else Scope.WRITE if least == Role.EDITOR else Scope.MANAGE
    if not (subject.may(scope) or (least == Role.VIEWER and subject.may(Scope.ASK))):
        return Q(pk__in=[])
    condition = Q(**{f"{prefix}is_deleting": False})
    if not subject.owns_all:
        roles = [role for role in Role if RANKS[role] >= RANKS[least]]
        granted = memberships_of(subject).filter(role__in=roles).values("kb_id")
        condition &= Q(**{f"{prefix}pk__in": granted})
    if not subject.reads_all:
        condition &= Q(**{f"{prefix}pk__in": KeyGrant.objects.filter(key_id=subject.key_id).values("kb_id")})
    return condition


def visible(rows: "QuerySet[Row]", subject: Subject, *, least: Role = Role.VIEWER) -> "QuerySet[Row]":
    """Only the rows in knowledge bases where the subject has at least this role. Raises KeyError for a model that has no knowledge base."""
    return rows.filter(kb_filter(subject, prefix=KB_PATHS[rows.model], least=least))


def role_in(subject: Subject, kb_id: UUID) -> Role | None:
    """The highest role of the subject in this knowledge base."""
    for role in (Role.OWNER, Role.EDITOR, Role.VIEWER):
        if visible(KnowledgeBase.objects.filter(pk=kb_id), subject, least=role).exists():
            return role
    return None


def edits_anything(subject: Subject) -> bool:
    """Whether there is a knowledge base that the subject may change."""
    return visible(KnowledgeBase.objects.all(), subject, least=Role.EDITOR).exists()


def require(subject: Subject, kb_id: UUID, *, least: Role) -> None:
    """Raises NotFound when the subject may not know of the knowledge base, Forbidden when they may see but not do this."""
    role = role_in(subject, kb_id)
    if role is None:
        raise NotFound(_("There is no such thing, or you may not see it."))
    if RANKS[role] < RANKS[least]:
        raise Forbidden(_("This needs the role “%(role)s” in the knowledge base.") % {"role": least.label})


def require_editor(subject: Subject, kb_id: UUID) -> None:
    """See `require`."""
    require(subject, kb_id, least=Role.EDITOR)


def require_owner(subject: Subject, kb_id: UUID) -> None:
    """See `require`."""
    require(subject, kb_id, least=Role.OWNER)


@dataclass(frozen=True, slots=True)
class Filters:
    """What a reader narrows lists, search and answers to. Empty means no limit."""

    folder: str = ""
    tags: tuple[str, ...] = ()
    owner_id: UUID | None = None
    language: str = ""
    document_ids: tuple[UUID, ...] = ()


@dataclass(frozen=True, slots=True)
class CorpusView:
    """What one question may look at: knowledge bases that the subject may read, narrowed by filters, on one day. Made here only.

    Arms put `CHUNK_CONDITION` into their WHERE (aliases: c = knowledge_chunk, d = knowledge_document) with `parameters()`.
    """

    kb_ids: tuple[UUID, ...]
    today: date
    filters: Filters = Filters()

    def parameters(self, **more: Any) -> dict[str, Any]:
        """Values for CHUNK_CONDITION, and what else the statement needs."""
        return {
            "kbs": list(self.kb_ids),
            "today": self.today,
            "folder": self.filters.folder or None,
            "folder_below": folder_pattern(self.filters.folder),
            "tags": list(self.filters.tags) or None,
            "owner": self.filters.owner_id,
            "language": self.filters.language or None,
            "documents": list(self.filters.document_ids) or None,
            **more,
        }

    @property
    def is_narrowed(self) -> bool:
        return self.filters != Filters()


CHUNK_CONDITION = """
c.is_live AND c.kb_id = ANY(%(kbs)s) AND d.state = 'live'
AND (d.expires_on IS NULL OR d.expires_on >= %(today)s) AND (d.effective_on IS NULL OR d.effective_on <= %(today)s)
AND (%(folder)s::text IS NULL OR d.folder = %(folder)s OR d.folder LIKE %(folder_below)s)
AND (%(tags)s::varchar[] IS NULL OR d.tags @> %(tags)s::varchar[])
AND (%(owner)s::uuid IS NULL OR d.owner_id = %(owner)s)
AND (%(language)s::text IS NULL OR d.language = %(language)s)
AND (%(documents)s::uuid[] IS NULL OR d.id = ANY(%(documents)s::uuid[]))
"""


def corpus_view(
    subject: Subject, *, slugs: Iterable[str] = (), filters: Filters = Filters(), today: date
) -> CorpusView:
    """What this subject may search: all readable knowledge bases, or the named ones. Raises NotFound for a name they can't see."""
    bases = visible(KnowledgeBase.objects.all(), subject)
    wanted = list(dict.fromkeys(slugs))
    if wanted:
        bases = bases.filter(slug__in=wanted)
    found = dict(bases.values_list("slug", "pk"))
    if missing := [slug for slug in wanted if slug not in found]:
        raise NotFound(_("There is no knowledge base “%(slug)s”, or you may not see it.") % {"slug": missing[0]})
    return CorpusView(kb_ids=tuple(found.values()), today=today, filters=filters)


def folder_pattern(folder: str) -> str:
    """A LIKE pattern for everything below the folder."""
    escaped = folder.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"{escaped}/%"

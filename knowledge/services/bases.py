"""Make, change and delete knowledge bases, and say who may do what in them."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Department, Scope, User
from accounts.services.audit import audit
from accounts.types import Subject
from common.errors import Conflict, Forbidden, InvalidInput
from knowledge import policy
from knowledge.models import DocumentState, Job, KnowledgeBase, Membership, Role
from knowledge.services.purging import purge_start

SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,79}")
CHANGEABLE = ("name", "description", "questions", "department")


@transaction.atomic
def kb_create(
    *,
    subject: Subject,
    slug: str,
    name: str = "",
    description: str = "",
    department: Department | None = None,
    questions: Sequence[str] = (),
    role_of_everyone: Role | None = None,
) -> KnowledgeBase:
    """An empty knowledge base, owned by who makes it; the department (theirs when not given) pays for reading.

    For administrators and department managers. Raises Forbidden, InvalidInput for a slug that can't be, Conflict for one that is taken.
    """
    require_maker(subject, department)
    if not SLUG.fullmatch(slug):
        raise InvalidInput(
            _("Use small letters, digits and hyphens for the short name, and begin with a letter or digit."),
            field="slug",
        )
    if KnowledgeBase.objects.filter(slug=slug).exists():
        raise Conflict(_("There is a knowledge base “%(slug)s” already.") % {"slug": slug}, field="slug")
    kb = KnowledgeBase.objects.create(
        slug=slug,
        name=name or slug,
        description=description,
        department=department or default_department(subject),
        questions=list(questions),
    )
    if subject.user_id:
        Membership.objects.create(kb=kb, user_id=subject.user_id, role=Role.OWNER)
    if role_of_everyone:
        Membership.objects.create(kb=kb, role=role_of_everyone)
    audit(subject, "kb.create", kb, kb_id=kb.pk, department_id=kb.department_id, after={"slug": slug, "name": kb.name})
    return kb


def require_maker(subject: Subject, department: Department | None) -> None:
    """Raises Forbidden for who may not make knowledge bases at this department's cost."""
    is_manager = bool(subject.managed_department_ids) and (
        department is None or department.pk in subject.managed_department_ids
    )
    if not subject.may(Scope.MANAGE) or not (subject.is_administrator or is_manager):
        raise Forbidden(_("Only administrators and the managers of a department can make knowledge bases."))


def default_department(subject: Subject) -> Department:
    """The maker's own, else the one that a department manager has, else the oldest."""
    own = [subject.department_id] if subject.department_id else [*subject.managed_department_ids]
    found = Department.objects.filter(pk__in=own).first() or Department.objects.order_by("created_at").first()
    return found or Department.objects.create(name="Main")


@transaction.atomic
def kb_update(*, subject: Subject, kb: KnowledgeBase, changes: Mapping[str, Any]) -> KnowledgeBase:
    """Change name, description, suggested questions or (administrators only) the department. Raises InvalidInput for anything else."""
    policy.require_owner(subject, kb.pk)
    if unknown := set(changes) - set(CHANGEABLE):
        raise InvalidInput(_("“%(field)s” can't be changed.") % {"field": sorted(unknown)[0]})
    if "department" in changes and not subject.is_administrator:
        raise Forbidden(_("Only administrators can change who pays."))
    before = {field: plain(getattr(kb, field)) for field in changes}
    for field, value in changes.items():
        setattr(kb, field, value)
    if not kb.name.strip():
        raise InvalidInput(_("A knowledge base needs a name."), field="name")
    kb.save(update_fields=[*changes, "updated_at"])
    audit(
        subject,
        "kb.update",
        kb,
        kb_id=kb.pk,
        before=before,
        after={field: plain(value) for field, value in changes.items()},
    )
    return kb


def plain(value: Any) -> Any:
    """A value as the audit record keeps it."""
    return str(value) if isinstance(value, Department) else value


@transaction.atomic
def kb_delete(*, subject: Subject, kb: KnowledgeBase) -> Job | None:
    """Hide it at once and delete it with all its documents; the job says how far that is, None when there was nothing in it. Can't be undone."""
    policy.require_owner(subject, kb.pk)
    kb.is_deleting = True
    kb.save(update_fields=["is_deleting", "updated_at"])
    audit(subject, "kb.delete", kb, kb_id=kb.pk, before={"slug": kb.slug, "name": kb.name})
    kb.documents.filter(state=DocumentState.LIVE).update(state=DocumentState.BINNED, binned_at=timezone.now())
    documents = list(kb.documents.exclude(state=DocumentState.DELETING))
    if not documents and not kb.documents.exists():
        kb.delete()
        return None
    return purge_start(subject=subject, kb=kb, documents=documents)


@transaction.atomic
def member_set(
    *, subject: Subject, kb: KnowledgeBase, role: Role, user: User | None = None, department: Department | None = None
) -> Membership:
    """Grant a role to a person, a department or (neither given) everyone who is signed in; replaces the role they had."""
    policy.require_owner(subject, kb.pk)
    if user and department:
        raise InvalidInput(_("Grant a role to a person or to a department, one at a time."))
    member, _made = Membership.objects.update_or_create(
        kb=kb, user=user, department=department, defaults={"role": role}
    )
    audit(
        subject, "member.set", member, kb_id=kb.pk, after={"role": role, "whom": str(user or department or "everyone")}
    )
    return member


@transaction.atomic
def member_remove(*, subject: Subject, member: Membership) -> None:
    """Take a role back. Raises Conflict for the last owner who is a person."""
    policy.require_owner(subject, member.kb_id)
    owners = Membership.objects.filter(kb=member.kb_id, role=Role.OWNER, user__isnull=False)
    if member.role == Role.OWNER and member.user_id and owners.count() == 1 and not subject.is_administrator:
        raise Conflict(_("The last owner can't be removed. Make somebody else an owner first."))
    audit(subject, "member.remove", member, kb_id=member.kb_id, before={"role": member.role, "whom": str(member)})
    member.delete()

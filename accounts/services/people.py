"""People: invited, changed, switched off and on, given a new password. Nobody is deleted, because records name them."""

from typing import Any, NamedTuple

from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import ApiKey, Department, User
from accounts.services.audit import audit
from accounts.services.names import valid_name
from accounts.services.permissions import require_administrator, require_manager
from accounts.types import Subject
from common.errors import Conflict, Forbidden, InvalidInput


class PersonFields(NamedTuple):
    """What may be said of a person."""

    username: str
    full_name: str = ""
    email: str = ""
    department: Department | None = None
    is_administrator: bool = False
    is_operator: bool = False


@transaction.atomic
def user_invite(*, subject: Subject, fields: PersonFields) -> User:
    """A new person who has no password yet; `accounts.links.welcome_link` gives the link to hand over. Raises Forbidden, InvalidInput, Conflict."""
    require_manager(subject, fields.department.pk if fields.department else None)
    if (fields.is_administrator or fields.is_operator) and not subject.is_administrator:
        raise Forbidden(_("Only an administrator may make administrators and operators."))
    user = User(**fields._asdict())
    user.username = valid_name(user.username)
    user.set_unusable_password()
    save_person(user)
    audit(subject, "user.invite", user, department_id=user.department_id, after=person_record(user))
    return user


@transaction.atomic
def user_update(*, subject: Subject, user: User, changes: dict[str, Any]) -> User:
    """Change a person's name, address, department or roles. Raises Forbidden, InvalidInput, Conflict."""
    require_manager(subject, user.department_id)
    if user.is_administrator or user.is_operator or {"is_administrator", "is_operator"} & changes.keys():
        require_administrator(subject)
    if "department" in changes:
        require_manager(subject, changes["department"].pk if changes["department"] else None)
    before = person_record(user)
    for name, value in changes.items():
        setattr(user, name, value)
    if not user.is_administrator and before["is_administrator"]:
        require_another_administrator(user)
    save_person(user)
    audit(subject, "user.update", user, department_id=user.department_id, before=before, after=person_record(user))
    return user


@transaction.atomic
def user_set_managed(*, subject: Subject, user: User, departments: list[Department]) -> User:
    """Say which departments a person manages. Raises Forbidden."""
    require_administrator(subject)
    before = sorted(user.managed_departments.values_list("name", flat=True))
    user.managed_departments.set(departments)
    after = sorted(department.name for department in departments)
    audit(subject, "user.manage", user, before={"manages": before}, after={"manages": after})
    return user


@transaction.atomic
def user_deactivate(*, subject: Subject, user: User) -> User:
    """Switch a person off: their sessions end and their keys stop at once. Raises Forbidden, and Conflict for the last administrator."""
    require_manager(subject, user.department_id)
    if user.is_administrator or user.is_operator:
        require_administrator(subject)
    if user.is_administrator:
        require_another_administrator(user)
    user.is_active = False
    user.save(update_fields=["is_active", "updated_at"])
    end_sessions(user)
    ApiKey.objects.filter(owner=user, revoked_at=None).update(revoked_at=timezone.now())
    audit(subject, "user.deactivate", user, department_id=user.department_id)
    return user


@transaction.atomic
def user_activate(*, subject: Subject, user: User) -> User:
    """Switch a person on again; their old keys stay revoked. Raises Forbidden."""
    require_manager(subject, user.department_id)
    if user.is_administrator:
        require_administrator(subject)
    user.is_active = True
    user.save(update_fields=["is_active", "updated_at"])
    audit(subject, "user.activate", user, department_id=user.department_id)
    return user


@transaction.atomic
def user_set_password(*, subject: Subject, user: User, password: str) -> User:
    """Set a new password and end the person's sessions. The caller has checked that the subject may (themselves, by link, or the command line)."""
    user.set_password(password)
    user.save(update_fields=["password", "updated_at"])
    end_sessions(user)
    audit(subject, "user.password", user, department_id=user.department_id)
    return user


def save_person(user: User) -> None:
    """Raises Conflict for a name or address that is taken, InvalidInput for one that can't be."""
    others = User.objects.exclude(pk=user.pk)
    if others.filter(username__iexact=user.username).exists():
        raise Conflict(_("Somebody has this user name already."))
    if user.email and others.filter(email__iexact=user.email).exists():
        raise Conflict(_("Somebody has this e-mail address already."))
    try:
        user.clean_fields(exclude=["password", "department"])
    except ValidationError as error:
        raise InvalidInput("; ".join(error.messages)) from None
    user.save()


def require_another_administrator(user: User) -> None:
    """Raises Conflict when nobody else could administer the server."""
    if not User.objects.filter(is_administrator=True, is_active=True).exclude(pk=user.pk).exists():
        raise Conflict(_("This is the last administrator; make somebody else one first."))


def end_sessions(user: User) -> None:
    """End every session of a person."""
    for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator():
        if session.get_decoded().get("_auth_user_id") == str(user.pk):
            session.delete()


def person_record(user: User) -> dict[str, Any]:
    return {
        "username": user.username,
        "full_name": user.full_name,
        "email": user.email,
        "department": str(user.department or ""),
        "is_administrator": user.is_administrator,
        "is_operator": user.is_operator,
    }

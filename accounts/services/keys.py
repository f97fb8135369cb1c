"""API keys: made for a person, and revoked for good."""

from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.keys import new_key
from accounts.models import ApiKey, Department, Scope, User
from accounts.services.audit import audit
from accounts.services.names import valid_name
from accounts.services.permissions import require_manager, require_no_key
from accounts.types import Subject
from common.errors import InvalidInput


class NewKey(NamedTuple):
    """A key and its text, which is shown this once."""

    key: ApiKey
    text: str


@transaction.atomic
def key_create(
    *,
    subject: Subject,
    owner: User,
    name: str,
    scopes: list[str],
    department: Department | None = None,
    reads_all: bool = False,
    expires_at: datetime | None = None,
) -> NewKey:
    """Make a key for a person. It reads nothing until it is granted knowledge bases (or `reads_all`).

    Raises Forbidden for somebody else's key unless a manager asks, InvalidInput for unknown or no scopes, a past date or no department to pay.
    """
    pays = department or owner.department
    require_no_key(subject)
    if subject.user_id != owner.pk:
        require_manager(subject, owner.department_id)
    if pays is None:
        raise InvalidInput(_("Choose the department that pays for this key."))
    if department is not None and department.pk != owner.department_id:
        require_manager(subject, department.pk)
    if not scopes or set(scopes) - set(Scope.values):
        raise InvalidInput(_("Choose at least one of these scopes: %(scopes)s.") % {"scopes": ", ".join(Scope.values)})
    if expires_at is not None and expires_at <= timezone.now():
        raise InvalidInput(_("The date on which the key expires lies in the past."))
    text = new_key()
    key = ApiKey.objects.create(
        name=valid_name(name),
        owner=owner,
        department=pays,
        prefix=text.prefix,
        secret_hash=text.secret_hash,
        scopes=list(dict.fromkeys(scopes)),
        reads_all=reads_all,
        expires_at=expires_at,
    )
    audit(subject, "key.create", key, department_id=pays.pk, after={"scopes": key.scopes, "reads_all": reads_all})
    return NewKey(key, str(text))


@transaction.atomic
def key_revoke(*, subject: Subject, key: ApiKey) -> ApiKey:
    """Stop a key for good. Raises Forbidden."""
    require_no_key(subject)
    if subject.user_id != key.owner_id:
        require_manager(subject, key.department_id)
    if key.revoked_at is None:
        key.revoked_at = timezone.now()
        key.save(update_fields=["revoked_at", "updated_at"])
        audit(subject, "key.revoke", key, department_id=key.department_id)
    return key

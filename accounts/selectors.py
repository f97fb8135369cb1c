"""Read who may ask: departments and one's own keys."""

from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from accounts.models import ApiKey, Department, Scope
from accounts.services.permissions import require_no_key
from accounts.types import Subject
from common.errors import NotFound


def departments_for(subject: Subject) -> QuerySet[Department]:
    """Names of departments are no secret among people, who grant roles to them; a key that does not manage sees only the one that pays for it."""
    if subject.user_id is None:
        return Department.objects.none()
    found = Department.objects.order_by("name")
    return found if subject.may(Scope.MANAGE) else found.filter(pk__in=[subject.department_id])


def own_keys(subject: Subject) -> QuerySet[ApiKey]:
    """The subject's own keys, the newest first. Raises Forbidden for a key."""
    require_no_key(subject)
    return ApiKey.objects.filter(owner_id=subject.user_id).select_related("department").order_by("-pk")


def own_key(subject: Subject, key_id: UUID) -> ApiKey:
    """Raises NotFound for somebody else's, Forbidden for a key."""
    key = own_keys(subject).filter(pk=key_id).first()
    if key is None:
        raise NotFound(_("There is no such key, or it is not yours."))
    return key

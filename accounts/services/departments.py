"""Departments: made, renamed and deleted by administrators."""

from django.db import models, transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import Department
from accounts.services.audit import audit
from accounts.services.names import valid_name
from accounts.services.permissions import require_administrator
from accounts.types import Subject
from common.errors import Conflict


@transaction.atomic
def department_create(*, subject: Subject, name: str) -> Department:
    """Raises Forbidden, InvalidInput for an empty name, Conflict for one that is taken."""
    require_administrator(subject)
    department = Department(name=valid_name(name))
    if Department.objects.filter(name__iexact=department.name).exists():
        raise Conflict(_("There is a department of this name already."))
    department.save()
    audit(subject, "department.create", department, department_id=department.pk, after={"name": department.name})
    return department


@transaction.atomic
def department_rename(*, subject: Subject, department: Department, name: str) -> Department:
    """Raises Forbidden, InvalidInput, Conflict."""
    require_administrator(subject)
    before, department.name = department.name, valid_name(name)
    if Department.objects.filter(name__iexact=department.name).exclude(pk=department.pk).exists():
        raise Conflict(_("There is a department of this name already."))
    department.save(update_fields=["name", "updated_at"])
    audit(
        subject,
        "department.rename",
        department,
        department_id=department.pk,
        before={"name": before},
        after={"name": department.name},
    )
    return department


@transaction.atomic
def department_delete(*, subject: Subject, department: Department) -> None:
    """Raises Forbidden, and Conflict while people, keys or knowledge bases belong to it."""
    require_administrator(subject)
    try:
        audit(subject, "department.delete", department, department_id=department.pk, before={"name": department.name})
        department.delete()
    except models.ProtectedError:
        raise Conflict(
            _("People, keys or knowledge bases still belong to this department; move them to another one first.")
        ) from None

"""The record of changes: who did what to what."""

from typing import Any
from uuid import UUID

from django.db import models

from accounts.models import AuditEvent
from accounts.types import Subject


def audit(
    subject: Subject,
    action: str,
    target: models.Model | None,
    *,
    label: str = "",
    kb_id: UUID | None = None,
    department_id: UUID | None = None,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> AuditEvent:
    """Append who did what to the record, inside the caller's transaction."""
    return AuditEvent.objects.create(
        user_id=subject.user_id,
        key_id=subject.key_id,
        actor=subject.name,
        action=action,
        target_type=target._meta.model_name or "" if target is not None else "",
        target_id=target.pk if target is not None and isinstance(target.pk, UUID) else None,
        target=(label or str(target or ""))[:500],
        kb_id=kb_id,
        department_id=department_id,
        before=before or {},
        after=after or {},
        request_id=subject.request_id,
    )

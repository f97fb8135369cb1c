"""Say which knowledge bases a key may reach. A grant gives a key no more than its owner has."""

from collections.abc import Iterable

from django.db import transaction

from accounts.models import ApiKey
from accounts.services.audit import audit
from accounts.services.permissions import require_manager, require_no_key
from accounts.types import Subject
from knowledge import policy
from knowledge.models import KeyGrant, KnowledgeBase, Role


@transaction.atomic
def grant_set(*, subject: Subject, key: ApiKey, kb: KnowledgeBase) -> KeyGrant:
    """Let the key reach the knowledge base. Raises NotFound where the subject may not see it, Forbidden for a key, and for others than its owner and their managers."""
    require_holder(subject, key)
    policy.require(subject, kb.pk, least=Role.VIEWER)
    grant, is_new = KeyGrant.objects.get_or_create(key=key, kb=kb)
    if is_new:
        record(subject, "key.grant", grant)
    return grant


@transaction.atomic
def grant_remove(*, subject: Subject, key: ApiKey, kb: KnowledgeBase) -> None:
    """Take it back; nothing happens where there is none. Raises Forbidden."""
    require_holder(subject, key)
    grant = KeyGrant.objects.filter(key=key, kb=kb).first()
    if grant is not None:
        record(subject, "key.ungrant", grant)
        grant.delete()


@transaction.atomic
def grants_replace(*, subject: Subject, key: ApiKey, bases: Iterable[KnowledgeBase]) -> None:
    """The key reaches these from now on, and none of the others that the subject may see. Raises as the two above."""
    wanted = {kb.pk: kb for kb in bases}
    seen = policy.visible(KnowledgeBase.objects.filter(key_grants__key=key), subject)
    for kb in seen.exclude(pk__in=wanted):
        grant_remove(subject=subject, key=key, kb=kb)
    for kb in wanted.values():
        grant_set(subject=subject, key=key, kb=kb)


def require_holder(subject: Subject, key: ApiKey) -> None:
    """Raises Forbidden."""
    require_no_key(subject)
    if subject.user_id != key.owner_id:
        require_manager(subject, key.department_id)


def record(subject: Subject, action: str, grant: KeyGrant) -> None:
    """The event is about the key, in the knowledge base."""
    audit(
        subject,
        action,
        grant.key,
        kb_id=grant.kb_id,
        department_id=grant.key.department_id,
        after={"kb": grant.kb.slug},
    )

"""Read which knowledge bases keys may reach."""

from django.db.models import Prefetch, QuerySet

from accounts.models import ApiKey
from accounts.selectors import own_keys
from accounts.types import Subject
from knowledge import policy
from knowledge.models import KeyGrant, KnowledgeBase


def grants_of(subject: Subject, key: ApiKey) -> QuerySet[KnowledgeBase]:
    """The knowledge bases granted to a key (from `own_key`) that its owner may still read, by name."""
    granted = KeyGrant.objects.filter(key=key).values("kb_id")
    return (
        policy.visible(KnowledgeBase.objects.select_related("department"), subject)
        .filter(pk__in=granted)
        .order_by("name")
    )


def keys_with_grants(subject: Subject) -> QuerySet[ApiKey]:
    """The subject's keys, each with `shown_grants`: those in knowledge bases that they may still read."""
    readable = policy.visible(KnowledgeBase.objects.all(), subject).values("pk")
    grants = KeyGrant.objects.filter(kb__in=readable).select_related("kb").order_by("kb__name")
    return own_keys(subject).prefetch_related(Prefetch("grants", queryset=grants, to_attr="shown_grants"))

"""Read knowledge bases and their members."""

from django.db.models import Count, Max, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from accounts.types import Subject
from common.errors import NotFound
from knowledge import policy
from knowledge.models import DocumentState, KnowledgeBase, Membership, Role


def bases_for(subject: Subject, *, least: Role = Role.VIEWER) -> QuerySet[KnowledgeBase]:
    """Knowledge bases in which the subject has at least this role, by name."""
    return policy.visible(KnowledgeBase.objects.select_related("department"), subject, least=least).order_by("name")


def bases_counted(subject: Subject) -> QuerySet[KnowledgeBase]:
    """The same with `document_count`, `passage_count` (of live versions) and `changed_at`."""
    live = Q(documents__state=DocumentState.LIVE, documents__live_version__isnull=False)
    return bases_for(subject).annotate(
        document_count=Count("documents", filter=live), changed_at=Max("documents__updated_at", filter=live)
    )


def base_named(subject: Subject, slug: str, *, least: Role = Role.VIEWER) -> KnowledgeBase:
    """Raises NotFound for one that the subject may not know of, Forbidden where they may see but not do this."""
    kb = bases_for(subject).filter(slug=slug).first()
    if kb is None:
        raise NotFound(_("There is no knowledge base “%(slug)s”, or you may not see it.") % {"slug": slug})
    policy.require(subject, kb.pk, least=least)
    return kb


def members_of(subject: Subject, kb: KnowledgeBase) -> QuerySet[Membership]:
    """Who may do what in it; for its owners."""
    policy.require_owner(subject, kb.pk)
    return Membership.objects.filter(kb=kb).select_related("user", "department").order_by("role", "pk")

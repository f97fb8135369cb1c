"""Read the skeleton that a knowledge base's graph grows along."""

from django.utils.translation import gettext_lazy as _

from accounts.types import Subject
from common.errors import NotFound
from knowledge.selectors.bases import base_named
from ontology.models import Graph, SkeletonVersion


def applied_skeleton(subject: Subject, *, kb: str) -> SkeletonVersion:
    """The version in use. Raises NotFound for a knowledge base that the subject may not know of, and where nothing was applied yet."""
    base = base_named(subject, kb)
    version = SkeletonVersion.objects.filter(pk__in=Graph.objects.filter(sources__kb=base).values("skeleton")).first()
    if version is None:
        raise NotFound(_("No skeleton has been applied to “%(slug)s” yet.") % {"slug": kb})
    return version

"""What waits for a model: versions that readers see and of which it has not read all that the policy wants. Their stage is made to wait in the ledger; the sweep finds it there whatever the broker loses."""

from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from knowledge import runs
from knowledge.models import DocumentState, RunState, StageRun, Version
from ontology.graphs import skeleton_in_use
from ontology.model_reading import reading
from ontology.model_reading.chosen import RANK
from ontology.models import GraphSource, ModelPolicy


def due(source: GraphSource) -> "QuerySet[Version]":
    """Of one knowledge base; without those on which somebody works, those that a newer version is about to replace, and those that failed or were cancelled, which wait for a person."""
    enough = [policy for policy in ModelPolicy if RANK[policy] >= RANK[ModelPolicy(source.policy)]]
    fingerprint = skeleton_in_use(source.graph).fingerprint
    done = Q(extracted__model_skeleton=fingerprint, extracted__model_policy__in=enough)
    if source.policy == ModelPolicy.OFF:
        done |= Q(extracted__model_round=0)
    coming = StageRun.objects.filter(
        document=OuterRef("document"), version__number__gt=OuterRef("number"), state__in=runs.UNFINISHED
    )
    taken = StageRun.objects.filter(version=OuterRef("pk"), stage=reading.name).exclude(state=RunState.DONE)
    return (
        Version.objects.filter(
            document__live_version=F("pk"), document__state=DocumentState.LIVE, document__kb=source.kb_id
        )
        .filter(extracted__finished_at__isnull=False)
        .exclude(done)
        .exclude(Exists(taken))
        .exclude(Exists(coming))
        .defer("text")
        .order_by("pk")
    )


def have_read(source: GraphSource) -> list[UUID]:
    """Make the stage of each of them wait; gives the versions, to be queued after the transaction."""
    versions = list(due(source))
    for version in versions:
        runs.wait_afterwards(version, reading.name)
    return [version.pk for version in versions]

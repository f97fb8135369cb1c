"""Say what a model reads in a knowledge base, and what that may cost."""

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.services.audit import audit
from accounts.types import Subject
from common.errors import InvalidInput
from knowledge import policy as access
from knowledge import queue, runs
from knowledge.conf import knowledge_settings
from knowledge.models import Job, JobItem, JobKind, KnowledgeBase, Outcome, RunState, StageRun, Version
from knowledge.spending import CostCapReached
from ontology.graphs import source_of
from ontology.model_reading import reading, schedule
from ontology.models import GraphSource, ModelPolicy

TOKEN_CAP_MAX = 10**15


@transaction.atomic
def graph_source_set_policy(
    *, subject: Subject, kb: KnowledgeBase, policy: str, token_cap: int | None = None
) -> Job | None:
    """What a model reads from now on, of what is there too; `token_cap` is for all that it ever reads of this base, None is no cap.

    For the owner, who answers for the cost. Gives the job that reads what is there, None when nothing is to be read. Raises Forbidden, InvalidInput.
    """
    access.require_owner(subject, kb.pk)
    if policy not in ModelPolicy.values:
        raise InvalidInput(_("Say off, titles or all."), field="policy")
    if token_cap is not None and not 0 <= token_cap <= TOKEN_CAP_MAX:
        raise InvalidInput(
            _("A limit of tokens is a whole number from 0 to %(most)s.") % {"most": f"{TOKEN_CAP_MAX:,}"},
            field="token_cap",
        )
    source = GraphSource.objects.select_for_update().get(pk=source_of(kb.pk).pk)
    before = {"policy": source.policy, "token_cap": source.token_cap}
    source.policy, source.token_cap = policy, token_cap
    source.save(update_fields=["policy", "token_cap", "updated_at"])
    after = {"policy": policy, "token_cap": token_cap}
    if before != after:
        audit(subject, "graph_source.set_policy", source, kb_id=kb.pk, before=before, after=after)
    versions = [*stopped_by_cost(kb, source), *schedule.have_read(source)]
    if not versions:
        return None
    transaction.on_commit(lambda: queue.send_versions(versions))
    return job_for(subject, kb, versions)


def stopped_by_cost(kb: KnowledgeBase, source: GraphSource) -> list[UUID]:
    """Readings that the cap of the base has ended go on."""
    failed = StageRun.objects.filter(
        document__kb=kb, stage=reading.name, state=RunState.FAILED, error__code=CostCapReached.code
    )
    versions = [version for version in failed.values_list("version", flat=True) if version]
    return [version for version in versions if source.policy != ModelPolicy.OFF and runs.again(version)]


def job_for(subject: Subject, kb: KnowledgeBase, versions: list[UUID]) -> Job:
    """Something to watch, and to hold the cap of a job against."""
    allowed = knowledge_settings().job_tokens
    job = Job.objects.create(
        kind=JobKind.REREAD,
        kb=kb,
        created_by_id=subject.user_id,
        label=_("by a model"),
        token_allowance=allowed,
        token_limit=allowed,
    )
    found = Version.objects.filter(pk__in=versions).select_related("document").defer("text")
    JobItem.objects.bulk_create(
        JobItem(job=job, path=each.document.path, document=each.document, version=each, outcome=Outcome.AGAIN)
        for each in found
    )
    return job

"""The cap on what one job may cost: looked at before each model call, counted in tokens, so that a job stops cleanly and says so."""

from django.db.models import Sum
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from common.errors import TrellisError
from knowledge.leases import Lease
from knowledge.models import Job, StageRun, Version


class CostCapReached(TrellisError):
    """The job has used what it was allowed; a person may grant it as much again by trying again."""

    code = "cost_cap"
    status = 429


def job_of(version: Version) -> Job | None:
    """The newest job that reads this version."""
    return Job.objects.filter(items__version=version).order_by("-pk").first()


def spent(job: Job) -> int:
    """Tokens of models that the stages of a job have used, as far as they have said so."""
    stages = StageRun.objects.filter(version__in=job.items.filter(version__isnull=False).values("version"))
    return int(stages.aggregate(total=Sum("tokens"))["total"] or 0)


def require_within_cap(job: Job | None, lease: Lease, tokens: int) -> None:
    """Raises CostCapReached when so many tokens more would go beyond the limit; `lease` holds those that it has not written down yet."""
    if job is None or not job.token_limit:
        return
    used = spent(job) + lease.tokens
    if used + tokens > job.token_limit:
        raise CostCapReached(
            format_lazy(
                _(
                    "This job was stopped because it has used {used} of the {limit} tokens that it may use. What is done stays; try again to grant it as "
                    "many again."
                ),
                used=f"{used:,}",
                limit=f"{job.token_limit:,}",
            )
        )


def grant_again(version: Version) -> None:
    """Let the jobs that read this version use their allowance once more, from where they are."""
    for job in Job.objects.filter(items__version=version, token_allowance__gt=0).distinct():
        Job.objects.filter(pk=job.pk).update(token_limit=spent(job) + job.token_allowance)

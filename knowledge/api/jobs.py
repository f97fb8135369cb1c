"""REST for jobs, the readings in them, and the bell."""

from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from common.api import ApiView, Pages, checked
from common.errors import NotFound
from knowledge.api.bases import PAGING
from knowledge.models import Job, Role
from knowledge.selectors.documents import version_for
from knowledge.selectors.jobs import ItemProgress, JobProgress, job_progress, jobs_for, jobs_to_notice
from knowledge.selectors.progress import VersionProgress, progress_of
from knowledge.services.reading import job_cancel, reading_cancel, reading_retry
from knowledge.tools import tools


class RetryInput(serializers.Serializer[Any]):
    """From which stage on anew; without one, only what failed or was cancelled."""

    stage = serializers.CharField(required=False, allow_blank=True, default="", max_length=20)


def progress_dict(progress: VersionProgress) -> dict[str, Any]:
    """How far a reading is; `why` says in words why it waits."""
    return {
        "state": str(progress.state),
        "stage": progress.stage,
        "stage_label": str(progress.stage_label),
        "done": progress.done,
        "total": progress.total,
        "rate": progress.rate,
        "left_s": progress.left_s,
        "alive_at": progress.alive_at,
        "why": str(progress.why),
        "error": progress.error,
    }


def item_dict(row: ItemProgress) -> dict[str, Any]:
    return {
        "path": row.item.path,
        "document": row.item.document_id,
        "version": row.item.version_id,
        "status": row.status,
        "error": row.error,
        "progress": progress_dict(row.progress) if row.progress else None,
    }


def job_dict(progress: JobProgress) -> dict[str, Any]:
    """A job with its counts by status and up to 200 of its files, the unfinished and failed first."""
    job = progress.job
    return {
        "id": job.pk,
        "kind": job.kind,
        "knowledge_base": job.kb.slug,
        "label": job.label,
        "created_at": job.created_at,
        "finished_at": job.finished_at,
        "is_over": progress.is_over,
        "counts": progress.counts,
        "left_s": progress.left_s,
        "items": [item_dict(row) for row in progress.items],
    }


def job_with(subject: Any, id: UUID) -> Job:
    """Raises NotFound."""
    job = jobs_for(subject).filter(pk=id).first()
    if job is None:
        raise NotFound(_("There is no such job, or you may not see it."))
    return job


class JobsView(ApiView):
    """/api/v1/jobs/"""

    @extend_schema(operation_id="jobs", parameters=[OpenApiParameter("knowledge_base", str), *PAGING], responses=dict)
    def get(self, request: Request) -> Response:
        """Jobs in your knowledge bases, newest first."""
        pages = Pages()
        found = jobs_for(self.subject, kb=request.query_params.get("knowledge_base", "").replace("\x00", ""))
        page = pages.paginate_queryset(found, request, view=self) or []
        return pages.get_paginated_response([job_dict(job_progress(job)) for job in page])


class JobView(ApiView):
    """/api/v1/jobs/{id}"""

    @extend_schema(operation_id="job", responses=dict)
    def get(self, request: Request, id: UUID) -> Response:
        """One job."""
        return Response(job_dict(job_progress(job_with(self.subject, id))))


class JobCancelView(ApiView):
    """/api/v1/jobs/{id}/cancel"""

    @extend_schema(operation_id="job_cancel", request=None, responses=dict)
    def post(self, request: Request, id: UUID) -> Response:
        """End what is unfinished of it."""
        return Response({"cancelled": job_cancel(subject=self.subject, job=job_with(self.subject, id))})


class ReadingView(ApiView):
    """/api/v1/versions/{id}/reading"""

    @extend_schema(operation_id="reading", responses=dict)
    def get(self, request: Request, id: UUID) -> Response:
        """How far the reading of a version is."""
        version = version_for(self.subject, id)
        return Response(progress_dict(progress_of([version.pk])[version.pk]))


class ReadingRetryView(ApiView):
    """/api/v1/versions/{id}/reading/retry"""

    @extend_schema(operation_id="reading_retry", request=RetryInput, responses=dict)
    def post(self, request: Request, id: UUID) -> Response:
        """Have failed or cancelled stages tried again, or a stage and all after it anew."""
        given = checked(RetryInput, request.data)
        version = version_for(self.subject, id, least=Role.VIEWER)
        count = reading_retry(subject=self.subject, version=version, tools=tools(), from_stage=given["stage"])
        return Response({"waiting": count})


class ReadingCancelView(ApiView):
    """/api/v1/versions/{id}/reading/cancel"""

    @extend_schema(operation_id="reading_cancel", request=None, responses=dict)
    def post(self, request: Request, id: UUID) -> Response:
        """End the reading of a version."""
        return Response({"cancelled": reading_cancel(subject=self.subject, version=version_for(self.subject, id))})


class NoticesView(ApiView):
    """/api/v1/notices/"""

    @extend_schema(operation_id="notices", responses=dict)
    def get(self, request: Request) -> Response:
        """Your jobs that ended since you looked last."""
        return Response({"results": [job_dict(job_progress(job)) for job in jobs_to_notice(self.subject)[:50]]})

    @extend_schema(operation_id="notices_seen", request=None, responses={204: None})
    def post(self, request: Request) -> Response:
        """Mark them as seen."""
        waiting = list(jobs_to_notice(self.subject).values_list("pk", flat=True))
        Job.objects.filter(pk__in=waiting).update(seen_at=timezone.now())
        return Response(status=204)

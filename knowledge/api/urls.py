"""The addresses of REST for what has been read, below /api/v1/."""

from django.urls import path

from knowledge.api import audit, bases, bin, bulk, chunks, documents, grants, jobs, pictures, uploads, versions

urlpatterns = [
    path("knowledge-bases/", bases.BasesView.as_view(), name="api_bases"),
    path("knowledge-bases/<slug:slug>/", bases.BaseView.as_view(), name="api_base"),
    path("knowledge-bases/<slug:slug>/members/", bases.MembersView.as_view(), name="api_members"),
    path("knowledge-bases/<slug:slug>/members/<uuid:id>", bases.MemberView.as_view(), name="api_member"),
    path("knowledge-bases/<slug:slug>/documents/", uploads.DocumentsUploadView.as_view(), name="api_base_documents"),
    path("knowledge-bases/<slug:slug>/documents/edit", bulk.BulkEditView.as_view(), name="api_documents_edit"),
    path("knowledge-bases/<slug:slug>/uploads/", uploads.UploadsView.as_view(), name="api_uploads"),
    path("knowledge-bases/<slug:slug>/reread", bulk.RereadView.as_view(), name="api_reread"),
    path("knowledge-bases/<slug:slug>/bin/empty", bin.BinView.as_view(), name="api_bin_empty"),
    path("uploads/<uuid:id>", uploads.UploadView.as_view(), name="api_upload"),
    path("uploads/<uuid:id>/commit", uploads.UploadCommitView.as_view(), name="api_upload_commit"),
    path("documents/", documents.DocumentsView.as_view(), name="api_documents"),
    path("documents/<uuid:id>/", documents.DocumentView.as_view(), name="api_document"),
    path("documents/<uuid:id>/bin", bin.DocumentBinView.as_view(), name="api_document_bin"),
    path("documents/<uuid:id>/restore", bin.DocumentRestoreView.as_view(), name="api_document_restore"),
    path("versions/<uuid:id>/text", versions.TextView.as_view(), name="api_text"),
    path("versions/<uuid:id>/original", versions.OriginalView.as_view(), name="api_original"),
    path("versions/<uuid:id>/chunks/", chunks.ChunksView.as_view(), name="api_chunks"),
    path("versions/<uuid:id>/reading", jobs.ReadingView.as_view(), name="api_reading"),
    path("versions/<uuid:id>/reading/retry", jobs.ReadingRetryView.as_view(), name="api_reading_retry"),
    path("versions/<uuid:id>/reading/cancel", jobs.ReadingCancelView.as_view(), name="api_reading_cancel"),
    path("chunks/<uuid:id>", chunks.ChunkView.as_view(), name="api_chunk"),
    path("jobs/", jobs.JobsView.as_view(), name="api_jobs"),
    path("jobs/<uuid:id>", jobs.JobView.as_view(), name="api_job"),
    path("jobs/<uuid:id>/cancel", jobs.JobCancelView.as_view(), name="api_job_cancel"),
    path("pictures/<uuid:id>", pictures.PictureView.as_view(), name="api_picture"),
    path("versions/<uuid:id>/pictures/", pictures.PicturesView.as_view(), name="api_pictures"),
    path("keys/<uuid:id>/grants/", grants.GrantsView.as_view(), name="api_key_grants"),
    path("keys/<uuid:id>/grants/<slug:slug>", grants.GrantView.as_view(), name="api_key_grant"),
    path("audit/", audit.AuditView.as_view(), name="api_audit"),
    path("audit.csv", audit.AuditCsvView.as_view(), name="api_audit_csv"),
    path("notices/", jobs.NoticesView.as_view(), name="api_notices"),
]

"""The addresses of documents."""

from django.urls import path

from knowledge.pages import audit, documents, jobs, keys, notices, uploads

urlpatterns = [
    path("documents/<uuid:document_id>/", documents.document, name="document"),
    path("documents/<uuid:document_id>/original", documents.original, name="document_original"),
    path("documents/<uuid:document_id>/versions/<int:number>/retry", documents.retry, name="reading_retry"),
    path("documents/<uuid:document_id>/versions/<int:number>/cancel", documents.cancel, name="reading_cancel"),
    path("pictures/<uuid:picture_id>", documents.picture, name="picture"),
    path("notices/", notices.notices, name="notices"),
    path("account/keys/", keys.keys, name="account_keys"),
    path("account/keys/<uuid:key_id>/revoke", keys.revoke, name="account_key_revoke"),
    path("account/keys/<uuid:key_id>/grants", keys.grant, name="account_key_grants"),
    path("audit/", audit.audit, name="audit"),
    path("audit/events.csv", audit.audit_csv, name="audit_csv"),
    path("upload/", uploads.choose, name="knowledge_upload"),
    path("upload/<uuid:upload_id>/", uploads.plan, name="upload_plan"),
    path("upload/<uuid:upload_id>/discard", uploads.discard, name="upload_discard"),
    path("jobs/", jobs.jobs, name="jobs"),
    path("jobs/<uuid:job_id>/", jobs.job, name="job"),
    path("jobs/<uuid:job_id>/retry", jobs.retry, name="job_retry"),
    path("jobs/<uuid:job_id>/cancel", jobs.cancel, name="job_cancel"),
]

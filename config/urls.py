"""Every address of the server."""

from django.contrib import admin
from django.urls import include, path, re_path

from config import health, refusals

handler400 = refusals.bad_request
handler403 = refusals.permission_denied
handler404 = refusals.page_not_found
handler500 = refusals.server_error

admin.autodiscover()

urlpatterns = [
    path("health/live", health.live),
    path("health/ready", health.ready),
    path("admin/", admin.site.urls),
    path("accounts/", include("accounts.urls")),
    path("accounts/", include("allauth.urls")),
    path("", include("knowledge.urls")),
    path("", include("ontology.urls")),
    path("", include("ontology.desk_urls")),
    path("api/v1/", include("knowledge.api.urls")),
    path("api/v1/", include("accounts.api_urls")),
    path("api/v1/", include("ontology.api.urls")),
    path("api/v1/", include("inference.urls")),
    path("api/", include("config.api_docs")),
    path("", include("retrieval.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    re_path("^api/", refusals.unknown_address, name="api_unknown"),
]

"""The description of REST: as OpenAPI for programs, and as a page for people that needs no network and keeps to the policy of all pages (no inline script)."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_GET
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView


@login_required
@require_GET
def docs(request: HttpRequest) -> HttpResponse:
    """GET /api/docs/"""
    return render(request, "api_docs.html")


urlpatterns = [
    path("v1/schema/", extend_schema(exclude=True)(SpectacularAPIView).as_view(), name="api_schema"),
    path("docs/", docs, name="api_docs"),
]

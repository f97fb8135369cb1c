"""The description of REST: as OpenAPI for programs, and as a page for people that needs no network and keeps to the policy of all pages (no inline script)."""

from functools import lru_cache
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import get_language, get_supported_language_variant, override
from django.views.decorators.http import require_GET
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView


class MadeOnce(SchemaGenerator):
    """The description is the same for everybody who may see it, and takes half a second to make."""

    def get_schema(self, request: Any = None, public: bool = False) -> Any:
        return description(ours(get_language())) if public else super().get_schema(request, public)  # type: ignore[no-untyped-call]


def ours(language: str | None) -> str:
    """The language that we have for one that was asked for; `?lang=` takes any."""
    try:
        return get_supported_language_variant(language or "")
    except LookupError:
        return settings.LANGUAGE_CODE


@lru_cache(maxsize=len(settings.LANGUAGES))
def description(language: str) -> Any:
    with override(language):
        return SchemaGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]


@login_required
@require_GET
def docs(request: HttpRequest) -> HttpResponse:
    """GET /api/docs/"""
    return render(request, "api_docs.html")


urlpatterns = [
    path(
        "v1/schema/",
        extend_schema(exclude=True)(SpectacularAPIView).as_view(generator_class=MadeOnce),
        name="api_schema",
    ),
    path("docs/", docs, name="api_docs"),
]

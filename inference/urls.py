"""The addresses of REST for the bill, below /api/v1/."""

from django.urls import path

from inference import api

urlpatterns = [
    path("usage", api.UsageView.as_view(), name="api_usage"),
]

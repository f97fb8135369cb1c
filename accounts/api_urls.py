"""The addresses of REST for who is asking, below /api/v1/."""

from django.urls import path

from accounts import api

urlpatterns = [
    path("me", api.MeView.as_view(), name="api_me"),
    path("departments/", api.DepartmentsView.as_view(), name="api_departments"),
    path("departments/<uuid:id>", api.DepartmentView.as_view(), name="api_department"),
    path("keys/", api.KeysView.as_view(), name="api_keys"),
    path("keys/<uuid:id>", api.KeyView.as_view(), name="api_key"),
]

"""Addresses of accounts that allauth does not bring."""

from django.urls import path

from accounts import pages

urlpatterns = [
    path("welcome/<uuid:user_id>/<str:token>/", pages.welcome, name="account_welcome"),
]

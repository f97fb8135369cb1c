"""Registers the wiring with Django: management commands and system checks."""

from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps


class WiringConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        from config import celery, checks, wiring  # noqa: F401

        wiring.bind()


class AdministrationConfig(admin_apps.SimpleAdminConfig):
    """Django's administration with our site. Its classes are loaded with the addresses (`config.urls`): workers and commands that show no page start faster without."""

    default = False
    default_site = "config.admin.TrellisAdminSite"

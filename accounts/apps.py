"""Registers the package with Django."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("People")

    def ready(self) -> None:
        """The description of REST learns how requests say who they are."""
        from accounts import openapi  # noqa: F401

"""`manage.py settings`: every setting with its default, as the page `docs/settings.md`."""

from typing import Any

from django.core.management.base import BaseCommand

from config.settings_page import settings_page


class Command(BaseCommand):
    help = "Print every setting, its default and what it is, as Markdown."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(settings_page(), ending="")

"""`manage.py messages`: bring the translations up to date with the code; names what still needs a translation."""

from typing import Any

from django.core.management.base import BaseCommand

from config import catalogue


class Command(BaseCommand):
    help = "Collect translatable strings, merge them into the .po files and compile these."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        for language in catalogue.LANGUAGES:
            merged = catalogue.merge(language)
            catalogue.write(merged, language)
            missing = catalogue.untranslated(merged)
            self.stdout.write(f"{language}: {len(merged)} strings, {len(missing)} without a translation")
            for message in missing:
                self.stdout.write(f"  {message.id!r}  ({', '.join(file for file, _ in message.locations[:2])})")

"""`manage.py doctor`: what is wrong and what to do about it. Exit code 0 when all is well, 1 when something isn't, 3 when an engine is missing."""

import json
import sys
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from config.conf import server_settings
from config.doctor import examine

SOMETHING_WRONG, ENGINE_MISSING = 1, 3


class Command(BaseCommand):
    help = "Examine engines, versions, vectors, queues, disk and secrets; one line of advice for each fault."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="one JSON object on standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        checks = examine(server_settings().data)
        faults = [check for check in checks if not check.ok]
        if options["json"]:
            report = {"ok": not faults, "checks": [asdict(check) for check in checks]}
            self.stdout.write(json.dumps(report, ensure_ascii=False))
        else:
            for check in checks:
                self.stdout.write(f"{'fine ' if check.ok else 'FAULT'} {check.name:18} {check.found}")
                if check.advice:
                    self.stdout.write(f"      {check.advice}")
        if faults:
            sys.exit(ENGINE_MISSING if any(check.name.startswith("engine:") for check in faults) else SOMETHING_WRONG)

"""What our commands share: results go to standard output, as lines for people or with --json as one object a line; everything else goes to standard error.

Exit codes: 0 done, 1 part of it failed, 2 wrong use; `manage.py` gives 3 when an engine is missing.
"""

import json
from argparse import ArgumentTypeError
from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from common.errors import EngineUnavailable, Misconfigured, TrellisError

PART_FAILED = 1
WRONG_USE = 2


COUNT_MAX, DIGITS_MAX = 2**31 - 1, 20


def whole_number(least: int = 1, most: int = COUNT_MAX) -> Callable[[str], int]:
    """The type of an option that is a whole number from `least` to `most`; anything else is wrong use, told in one sentence."""

    def read(words: str) -> int:
        if not (words.isascii() and words.removeprefix("-").isdecimal()) or len(words) > DIGITS_MAX:
            raise ArgumentTypeError(f"“{words[:40]}” is not a whole number from {least} to {most}")
        if not least <= int(words) <= most:
            raise ArgumentTypeError(f"{words} is not a whole number from {least} to {most}")
        return int(words)

    return read


class TrellisCommand(BaseCommand):
    """A command whose results are also JSON. Implement `run`, which gives the exit code; errors of ours become one sentence."""

    requires_system_checks = ()  # they examine the code, which the tests do; here they would load every page first

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print JSON instead of lines for people")

    def handle(self, *args: Any, **options: Any) -> None:
        self.as_json: bool = options["json"]
        try:
            code = self.run(options)
        except (EngineUnavailable, Misconfigured):
            raise
        except TrellisError as error:
            raise CommandError(str(error), returncode=WRONG_USE) from None
        if code:
            raise SystemExit(code)

    def run(self, options: dict[str, Any]) -> int:
        """Do it and give the exit code."""
        raise NotImplementedError

    def say(self, row: dict[str, Any], line: str) -> None:
        """One result."""
        self.stdout.write(json.dumps(row, ensure_ascii=False, default=str) if self.as_json else line)
        self.stdout.flush()

    def note(self, line: str) -> None:
        """Progress and remarks, for a person who watches."""
        self.stderr.write(line)

"""`manage.py reset_password USER`: a new password for somebody who lost it; ends their sessions and wrong-password locks."""

import getpass
import secrets
import sys
from typing import Any

from axes.utils import reset
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User
from accounts.services.people import user_set_password
from accounts.types import Subject


class Command(BaseCommand):
    requires_system_checks = ()
    help = "Set a new password: typed in twice on a terminal, read from standard input with --stdin, or made up and printed with --random."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("user", help="user name")
        choice = parser.add_mutually_exclusive_group()
        choice.add_argument("--random", action="store_true", help="make one up and print it")
        choice.add_argument("--stdin", action="store_true", help="read it from standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            user = User.objects.get_by_natural_key(options["user"])
        except User.DoesNotExist:
            raise CommandError(f"There is nobody called “{options['user']}”.", returncode=2) from None
        password = chosen_password(random=options["random"], stdin=options["stdin"])
        try:
            validate_password(password, user)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages), returncode=2) from None
        user_set_password(subject=Subject.system(), user=user, password=password)
        for name in (user.username, user.email):
            reset(username=name.lower())
        self.stdout.write(f"{user.username}: {password}" if options["random"] else "The password is changed.")


def chosen_password(*, random: bool, stdin: bool) -> str:
    """Raises CommandError when the two that were typed differ, or there is no terminal to type on."""
    if random:
        return secrets.token_urlsafe(12)
    if stdin:
        return sys.stdin.readline().rstrip("\n")
    if not sys.stdin.isatty():
        raise CommandError("There is no terminal to type a password on; use --stdin or --random.", returncode=2)
    first = getpass.getpass("New password: ")
    if first != getpass.getpass("The same again: "):
        raise CommandError("The two passwords differ; nothing was changed.", returncode=2)
    return first

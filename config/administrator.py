"""The first administrator: made on the first start with a password that is printed once and kept in a 0600 file until it is changed."""

import secrets
from pathlib import Path

from django.db import transaction

from accounts.models import Department, User
from accounts.services.departments import department_create
from accounts.services.people import PersonFields, user_invite, user_set_password
from accounts.types import Subject
from config.embedded.secret_files import read_secret, secret_file, write_secret
from config.exposure import has_administrator

NAME = "admin"
DEPARTMENT = "General"
SECRET = "administrator_password"  # noqa: S105 (the name of a file)


def make_administrator(password: str) -> None:
    """In a department of their own, because whoever asks has to have one that pays."""
    us = Subject.system()
    with transaction.atomic():
        home = Department.objects.first() or department_create(subject=us, name=DEPARTMENT)
        person = user_invite(subject=us, fields=PersonFields(username=NAME, department=home, is_administrator=True))
        user_set_password(subject=us, user=person, password=password)


def administrator_line(data: Path) -> str | None:
    """What to tell about signing in: name and password the first time, later the file that holds it, nothing once it has been changed."""
    person = User.objects.filter(username=NAME).first()
    if not has_administrator():
        if person is not None:
            return "Nobody can sign in as administrator: run `manage.py createsuperuser`."
        password = secrets.token_urlsafe(12)
        write_secret(data, SECRET, password)
        make_administrator(password)
        return f"Administrator: {NAME}  password: {password}"
    kept = read_secret(data, SECRET)
    if kept is None:
        return None
    if person is None or not person.check_password(kept):
        secret_file(data, SECRET).unlink(missing_ok=True)
        return None
    return f"Administrator: {NAME}  password: in {secret_file(data, SECRET)} until you change it"

"""The first administrator's password is told once, kept in a file, and forgotten when it is changed."""

from pathlib import Path

import pytest

from accounts.models import User
from config.administrator import administrator_line
from config.embedded.secret_files import read_secret

pytestmark = pytest.mark.django_db


def test_the_first_start_makes_one_and_tells_the_password(tmp_path: Path) -> None:
    line = administrator_line(tmp_path)
    password = read_secret(tmp_path, "administrator_password")
    admin = User.objects.get(username="admin")
    assert password
    assert line == f"Administrator: admin  password: {password}"
    assert admin.check_password(password)
    assert admin.is_administrator
    assert admin.department is not None


def test_later_starts_name_the_file_only(tmp_path: Path) -> None:
    administrator_line(tmp_path)
    line = administrator_line(tmp_path)
    assert line
    assert str(tmp_path / "secrets" / "administrator_password") in line
    assert (read_secret(tmp_path, "administrator_password") or "?") not in line


def test_a_changed_password_is_no_longer_in_the_file(tmp_path: Path) -> None:
    administrator_line(tmp_path)
    admin = User.objects.get(username="admin")
    admin.set_password("something of my own")
    admin.save()
    assert administrator_line(tmp_path) is None
    assert read_secret(tmp_path, "administrator_password") is None


def test_where_somebody_else_is_administrator_none_is_made(tmp_path: Path) -> None:
    User.objects.create_superuser("ada", "a long password")
    assert administrator_line(tmp_path) is None
    assert not User.objects.filter(username="admin").exists()


def test_an_administrator_who_was_shut_out_is_not_let_in_again(tmp_path: Path) -> None:
    administrator_line(tmp_path)
    User.objects.update(is_active=False)
    assert "createsuperuser" in (administrator_line(tmp_path) or "")
    assert not User.objects.filter(is_active=True).exists()

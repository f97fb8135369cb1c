"""Signing in: by name or address, not by guessing."""

import pytest
from django.test import Client

from accounts.models import User

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse battery"


@pytest.fixture(autouse=True)
def people() -> None:
    for name in ("vera", "stan"):
        user = User(username=name, email=f"{name}@example.org")
        user.set_password(PASSWORD)
        user.save()


def sign_in(name: str, password: str = PASSWORD, address: str = "192.0.2.1") -> Client:
    client = Client(REMOTE_ADDR=address)
    client.post("/accounts/login/", {"login": name, "password": password})
    return client


def is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


@pytest.mark.parametrize("name", ["vera", "VERA", "vera@example.org", "Vera@Example.org"])
def test_a_name_or_an_address_will_do(name: str) -> None:
    assert is_in(sign_in(name))


@pytest.mark.parametrize(("name", "password"), [("vera", "wrong"), ("nobody", PASSWORD), ("vera", "")])
def test_anything_else_does_not(name: str, password: str) -> None:
    assert not is_in(sign_in(name, password))


def test_after_too_many_guesses_the_right_password_does_not_help_either() -> None:
    for _ in range(8):
        sign_in("vera", "wrong")

    assert not is_in(sign_in("vera"))


def test_guessing_at_one_name_locks_nobody_else_out() -> None:
    for _ in range(8):
        sign_in("vera", "wrong")

    assert is_in(sign_in("stan"))
    assert is_in(sign_in("vera", address="192.0.2.2"))


def test_somebody_switched_off_does_not_come_in() -> None:
    User.objects.filter(username="vera").update(is_active=False)

    assert not is_in(sign_in("vera"))

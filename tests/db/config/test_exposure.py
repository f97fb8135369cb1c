"""Nobody outside this machine reaches a server with a poor secret key or with nobody to sign in as."""

from collections.abc import AsyncIterator

import httpx
import pytest
from asgiref.sync import sync_to_async
from django.db import connections
from pytest_django.fixtures import Settings
from starlette.types import Receive, Scope, Send

from accounts.models import User
from common.errors import Misconfigured
from config.exposure import exposure_faults, is_loopback, is_weak, refuse_exposure
from config.guard import ExposureGuard

GOOD_KEY = "wT3-x9QmVb7_LrKp2ZsN8dHyUfAe5Jc4Go1i"


@pytest.fixture(autouse=True)
def good_key(settings: Settings) -> None:
    settings.SECRET_KEY = GOOD_KEY
    settings.DEBUG = False


@pytest.fixture
def administrator(db: None) -> User:
    return User.objects.create_superuser("ada", "a long password")


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "[::1]", "localhost"])
def test_loopback_is_inside(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.5", "192.168.1.2", "trellis.example.com", ""])
def test_everything_else_is_outside(host: str) -> None:
    assert not is_loopback(host)


@pytest.mark.parametrize("key", ["", "short", "a" * 60, "django-insecure-" + GOOD_KEY, "please-change-me-" + GOOD_KEY])
def test_a_poor_key_is_recognised(key: str) -> None:
    assert is_weak(key)
    assert not is_weak(GOOD_KEY)


def test_with_a_key_and_an_administrator_nothing_is_wrong(administrator: User) -> None:
    assert exposure_faults() == []
    refuse_exposure("0.0.0.0")


def test_without_an_administrator_it_listens_at_home_only(db: None) -> None:
    refuse_exposure("127.0.0.1")
    with pytest.raises(Misconfigured, match="createsuperuser"):
        refuse_exposure("0.0.0.0")


@pytest.mark.parametrize("state", [{"is_active": False}, {"is_administrator": False}, {"password": "!"}])
def test_somebody_who_cannot_sign_in_is_no_administrator(administrator: User, state: dict[str, object]) -> None:
    User.objects.filter(pk=administrator.pk).update(**state)
    with pytest.raises(Misconfigured, match="createsuperuser"):
        refuse_exposure("0.0.0.0")


def test_with_a_poor_key_it_listens_at_home_only(administrator: User, settings: Settings) -> None:
    settings.SECRET_KEY = "secret"
    with pytest.raises(Misconfigured, match="TRELLIS_SECRET_KEY"):
        refuse_exposure("10.0.0.5")


async def answers_ok(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


async def status_at(guard: ExposureGuard, address: str) -> int:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=guard)) as client:
        return (await client.get(f"http://{address}:8000/")).status_code


@pytest.fixture
async def _closed_afterwards() -> AsyncIterator[None]:
    yield
    await sync_to_async(connections.close_all)()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_closed_afterwards")
async def test_a_bare_uvicorn_answers_nobody_from_outside_until_all_is_well() -> None:
    guard = ExposureGuard(answers_ok)
    assert await status_at(guard, "127.0.0.1") == 200
    assert await status_at(guard, "10.0.0.5") == 503

    await User.objects.acreate(username="ada", is_administrator=True, password="kept")
    assert await status_at(guard, "10.0.0.5") == 200

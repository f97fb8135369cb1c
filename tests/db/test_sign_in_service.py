"""Signing in with a service that speaks OpenID Connect: a real provider in a process of its own, asked over HTTP as a browser and as our server would."""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from django.test import Client
from pydantic import SecretStr

from accounts.models import User
from config.conf import ServerSettings
from config.oidc import sign_in_services

pytestmark = pytest.mark.django_db

LOGIN = "/accounts/oidc/oidc/login/?process=login&next=%2Flibrary%2F"
VERA = {"sub": "v", "email": "vera@example.org", "email_verified": True, "name": "Vera 微拉"}
CLAIMS = [
    VERA,
    {**VERA, "sub": "unproved", "email_verified": False},
    {**VERA, "sub": "stranger", "email": "stranger@example.org"},
    {"sub": "nameless"},
]


@pytest.fixture(scope="module")
def provider() -> Iterator[str]:
    """The address of the provider."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    program = Path(sys.executable).with_name("oidc-provider-mock")
    users = [word for claims in CLAIMS for word in ("--user-claims", json.dumps(claims))]
    with subprocess.Popen(
        [program, "-p", str(port), *users], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as it:
        url = f"http://127.0.0.1:{port}"
        for _ in range(300):
            try:
                httpx.get(f"{url}/.well-known/openid-configuration")
                break
            except httpx.HTTPError:
                time.sleep(0.1)
        yield url
        it.terminate()


@pytest.fixture(autouse=True)
def service(provider: str, settings: object) -> None:
    vera = User(username="vera", email="Vera@Example.org")
    vera.set_password("correct horse battery")
    vera.save()
    known = ServerSettings.model_construct(
        oidc_url=provider, oidc_name="公司登录", oidc_client_id="trellis", oidc_client_secret=SecretStr("s3cret")
    )
    settings.SOCIALACCOUNT_PROVIDERS = sign_in_services(known)  # type: ignore[attr-defined]


def come_in(subject: str) -> tuple[Client, int, str]:
    """Go to the provider, be that person there and come back: the client, and how the way back was answered."""
    client = Client()
    there = client.get(LOGIN)
    back = httpx.post(there["Location"], data={"sub": subject}).headers["Location"]
    parts = urlsplit(back)
    answer = client.get(f"{parts.path}?{parts.query}")
    return client, answer.status_code, answer.get("Location", answer.content.decode())


def test_the_sign_in_page_names_the_service_and_its_link_leads_straight_to_it(provider: str) -> None:
    """No form between: browsers do not follow one to another address under our policy."""
    client = Client()
    assert "公司登录" in client.get("/accounts/login/").content.decode()

    answer = client.get(LOGIN)

    assert answer.status_code == 302
    assert answer["Location"].startswith(provider)
    assert "code_challenge=" in answer["Location"]


def test_whoever_was_invited_comes_in_by_their_address(provider: str) -> None:
    client, status, where = come_in("v")

    assert (status, where) == (302, "/library/")
    assert client.session["_auth_user_id"] == str(User.objects.get(username="vera").pk)


@pytest.mark.parametrize("subject", ["stranger", "unproved", "nameless"])
def test_nobody_else_does_and_is_told_why(subject: str) -> None:
    client, status, said = come_in(subject)

    assert "_auth_user_id" not in client.session
    assert status == 200
    assert "Ask an administrator" in said
    assert User.objects.count() == 1


def test_a_deactivated_person_stays_out() -> None:
    User.objects.update(is_active=False)

    client, _status, _said = come_in("v")

    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("path", [None, "/no/such/place", "/oauth2/authorize"])
def test_a_provider_that_is_away_or_none_is_said_in_a_sentence(
    settings: object, provider: str, path: str | None
) -> None:
    known = ServerSettings.model_construct(
        oidc_url="http://127.0.0.1:9" if path is None else provider + path,
        oidc_name="",
        oidc_client_id="trellis",
        oidc_client_secret=SecretStr(""),
    )
    settings.SOCIALACCOUNT_PROVIDERS = sign_in_services(known)  # type: ignore[attr-defined]

    answer = Client().get(LOGIN)

    assert answer.status_code == 503
    assert "sign-in service does not answer" in answer.content.decode()

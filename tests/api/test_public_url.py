"""Behind a proxy: its headers are believed only when PUBLIC_URL is set; a sub-path stands in every address; other origins are refused."""

import pytest
from django.test import Client, override_settings
from django.urls import reverse, set_script_prefix
from django.urls.base import get_script_prefix

from config.conf import ServerSettings

PROXIED = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "know.example.org"}
BEHIND = {
    "ALLOWED_HOSTS": ["know.example.org"],
    "CSRF_TRUSTED_ORIGINS": ["https://know.example.org"],
    "USE_X_FORWARDED_HOST": True,
    "SECURE_PROXY_SSL_HEADER": ("HTTP_X_FORWARDED_PROTO", "https"),
}


def server(url: str) -> ServerSettings:
    return ServerSettings(public_url=url)


@pytest.mark.parametrize(
    ("url", "sub_path", "is_https", "origin"),
    [
        ("https://know.example.org", "", True, "https://know.example.org"),
        ("https://know.example.org/", "", True, "https://know.example.org"),
        ("https://know.example.org/trellis/", "/trellis", True, "https://know.example.org"),
        ("http://know.example.org:8080/a/b", "/a/b", False, "http://know.example.org:8080"),
    ],
)
def test_the_public_url_gives_host_path_and_origin(url, sub_path, is_https, origin):
    found = server(url)

    assert (found.sub_path, found.is_https) == (sub_path, is_https)
    assert origin in found.trusted_origins
    assert "know.example.org" in found.allowed_hosts


def test_without_a_public_url_a_proxy_is_not_believed(world):
    client = Client(headers={"Authorization": f"Bearer {world.keys['key']}", **PROXIED})
    answer = client.get("/api/v1/documents/?limit=1").json()

    assert "example.org" not in str(answer)


@pytest.mark.django_db
def test_with_one_the_links_of_pages_are_those_outside(world):
    with override_settings(**BEHIND):
        client = Client(headers={"Authorization": f"Bearer {world.keys['key']}", **PROXIED})
        world.corpus.read("second.md", "# Second")
        following = client.get("/api/v1/documents/?limit=1").json()["next"]

    assert following.startswith("https://know.example.org/api/v1/documents/?")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("origin", "status"),
    [("https://know.example.org", 204), ("https://evil.example", 403), ("null", 403), ("http://know.example.org", 403)],
)
def test_only_our_own_origin_may_write_with_a_session(world, origin, status):
    with override_settings(**BEHIND):
        client = Client(enforce_csrf_checks=True, headers=PROXIED)
        client.force_login(world.people["owner"])
        page = client.get("/account/keys/")
        token = page.content.decode().partition('name="csrf-token" content="')[2].partition('"')[0]
        response = client.post(
            "/api/v1/notices/",
            "{}",
            content_type="application/json",
            headers={**PROXIED, "Origin": origin, "X-CSRFToken": token},
        )

    assert response.status_code == status


@pytest.mark.django_db
def test_a_key_needs_no_origin(world):
    client = Client(
        enforce_csrf_checks=True,
        headers={"Authorization": f"Bearer {world.keys['key']}", "Origin": "https://evil.example"},
    )

    assert client.post("/api/v1/notices/", "{}", content_type="application/json").status_code == 204


@pytest.mark.django_db
def test_a_sub_path_stands_in_every_address(world):
    before = get_script_prefix()
    with override_settings(**BEHIND, FORCE_SCRIPT_NAME="/trellis"):
        set_script_prefix("/trellis/")  # as the server does for each request
        client = Client(headers=PROXIED)
        signed_out = client.get("/audit/")
        client.force_login(world.people["viewer"])
        page = client.get("/library/secret/").content.decode()
        docs = client.get("/api/docs/").content.decode()
        home = reverse("chat")
    set_script_prefix(before)

    assert signed_out["Location"].startswith("/trellis/accounts/login/")
    assert home == "/trellis/"
    assert 'data-root="/trellis/"' in page
    assert 'href="/trellis/library/' in page
    assert 'data-schema="/trellis/api/v1/schema/' in docs
    assert not [
        line
        for line in page.split('href="')[1:]
        if line.startswith("/") and not line.startswith(("/trellis/", "/static/"))
    ]


@pytest.mark.django_db
def test_a_host_that_is_not_the_public_one_is_refused(world):
    with override_settings(**BEHIND):
        assert Client(headers={"X-Forwarded-Host": "evil.example"}).get("/api/v1/me").status_code == 400

"""One envelope for every refusal, whatever is wrong with a request: no answer of 500, no page where a program asked."""

import json
from typing import Any

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db

DEEP = "[" * 100_000 + "]" * 100_000
NESTED = '{"name": ' + "[" * 200 + "]" * 200 + "}"
KB = "/api/v1/knowledge-bases/"
SECRET = f"{KB}secret/"
SEARCH = {"question": "pump", "knowledge_bases": ["secret"]}


@pytest.fixture
def client(world) -> Client:
    return Client(headers={"Authorization": f"Bearer {world.keys['key']}"})


def error_in(response: Any) -> dict[str, Any]:
    body = json.loads(response.content)
    assert set(body) == {"error"}
    assert set(body["error"]) == {"code", "message", "extra"}
    assert body["error"]["message"]
    return body["error"]


def post(client: Client, path: str, body: str | bytes, kind: str = "application/json") -> Any:
    return client.post(path, body, content_type=kind)


@pytest.mark.parametrize(
    "body",
    [
        "{",
        "nonsense",
        b"\xff\xfe",
        DEEP,
        NESTED,
        '{"name": NaN}',
        '{"name": "a\\u0000b"}',
        '{"name": "\\ud800"}',
        '{"\\u0000": 1}',
        '{"n": ' + "9" * 5000 + "}",
    ],
    ids=[
        "cut",
        "words",
        "not utf-8",
        "deep",
        "nested",
        "NaN",
        "NUL",
        "half character",
        "NUL in a name",
        "endless number",
    ],
)
@pytest.mark.parametrize("path", [KB, "/api/v1/search", "/api/v1/ask", f"{SECRET}documents/"])
def test_a_body_that_is_no_sound_json_is_refused(client, path, body):
    response = post(client, path, body)

    assert response.status_code == 400
    assert error_in(response)["code"] in ("invalid_input", "parse_error")


@pytest.mark.parametrize("body", ["null", "[]", "1", '"text"', "{}"])
@pytest.mark.parametrize("path", ["/api/v1/search", "/api/v1/ask", f"{SECRET}documents/", f"{SECRET}documents/edit"])
def test_json_of_another_form_is_refused(client, path, body):
    response = post(client, path, body)

    assert response.status_code == 400
    error_in(response)


@pytest.mark.parametrize("path", [KB, "/api/v1/search", "/api/v1/ask"])
@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "application/xml", ""])
def test_a_content_type_that_nobody_reads_is_said_to_be_so(client, path, kind):
    response = post(client, path, "a=b", kind)

    assert response.status_code == 415
    error_in(response)


@pytest.mark.parametrize(
    ("method", "path"),
    [("put", KB), ("get", "/api/v1/ask"), ("delete", "/api/v1/search"), ("post", "/api/v1/documents/")],
)
def test_a_wrong_method_names_the_right_ones(client, method, path):
    response = getattr(client, method)(path)

    assert response.status_code == 405
    assert response["Allow"]
    assert error_in(response)["code"] == "method_not_allowed"


@pytest.mark.parametrize(
    "path",
    ["/api/", "/api/v1", "/api/v1/nothing/", "/api/v1/documents/no-uuid/", "/api/v1/chunks/%E2%98%83", "/api/v2/me"],
)
@pytest.mark.parametrize("method", ["get", "post", "delete"])
def test_an_unknown_address_answers_in_the_envelope(client, path, method):
    response = getattr(client, method)(path)

    assert response.status_code == 404
    assert error_in(response)["code"] == "not_found"


@pytest.mark.parametrize(
    "cursor",
    [
        "x",
        "%F0%9F%98%80",
        "cD14",
        "bz0x",
        "cD0yMDI2",
        "cD0lMDA",
        "cD05OTk5OTk5OTk5OTk5OTk5OTk5",
        "bz05OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk",
    ],
)
@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/documents/",
        KB,
        "/api/v1/jobs/",
        "/api/v1/versions/{version}/chunks/",
        "/api/v1/conversations/",
        "/api/v1/audit/",
    ],
)
def test_a_cursor_that_is_none_of_ours_is_refused_or_ignored(client, world, path, cursor):
    response = client.get(f"{path.format_map(world.ids)}?cursor={cursor}")

    assert response.status_code in (200, 400)
    if response.status_code == 400:
        assert error_in(response)["extra"] == {"field": "cursor"}


@pytest.mark.parametrize("limit", ["0", "-1", "x", "9999999999999999999999", "1e9", "²"])
def test_a_limit_that_is_no_number_of_rows_is_refused(client, limit):
    response = client.get(f"/api/v1/documents/?limit={limit}")

    assert response.status_code == 400
    assert error_in(response)["extra"] == {"field": "limit"}


@pytest.mark.parametrize("limit", ["", "1", "200", "5000"])
def test_a_limit_beyond_the_most_gives_the_most(client, limit):
    assert client.get(f"/api/v1/documents/?limit={limit}").status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/documents/?q=%00",
        "/api/v1/jobs/?knowledge_base=a%00",
        "/api/v1/conversations/?q=%00",
        "/api/v1/audit/?who=%00",
        "/api/v1/x%00",
    ],
)
def test_a_nul_in_the_address_is_refused(client, path):
    response = client.get(path)

    assert response.status_code == 400
    error_in(response)


@pytest.mark.parametrize("path", ["/?x=%00", "/library/?q=%00", "/audit/?who=%00"])
def test_a_nul_in_the_address_of_a_page_gets_a_page(world, path):
    client = Client()
    client.force_login(world.people["administrator"])
    response = client.get(path)

    assert response.status_code == 400
    assert response["Content-Type"].startswith("text/html")


def test_a_nul_in_a_cookie_is_refused(world):
    client = Client()
    client.cookies["sessionid"] = "abc\x00defgh"

    assert client.get("/api/v1/me").status_code == 400


@pytest.mark.parametrize("query", ["since=yesterday", "until=2026-13-01", "since=99999-01-01", "department=1"])
def test_dates_and_ids_of_queries_are_checked(client, query):
    path = "/api/v1/usage" if "department" in query else "/api/v1/audit/"

    response = client.get(f"{path}?{query}")

    assert response.status_code == 400
    error_in(response)


def test_a_key_that_nobody_has_is_refused_and_says_how_to_come_in(world):
    response = Client(headers={"Authorization": "Bearer trl_abcdefgh_" + "x" * 43}).get("/api/v1/me")

    assert response.status_code == 401
    assert response["WWW-Authenticate"]
    assert error_in(response)["code"] == "not_authenticated"


@pytest.mark.parametrize(
    "text", ["Bearer", "Bearer ", "Bearer \u00ff", "Basic YTpi", "Bearer trl_x_y z", "bearer trl_abcdefgh_" + "é" * 43]
)
def test_an_authorization_that_is_no_key_lets_nobody_in(world, text):
    assert Client().get("/api/v1/me", HTTP_AUTHORIZATION=text).status_code == 401


@pytest.mark.parametrize("path", ["/api/v1/search", KB])
def test_a_session_needs_its_csrf_token(world, path):
    client = Client(enforce_csrf_checks=True)
    client.force_login(world.people["owner"])

    response = post(client, path, "{}")

    assert response.status_code == 403
    error_in(response)


def test_too_many_bytes_of_json_are_refused(client, monkeypatch):
    monkeypatch.setattr("common.bodies.MAX_BYTES", 100)

    response = post(client, KB, json.dumps({"slug": "a", "description": "x" * 200}))

    assert response.status_code == 413
    assert error_in(response)["code"] == "too_large"


def test_too_large_a_question_body_is_refused(client, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100

    response = post(client, "/api/v1/search", json.dumps({"question": "x" * 200}))

    assert response.status_code == 413
    assert error_in(response)["code"] == "too_large"


@pytest.mark.parametrize(
    "kind", ["multipart/form-data", "multipart/form-data; boundary=x", "multipart/form-data; boundary=" + "x" * 300]
)
def test_a_broken_multipart_body_is_refused(client, kind):
    response = post(client, f"{SECRET}documents/", b"--y\r\nnonsense", kind)

    assert response.status_code in (400, 415)
    error_in(response)


def test_a_host_that_is_not_ours_is_refused_in_the_envelope(client):
    response = client.get("/api/v1/me", headers={"Host": "evil.example"})

    assert response.status_code == 400
    error_in(response)


def test_an_unexpected_fault_says_nothing_of_itself(world, monkeypatch):
    def broken(*_arguments: object, **_named: object) -> None:
        raise RuntimeError("the password is hunter2")

    monkeypatch.setattr("accounts.api.departments_for", broken)
    response = Client(headers={"Authorization": f"Bearer {world.keys['key']}"}).get("/api/v1/departments/")

    assert response.status_code == 500
    assert "hunter2" not in response.content.decode()
    error_in(response)


def test_messages_are_in_the_language_of_who_asks(client):
    english = client.get("/api/v1/nothing").json()["error"]["message"]
    chinese = client.get("/api/v1/nothing", headers={"Accept-Language": "zh-Hans"}).json()["error"]["message"]

    assert english.isascii()
    assert english != chinese

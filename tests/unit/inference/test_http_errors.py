"""Foreign errors are translated where they enter, and tell no secret."""

import httpx
import pytest

from common.errors import EngineRefused, EngineTimeout, EngineUnavailable, TrellisError
from inference.http_errors import refusal_of, shown, translated

URL = "https://user:pass@models.example/v1/embeddings"


@pytest.mark.parametrize(
    ("foreign", "ours"),
    [
        (httpx.ConnectError("no"), EngineUnavailable),
        (httpx.ConnectTimeout("no"), EngineUnavailable),
        (httpx.ReadTimeout("no"), EngineTimeout),
        (httpx.PoolTimeout("no"), EngineTimeout),
        (httpx.ReadError("no"), EngineUnavailable),
        (httpx.RemoteProtocolError("no"), EngineUnavailable),
        (httpx.LocalProtocolError("no"), EngineRefused),
        (httpx.UnsupportedProtocol("no"), EngineUnavailable),
        (httpx.InvalidURL("no"), EngineRefused),
    ],
    ids=lambda value: getattr(value, "__name__", type(value).__name__),
)
def test_an_error_of_the_client_is_one_of_ours(foreign: Exception, ours: type[TrellisError]):
    with pytest.raises(TrellisError) as raised, translated(URL):
        raise foreign

    assert type(raised.value) is ours
    assert "pass" not in str(raised.value)


@pytest.mark.parametrize(
    ("status", "ours"),
    [
        (400, EngineRefused),
        (401, EngineRefused),
        (403, EngineRefused),
        (404, EngineRefused),
        (429, EngineUnavailable),
        (500, EngineUnavailable),
        (503, EngineUnavailable),
        (529, EngineUnavailable),
    ],
)
@pytest.mark.parametrize("body", [b'{"error": {"message": "because"}}', b'{"error": "because"}', b"because", b"[1]"])
def test_a_refusal_says_why(status: int, ours: type[TrellisError], body: bytes):
    response = httpx.Response(status, content=body, request=httpx.Request("POST", URL))

    error = refusal_of(response)

    assert type(error) is ours
    assert str(status) in str(error)
    assert "because" in str(error) or body == b"[1]"
    assert "pass" not in str(error)


@pytest.mark.parametrize(("header", "seconds"), [("7", 7.0), ("Wed, 21 Oct 2026 07:28:00 GMT", None), ("", None)])
def test_when_to_come_back_is_kept(header: str, seconds: float | None):
    response = httpx.Response(503, headers={"retry-after": header}, request=httpx.Request("POST", URL))

    assert refusal_of(response).extra["retry_after_s"] == seconds


@pytest.mark.parametrize(
    ("url", "said"),
    [
        (URL, "https://models.example/v1/embeddings"),
        ("http://127.0.0.1:80/v1", "http://127.0.0.1:80/v1"),
        ("odd", "odd"),
    ],
)
def test_a_url_is_shown_without_its_password(url: str, said: str):
    assert shown(url) == said

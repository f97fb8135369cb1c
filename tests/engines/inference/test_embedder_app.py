"""The embedder's routes in OpenAI's protocol, over the hash model."""

import base64
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection

import httpx
import numpy as np
import pytest

from inference.embedder.app import embedder_app
from inference.fingerprint import fingerprint_of
from inference.hash_model import HashModel
from tests.gated_model import GatedModel
from tests.served import served

MODEL = HashModel(dims=32, window_tokens=10)


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    app = embedder_app(MODEL, key="secret", slice_texts=4, waiting_texts=50)
    headers = {"Authorization": "Bearer secret"}
    with (
        served(app, has_lifespan=True) as port,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=headers) as client,
    ):
        yield client


@pytest.mark.parametrize("path", ["/health", "/info", "/v1/models", "/v1/embeddings", "/tokenize", "/nowhere"])
@pytest.mark.parametrize("key", ["", "Bearer wrong", "Bearer", "Basic secret", "secret", "Bearer sécret"])
def test_nobody_gets_in_without_the_key(client, path, key):
    answer = client.get(path, headers={"Authorization": key.encode()})

    assert answer.status_code == 401
    assert answer.json()["error"]["code"] == "invalid_api_key"


@pytest.mark.parametrize("given", ["pump", ["pump"]])
def test_a_text_or_a_list_is_embedded(client, given):
    answer = client.post("/v1/embeddings", json={"input": given, "model": "any"}).json()

    assert answer["object"] == "list"
    assert answer["model"] == "hash-32"
    assert answer["data"][0]["index"] == 0
    assert answer["data"][0]["embedding"] == pytest.approx(MODEL.vectors(["pump"], "passage")[0].tolist(), abs=1e-6)
    assert answer["usage"] == {"prompt_tokens": 3, "total_tokens": 3}


def test_base64_holds_little_endian_floats(client):
    answer = client.post("/v1/embeddings", json={"input": ["a", "b c"], "encoding_format": "base64"}).json()

    rows = [np.frombuffer(base64.b64decode(row["embedding"]), dtype="<f4") for row in answer["data"]]
    assert np.array_equal(np.stack(rows), MODEL.vectors(["a", "b c"], "passage"))


def test_a_text_over_the_window_is_refused_with_its_place_and_its_tokens(client):
    answer = client.post("/v1/embeddings", json={"input": ["short", "long " * 20]})

    assert answer.status_code == 400
    error = answer.json()["error"]
    assert (error["code"], error["param"]) == ("text_too_long", "input")
    assert (error["index"], error["tokens"], error["window"]) == (1, 22, 10)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"input": []},
        {"input": ["a", ""]},
        {"input": " \n"},
        {"input": [["a"]]},
        {"input": 7},
        {"input": "a", "input_type": "document"},
        {"input": "a", "encoding_format": "hex"},
        {"input": ["a"] * 2049},
    ],
    ids=repr,
)
def test_what_can_not_be_embedded_is_refused_in_openais_form(client, body):
    answer = client.post("/v1/embeddings", json=body)

    assert answer.status_code == 400
    assert answer.json()["error"]["type"] == "invalid_request_error"
    assert answer.json()["error"]["message"]


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"null", b'{"input": "\\ud800"}'])
def test_a_body_that_is_no_json_is_refused(client, content):
    assert client.post("/v1/embeddings", content=content).status_code == 400


def test_tokens_are_counted_in_full(client):
    assert client.post("/tokenize", json={"texts": ["", "a b", "long " * 20]}).json() == {"counts": [2, 4, 22]}


def test_it_says_what_it_is(client):
    assert client.get("/info").json() == {
        "model": "hash-32",
        "dims": 32,
        "window_tokens": 10,
        "fingerprint": fingerprint_of(MODEL),
    }
    assert client.get("/v1/models").json()["data"][0]["id"] == "hash-32"
    assert client.get("/health").json() == {"status": "ok", "waiting": {"query": 0, "passage": 0}}


def test_the_work_of_a_caller_who_hangs_up_is_dropped():
    model = GatedModel()
    app = embedder_app(model, key="secret", slice_texts=4, waiting_texts=500)
    model.gate.set()
    headers = {"Authorization": "Bearer secret"}
    with (
        served(app, has_lifespan=True) as port,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=headers) as client,
    ):
        model.gate.clear()
        hanging_up = HTTPConnection("127.0.0.1", port)
        body = json.dumps({"input": ["dropped"] * 400})
        hanging_up.request("POST", "/v1/embeddings", body, headers)
        while not model.slices:
            time.sleep(0.01)
        hanging_up.close()
        while client.get("/health").json()["waiting"]["passage"]:
            pass
        model.gate.set()
        client.post("/v1/embeddings", json={"input": "kept"})

    assert [texts for texts in model.slices if "dropped" in texts] == [["dropped"] * 4]


def test_a_full_lane_says_when_to_come_back():
    model = GatedModel()
    app = embedder_app(model, key="secret", slice_texts=4, waiting_texts=10)
    model.gate.set()
    headers = {"Authorization": "Bearer secret"}
    with (
        served(app, has_lifespan=True) as port,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=headers) as client,
        ThreadPoolExecutor() as threads,
    ):
        model.gate.clear()
        first = threads.submit(client.post, "/v1/embeddings", json={"input": ["a"] * 12})
        while client.get("/health").json()["waiting"]["passage"] != 8:
            pass
        refused = client.post("/v1/embeddings", json={"input": ["b"] * 3})
        model.gate.set()

        assert first.result().status_code == 200

    assert refused.status_code == 503
    assert int(refused.headers["Retry-After"]) >= 1

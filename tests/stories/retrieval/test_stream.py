"""The stream through a real web server: it arrives piece by piece, shows that it lives, and ends when its reader goes."""

import asyncio
import json
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import uvicorn

from accounts.models import User
from accounts.services.keys import key_create
from accounts.subjects import subject_of_user
from retrieval import talk
from retrieval import tools as bound
from retrieval.models import Message
from tests.meters import ListMeter
from tests.scripted_model import Script, ScriptedModel
from tests.stories.retrieval.test_model_answers import PUMP, QUESTION, tools_with

LONG = ("The pump P-100 stops at 80 °C [1]. ", "It starts again by itself when it has cooled down [1]. ") + (
    "More words follow here. ",
) * 200


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as server:
        yield server


@pytest.fixture
def web(model: ScriptedModel, transactional_db: None) -> Iterator[str]:
    """The application under uvicorn in a thread, with the scripted model; gives its address."""
    from config.asgi import application

    tools = tools_with(model, ListMeter())
    before = list(bound._made)
    bound.bind(lambda: tools)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        server = uvicorn.Server(uvicorn.Config(application, log_config=None, lifespan="off", ws="none"))
        ended = threading.Event()

        async def serve() -> None:
            await server.serve(sockets=[listener])
            await talk.settled()
            await tools.close()

        def run() -> None:
            asyncio.run(serve())
            ended.set()

        threading.Thread(target=run, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        ended.wait(60)
    bound._made[:] = before


@pytest.fixture
def headers(reader: Any) -> dict[str, str]:
    user = User.objects.get(pk=reader.user_id)
    key = key_create(subject=subject_of_user(user), owner=user, name="script", scopes=["ask", "read"], reads_all=True)
    return {"Authorization": f"Bearer {key.text}", "Accept": "text/event-stream"}


def names(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        if line.startswith("event: "):
            yield line.removeprefix("event: ")
        elif line.startswith(":"):
            yield "ping"


def settled_message() -> Message:
    """The answer, once it is no longer being written."""
    for _ in range(600):
        message = Message.objects.get(role="assistant")
        if message.state != "working":
            return message
        time.sleep(0.1)
    return message


def test_the_first_sentence_is_there_before_the_last_is_written(corpus, web, headers, model):
    corpus.read("pump.md", PUMP)
    model.script = Script(pieces=LONG[:2], delay_s=0.5)
    seen: list[tuple[str, float]] = []

    with httpx.stream(
        "POST", f"{web}/api/v1/ask", json={"question": QUESTION}, headers=headers, timeout=30
    ) as response:
        for name in names(response.iter_lines()):
            seen.append((name, time.monotonic()))

    order = [name for name, _at in seen]
    assert order[0] == "accepted"
    assert order[-1] == "done"
    first_delta, done = order.index("delta"), order.index("done")
    assert seen[first_delta][1] < seen[done][1]
    assert response.headers["x-accel-buffering"] == "no"


def test_a_silent_model_does_not_make_a_silent_stream(corpus, web, headers, model, monkeypatch):
    corpus.read("pump.md", PUMP)
    monkeypatch.setattr(talk, "BEAT_S", 0.2)
    model.script = Script(pieces=LONG[:1], delay_s=1.5)

    with httpx.stream(
        "POST", f"{web}/api/v1/ask", json={"question": QUESTION}, headers=headers, timeout=30
    ) as response:
        order = list(names(response.iter_lines()))

    assert "ping" in order
    assert order[-1] == "done"


def test_a_reader_who_goes_ends_the_work_and_keeps_what_was_written(corpus, web, headers, model):
    corpus.read("pump.md", PUMP)
    model.script = Script(pieces=LONG, delay_s=0.2)

    with httpx.stream(
        "POST", f"{web}/api/v1/ask", json={"question": QUESTION}, headers=headers, timeout=30
    ) as response:
        for name in names(response.iter_lines()):
            if name == "delta":
                break

    message = settled_message()
    assert message.state == "stopped"
    assert message.parts[0]["said"].startswith("The pump P-100 stops")
    assert model.hung_up.wait(60)
    assert json.dumps(message.citations).count('"start"') >= 1

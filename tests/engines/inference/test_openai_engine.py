"""The chat engine against a scripted server on a real socket: each way in which an engine goes wrong ends in one of our errors, in time, and is written down."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from uuid import uuid4

import pytest

from common.errors import EngineLoops, EngineRefused, EngineTimeout, EngineUnavailable, TrellisError
from inference.conf import InferenceSettings
from inference.openai_engine import OpenAIChatEngine
from inference.types import Charge, ChatDelta, ChatMessage, ModelServer, Purpose, TokenCount
from tests.meters import ListMeter
from tests.scripted_model import Script, ScriptedModel

CHARGE = Charge(Purpose.ASK, department_id=uuid4())
QUESTION = [ChatMessage("system", "Be brief."), ChatMessage("user", "When do pumps stop?")]
PATIENT = InferenceSettings(LLM_SILENCE_S=20)
IMPATIENT = InferenceSettings(LLM_SILENCE_S=0.3)


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as scripted:
        yield scripted


@pytest.fixture
def meter() -> ListMeter:
    return ListMeter()


@pytest.fixture
async def engine(model: ScriptedModel, meter: ListMeter) -> AsyncIterator[OpenAIChatEngine]:
    made = OpenAIChatEngine(lambda: ModelServer(model.url, model.key), meter=meter, settings=PATIENT)
    yield made
    await made.aclose()


async def answer(engine: OpenAIChatEngine) -> list[ChatDelta]:
    async with aclosing(engine.stream(QUESTION, max_tokens=50, temperature=0, charge=CHARGE)) as deltas:
        return [delta async for delta in deltas]


async def test_text_comes_in_pieces_and_the_last_delta_has_the_engines_own_count(engine, model, meter):
    *pieces, last = await answer(engine)

    assert "".join(delta.text for delta in pieces) == "Pumps stop at 80 °C."
    assert last == ChatDelta(finish_reason="stop", tokens=TokenCount(11, 3))
    assert [(usage.charge, usage.model, usage.tokens, usage.outcome) for usage in meter.usages] == [
        (CHARGE, "scripted-1", TokenCount(11, 3), "done")
    ]


async def test_the_request_is_what_openai_describes(engine, model):
    await answer(engine)

    asked = model.requests[0]
    assert asked["model"] == "scripted-1"
    assert asked["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "When do pumps stop?"},
    ]
    assert (asked["stream"], asked["max_tokens"], asked["temperature"]) == (True, 50, 0)


async def test_an_engine_that_does_not_count_is_counted_from_above(engine, model):
    model.script = Script(counts_tokens=False)

    tokens = (await answer(engine))[-1].tokens

    assert tokens.completion == 3
    assert tokens.prompt > len(["Be", "brief.", "When", "do", "pumps", "stop?"])


@pytest.mark.parametrize(
    ("script", "error"),
    [
        (Script(status=401), EngineRefused),
        (Script(status=404), EngineRefused),
        (Script(status=400), EngineRefused),
        (Script(status=429), EngineUnavailable),
        (Script(status=500), EngineUnavailable),
        (Script(status=503), EngineUnavailable),
        (Script(after="break"), EngineUnavailable),
        (Script(after="blanks"), EngineLoops),
        (Script(raw=b"data: {not json\n\n"), EngineRefused),
        (Script(raw=b"data: [1, 2]\n\n"), EngineRefused),
        (Script(raw=b'data: {"choices": "none"}\n\n'), EngineRefused),
        (Script(raw=b'data: {"error": {"message": "out of memory"}}\n\n'), EngineUnavailable),
        (Script(raw=b"<html>hello</html>"), EngineUnavailable),
        (Script(raw=b""), EngineUnavailable),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else repr(value.raw or value.after + str(value.status)),
)
async def test_a_fault_of_the_engine_is_one_of_our_errors(engine, model, script, error):
    await engine.info()
    model.script = script

    with pytest.raises(error) as raised:
        await answer(engine)

    assert type(raised.value) is error


@pytest.mark.parametrize("pings", [False, True], ids=["silent", "with signs of life but no text"])
async def test_an_engine_that_writes_nothing_for_too_long_is_given_up(model, meter, pings):
    engine = OpenAIChatEngine(lambda: ModelServer(model.url, model.key), meter=meter, settings=IMPATIENT)
    model.script = Script(after="hang", pings=pings)

    with pytest.raises(EngineTimeout):
        await answer(engine)

    assert [(usage.tokens.completion, usage.outcome) for usage in meter.usages] == [(3, "engine_timeout")]
    await engine.aclose()


async def test_closing_the_iterator_closes_the_connection_and_what_was_written_is_paid(engine, model, meter):
    model.script = Script(after="hang", pings=True)
    async with aclosing(engine.stream(QUESTION, max_tokens=50, temperature=0, charge=CHARGE)) as deltas:
        assert (await anext(deltas)).text == "Pumps "

    assert await asyncio.to_thread(model.hung_up.wait, 10)
    assert [(usage.tokens.completion >= 1, usage.outcome) for usage in meter.usages] == [(True, "stopped")]


async def test_a_cancelled_task_is_written_down_too(engine, model, meter):
    model.script = Script(after="hang", pings=True)
    task = asyncio.create_task(answer(engine))
    while not model.requests:
        await asyncio.sleep(0.01)
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task

    assert await asyncio.to_thread(model.hung_up.wait, 10)
    assert [usage.outcome for usage in meter.usages] == ["stopped"]


async def test_nobody_listening_is_unavailable_and_costs_nothing(meter):
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{bound.getsockname()[1]}/v1"
        engine = OpenAIChatEngine(lambda: ModelServer(url), meter=meter, settings=PATIENT)
        with pytest.raises(EngineUnavailable):
            await answer(engine)
        await engine.aclose()

    assert meter.usages == []


async def test_no_engine_at_all_is_unavailable(meter):
    engine = OpenAIChatEngine(lambda: None, meter=meter, settings=PATIENT)

    with pytest.raises(EngineUnavailable, match="LLM_BASE_URL"):
        await engine.info()


@pytest.mark.parametrize(("wanted", "found"), [("", "scripted-1"), ("scripted-2", "scripted-2"), ("hidden", "hidden")])
async def test_the_model_is_the_named_one_or_the_first(model, meter, wanted, found):
    engine = OpenAIChatEngine(lambda: ModelServer(model.url, model.key, wanted), meter=meter, settings=PATIENT)

    assert (await engine.info()).model == found
    await engine.aclose()


@pytest.mark.parametrize(("told", "window"), [(2048, 2048), (None, 3000)], ids=["the server's", "the setting's"])
async def test_the_window_is_the_servers_or_the_settings(model, meter, told, window):
    model.window_tokens = told
    settings = InferenceSettings(LLM_WINDOW_TOKENS=3000)
    engine = OpenAIChatEngine(lambda: ModelServer(model.url, model.key), meter=meter, settings=settings)

    assert (await engine.info()).window_tokens == window
    await engine.aclose()


async def test_tokens_are_counted_by_the_engine_else_estimated_from_above(engine, model):
    text = "one two three four"
    assert await engine.count_tokens(text) == 4

    model.has_tokenize = False
    assert await engine.count_tokens(text) >= 4


async def test_an_engine_that_comes_back_as_another_is_asked_again(engine, model):
    await engine.info()
    model.script = Script(status=404)
    with pytest.raises(TrellisError):
        await answer(engine)

    model.script, model.names = Script(), ("successor",)
    await answer(engine)

    assert model.requests[-1]["model"] == "successor"

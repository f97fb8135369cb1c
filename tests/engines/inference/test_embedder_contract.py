"""What every embedder must do: the hash model in this process, our own process with the real model, and a foreign server that only knows OpenAI's protocol."""

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import numpy as np
import psutil
import pytest

from common.errors import EngineRefused, EngineUnavailable, InvalidInput
from config.embedded.embedder import EmbedderEngine
from config.embedded.state import read_state
from inference.conf import InferenceSettings
from inference.hash_embedder import HashEmbedder
from inference.hash_model import HashModel
from inference.http_embedder import HttpEmbedder
from inference.http_question_embedder import HttpQuestionEmbedder
from inference.ports import Embedder, QuestionEmbedder
from inference.types import Charge, ModelServer, Purpose
from tests.meters import ListMeter
from tests.scripted_model import Script, ScriptedModel

CHARGE = Charge(Purpose.INDEX, department_id=uuid4(), kb_id=uuid4(), document_id=uuid4())
TEXTS = ["The pump stops at 80 °C.", "水温超过八十度时，水泵会自动停机。", "Invoices are paid within 30 days."]
SETTINGS = InferenceSettings(EMBEDDING_BATCH=2, EMBEDDING_PATIENCE_S=0)


class EmbedderContract:
    """The tests; a subclass gives `embedder` and `question_embedder`, both with `meter`."""

    @pytest.fixture
    def meter(self) -> ListMeter:
        return ListMeter()

    def test_it_says_what_it_is(self, embedder: Embedder):
        info = embedder.info()

        assert info.model
        assert info.dims > 0
        assert info.window_tokens >= 128
        assert len(info.fingerprint) == 64
        assert embedder.info() == info

    def test_vectors_have_length_one_and_stand_in_the_order_of_the_texts(self, embedder: Embedder):
        together = embedder.embed(TEXTS, kind="passage", charge=CHARGE)
        alone = np.concatenate([embedder.embed([text], kind="passage", charge=CHARGE) for text in TEXTS])

        assert together.shape == (3, embedder.info().dims)
        assert together.dtype == np.float32
        assert np.linalg.norm(together, axis=1) == pytest.approx(np.ones(3), abs=1e-3)
        assert together == pytest.approx(alone, abs=1e-3)

    def test_no_texts_give_no_rows_and_cost_nothing(self, embedder: Embedder, meter: ListMeter):
        embedder.info()
        meter.usages.clear()

        assert embedder.embed([], kind="passage", charge=CHARGE).shape == (0, embedder.info().dims)
        assert embedder.count_tokens([]) == []
        assert meter.usages == []

    @pytest.mark.parametrize("empty", ["", " \n\t"])
    def test_an_empty_text_is_refused_with_its_place(self, embedder: Embedder, empty: str):
        with pytest.raises(InvalidInput) as refused:
            embedder.embed(["fine", "fine", empty], kind="passage", charge=CHARGE)

        assert refused.value.extra["index"] == 2

    @pytest.mark.parametrize("word", ["pump ", "泵"])
    def test_a_text_over_the_window_is_refused_with_its_place_and_never_cut(self, embedder: Embedder, word: str):
        long = word * 3 * embedder.info().window_tokens

        with pytest.raises(InvalidInput) as refused:
            embedder.embed(["fine", "fine", long], kind="passage", charge=CHARGE)

        assert refused.value.extra["index"] == 2
        assert refused.value.extra["tokens"] > embedder.info().window_tokens

    def test_tokens_are_counted_beyond_the_window(self, embedder: Embedder):
        short, long = embedder.count_tokens(["pump", "pump " * 2000])

        assert 1 <= short < 20
        assert long >= 2000

    def test_each_call_is_written_down_for_who_pays(self, embedder: Embedder, meter: ListMeter):
        embedder.info()
        meter.usages.clear()
        embedder.embed(TEXTS, kind="passage", charge=CHARGE)

        assert {usage.charge for usage in meter.usages} == {CHARGE}
        assert sum(usage.tokens.prompt for usage in meter.usages) >= 15
        assert {(usage.task, usage.outcome, usage.tokens.completion) for usage in meter.usages} == {
            ("embed", "done", 0)
        }

    async def test_a_question_is_the_same_model(
        self, embedder: Embedder, question_embedder: QuestionEmbedder, meter: ListMeter
    ):
        found = await question_embedder.embed_question(TEXTS[1], charge=CHARGE)

        assert found == pytest.approx(embedder.embed([TEXTS[1]], kind="query", charge=CHARGE)[0], abs=1e-3)
        assert meter.usages[-1].charge == CHARGE

    async def test_a_question_over_the_window_is_refused(self, question_embedder: QuestionEmbedder):
        with pytest.raises(InvalidInput):
            await question_embedder.embed_question("pump " * 2000, charge=CHARGE)

    @pytest.mark.parametrize("odd", ["a\0b", "😀", "\u202eevil", "x" * 400])
    def test_odd_texts_have_vectors(self, embedder: Embedder, odd: str):
        assert np.isfinite(embedder.embed([odd], kind="query", charge=CHARGE)).all()


class TestHashEmbedder(EmbedderContract):
    @pytest.fixture
    def embedder(self, meter: ListMeter) -> HashEmbedder:
        return HashEmbedder(meter=meter)

    @pytest.fixture
    def question_embedder(self, embedder: HashEmbedder) -> HashEmbedder:
        return embedder


class OverHttp(EmbedderContract):
    """Both clients against one server."""

    @pytest.fixture
    def embedder(self, server: ModelServer, meter: ListMeter) -> Iterator[HttpEmbedder]:
        made = HttpEmbedder(lambda: server, meter=meter, settings=SETTINGS)
        yield made
        made.close()

    @pytest.fixture
    async def question_embedder(self, server: ModelServer, meter: ListMeter):
        made = HttpQuestionEmbedder(lambda: server, meter=meter, settings=SETTINGS)
        yield made
        await made.aclose()

    async def test_a_wrong_key_is_refused(self, server: ModelServer):
        wrong = ModelServer(server.url, "wrong")
        embedder = HttpEmbedder(lambda: wrong, meter=ListMeter(), settings=SETTINGS)
        question_embedder = HttpQuestionEmbedder(lambda: wrong, meter=ListMeter(), settings=SETTINGS)

        with pytest.raises(EngineRefused):
            embedder.embed(TEXTS, kind="passage", charge=CHARGE)
        with pytest.raises(EngineRefused):
            await question_embedder.embed_question("pump", charge=CHARGE)
        embedder.close()
        await question_embedder.aclose()


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbedderEngine]:
    made = EmbedderEngine(Path(tmp_path_factory.mktemp("embedder")))
    made.start()
    yield made
    made.stop()


@pytest.mark.engine
class TestOurProcess(OverHttp):
    @pytest.fixture
    def server(self, engine: EmbedderEngine) -> ModelServer:
        return ModelServer(engine.url, engine.password)

    def test_meaning_is_near_across_languages(self, embedder: HttpEmbedder):
        english, chinese, invoices = embedder.embed(TEXTS, kind="passage", charge=CHARGE)
        question = embedder.embed(["When does the pump stop?"], kind="query", charge=CHARGE)[0]

        assert min(question @ english, question @ chinese) > question @ invoices

    def test_it_listens_on_loopback_only_and_lets_the_web_server_go_first(self, engine: EmbedderEngine):
        process = psutil.Process(read_state(engine.data, engine.name).pid)

        listening = {
            address.laddr.ip for address in process.net_connections("tcp") if address.status == psutil.CONN_LISTEN
        }
        assert listening == {"127.0.0.1"}
        assert process.nice() > psutil.Process().nice()

    def test_a_question_and_a_passage_are_embedded_differently(self, embedder: HttpEmbedder):
        question = embedder.embed(TEXTS[:1], kind="query", charge=CHARGE)
        passage = embedder.embed(TEXTS[:1], kind="passage", charge=CHARGE)

        assert not np.allclose(question, passage, atol=1e-3)

    async def test_a_server_that_is_started_anew_is_found_again(
        self, engine: EmbedderEngine, embedder: HttpEmbedder, question_embedder: HttpQuestionEmbedder
    ):
        before = embedder.embed(TEXTS, kind="passage", charge=CHARGE)
        await question_embedder.embed_question("pump", charge=CHARGE)
        engine.stop()
        with pytest.raises(EngineUnavailable):
            embedder.embed(TEXTS, kind="passage", charge=CHARGE)
        with pytest.raises(EngineUnavailable):
            await question_embedder.embed_question("pump", charge=CHARGE)

        engine.start()

        assert np.array_equal(embedder.embed(TEXTS, kind="passage", charge=CHARGE), before)
        assert len(await question_embedder.embed_question("pump", charge=CHARGE)) == embedder.info().dims


class TestForeignServer(OverHttp):
    @pytest.fixture
    def model(self) -> Iterator[ScriptedModel]:
        with ScriptedModel() as model:
            yield model

    @pytest.fixture
    def server(self, model: ScriptedModel) -> ModelServer:
        return ModelServer(model.url, model.key)

    def test_the_spelled_out_prefixes_are_sent_and_nothing_that_openai_does_not_know(self, server, model, meter):
        settings = InferenceSettings(EMBEDDING_QUERY_PREFIX="query: ", EMBEDDING_PASSAGE_PREFIX="passage: ")
        embedder = HttpEmbedder(lambda: server, meter=meter, settings=settings)
        embedder.info()
        model.requests.clear()

        embedder.embed(["a"], kind="query", charge=CHARGE)
        embedder.embed(["a"], kind="passage", charge=CHARGE)

        assert [request["input"] for request in model.requests] == [["query: a"], ["passage: a"]]
        assert set(model.requests[0]) == {"model", "input", "encoding_format"}
        embedder.close()

    @pytest.mark.parametrize("status", [429, 500, 503])
    def test_a_busy_server_is_waited_for(self, server, model, meter, status):
        embedder = HttpEmbedder(lambda: server, meter=meter, settings=InferenceSettings(EMBEDDING_PATIENCE_S=30))
        embedder.info()
        model.script = Script(status=status)
        model.recovers_after = 3

        assert len(embedder.embed(TEXTS, kind="passage", charge=CHARGE)) == 3
        embedder.close()

    def test_vectors_of_two_models_are_never_mixed(self, server, model, meter):
        settings = InferenceSettings(EMBEDDING_PATIENCE_S=30, EMBEDDING_BATCH=1)
        embedder = HttpEmbedder(lambda: server, meter=meter, settings=settings)
        embedder.info()
        model.script, model.recovers_after = Script(status=503), 2
        model.embeddings_model = HashModel(dims=64, seed="another")

        with pytest.raises(EngineUnavailable, match="another model"):
            embedder.embed(TEXTS, kind="passage", charge=CHARGE)
        assert len(embedder.embed(TEXTS, kind="passage", charge=CHARGE)) == 3
        embedder.close()

    @pytest.mark.parametrize(("status", "error"), [(400, InvalidInput), (404, EngineRefused), (503, EngineUnavailable)])
    def test_a_refusal_is_one_of_our_errors(self, server, model, embedder, status, error):
        embedder.info()
        model.script = Script(status=status)

        with pytest.raises(error):
            embedder.embed(TEXTS, kind="passage", charge=CHARGE)

    @pytest.mark.parametrize(
        "answer", [{}, {"data": []}, {"data": [{"index": 0, "embedding": [0, 0]}]}, {"data": "none"}, []], ids=repr
    )
    def test_nonsense_is_refused(self, server, model, embedder, answer):
        embedder.info()
        model.embedding_answer = answer

        with pytest.raises(EngineRefused):
            embedder.embed(["a"], kind="passage", charge=CHARGE)


def test_a_model_name_that_nobody_told_is_asked_for():
    with ScriptedModel(names=()) as model:
        embedder = HttpEmbedder(lambda: ModelServer(model.url, model.key), meter=ListMeter(), settings=SETTINGS)
        with pytest.raises(EngineRefused, match="EMBEDDING_MODEL"):
            embedder.info()
        embedder.close()

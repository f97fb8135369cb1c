"""An engine that is stopped (SIGSTOP: its socket still takes connections and says nothing) costs its part of the answer, never the answer."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from inference.http_question_embedder import HttpQuestionEmbedder
from inference.openai_engine import OpenAIChatEngine
from inference.types import ModelServer
from tests.factories import make_tools
from tests.meters import ListMeter

PUMP = "# Pump handbook\n\nThe pump P-100 stops at 80 °C. It starts again by itself when it has cooled down.\n"
QUESTION = "At what temperature does the pump P-100 stop?"
ANSWER_LIMIT_S = 60
SERVE = """
import time
from inference.hash_model import HashModel
from tests.scripted_model import ScriptedModel
with ScriptedModel(embeddings_model=HashModel(dims=384)) as model:
    print(model.url, flush=True)
    time.sleep(600)
"""


@pytest.fixture
def engine_process(settings) -> Iterator[tuple[ModelServer, int]]:
    """A scripted model in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE],
        cwd=settings.BASE_DIR,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"},
    )
    assert process.stdout is not None
    url = process.stdout.readline().strip()
    yield ModelServer(url, "scripted-key"), process.pid
    process.kill()
    process.communicate()


def tools_with(server, *, model: bool, limit_s: float = 1.0):
    meter = ListMeter()
    embedder = HttpQuestionEmbedder(lambda: server, meter=meter)
    engine = OpenAIChatEngine(lambda: server, meter=meter) if model else None
    limits = {"embed_limit_s": limit_s, "generate_limit_s": limit_s, "answer_limit_s": ANSWER_LIMIT_S}
    made = make_tools(embedder=embedder if not model else None, engine=engine, **limits)
    object.__setattr__(made, "closing", tuple(part.aclose for part in (embedder, engine) if part))
    return made


def test_a_stopped_embedder_leaves_the_words(corpus, ask, engine_process):
    corpus.read("pump.md", PUMP)
    server, pid = engine_process
    os.kill(pid, signal.SIGSTOP)

    answer = ask(QUESTION, used=tools_with(server, model=False))

    assert answer.found
    assert "80 °C" in answer.text
    assert answer.degraded == ("embed:timeout",)
    assert answer.took_ms < ANSWER_LIMIT_S * 1000


def test_a_stopped_model_leaves_the_excerpts(corpus, ask, engine_process):
    corpus.read("pump.md", PUMP)
    server, pid = engine_process
    os.kill(pid, signal.SIGSTOP)

    answer = ask(QUESTION, used=tools_with(server, model=True))

    assert answer.answerer == "quote"
    assert "80 °C" in answer.text
    assert answer.degraded == ("model:timeout",)
    assert answer.took_ms < ANSWER_LIMIT_S * 1000


def test_an_engine_that_goes_on_is_used_again(corpus, ask, engine_process):
    corpus.read("pump.md", PUMP)
    server, pid = engine_process
    os.kill(pid, signal.SIGSTOP)
    assert ask(QUESTION, used=tools_with(server, model=False)).degraded
    os.kill(pid, signal.SIGCONT)

    assert ask(QUESTION, used=tools_with(server, model=False, limit_s=60)).degraded == ()

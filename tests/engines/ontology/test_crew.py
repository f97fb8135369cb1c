"""S4, small: calls are in flight together and a free place is taken at once. What a call raises ends the whole, after the answers that came with it."""

from dataclasses import replace
from uuid import uuid4

import pytest

from common.errors import EngineRefused
from inference.types import Charge, Purpose
from ontology.model_reading.ask import Asker, Limits
from ontology.model_reading.crew import Crew
from ontology.model_reading.gate import Gate
from ontology.model_reading.question import ChunkText, Questions
from ontology.types import CompiledSkeleton, EntityClass, Where
from tests.reading_model import reader_of, says_facts
from tests.scripted_model import Script, ScriptedModel

SKELETON = CompiledSkeleton({"System": EntityClass("System")}, {}, "small")
IN_FLIGHT = 16


def asked(count):
    questions = Questions(SKELETON)
    return [questions.about(ChunkText(n, Where(0, 9), "", f"Text {n}", uuid4())) for n in range(count)]


def answers(model, count, may_ask=lambda _question, _is_idle: True):
    reader = reader_of(model)
    with Crew(IN_FLIGHT, closing=reader.let_go) as crew:
        info = crew.wait_for(reader.engine.info())
        charge = Charge(Purpose.EXTRACT)
        asker = Asker(reader.engine, info, Questions(SKELETON).schema, charge, Gate(IN_FLIGHT), Limits(500, 30))
        for some in crew.answers(iter(asked(count)), asker.ask, may_ask):
            yield from some


def test_the_engine_is_kept_full():
    """Each call is answered only when the place of the one before it was taken, while all others are still in flight."""
    count = 96

    def answer(_body):
        needed = min(len(model.requests) - 1 + IN_FLIGHT, count)
        return replace(says_facts(), may_begin=lambda: len(model.requests) >= needed)

    with ScriptedModel(window_tokens=4096) as model:
        model.answering = answer
        found = list(answers(model, count))

    assert sorted(each.question.chunk.ordinal for each in found) == list(range(count))
    assert model.peak == IN_FLIGHT


def test_one_that_may_not_go_yet_is_asked_for_again_when_others_are_back():
    waiting: list[bool] = []

    def may_ask(_question, is_idle):
        waiting.append(is_idle)
        return is_idle

    with ScriptedModel(window_tokens=4096) as model:
        model.script = says_facts()
        assert len(list(answers(model, 5, may_ask))) == 5

    assert model.peak == 1
    assert not all(waiting)


def test_a_wrong_key_ends_it():
    with ScriptedModel(window_tokens=4096) as model:
        model.answering = lambda _body: Script(status=401)
        with pytest.raises(EngineRefused):
            list(answers(model, 5))


def test_leaving_early_ends_the_calls_that_are_in_flight():
    first = replace(says_facts(), may_begin=lambda: model.flying == IN_FLIGHT)
    with ScriptedModel(window_tokens=4096) as model:
        model.answering = lambda body: first if "Text 0" in body["messages"][1]["content"] else Script(after="hang")
        next(answers(model, 20))
        assert model.hung_up.wait(60)

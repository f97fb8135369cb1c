"""Extraction by the model that LLM_BASE_URL, LLM_API_KEY and LLM_MODEL name, for measuring: the questions, findings and check of the ordinary way, many texts in flight. Nothing is stored."""

from collections.abc import Coroutine, Iterable, Iterator
from itertools import tee
from typing import Any
from uuid import UUID

from inference.types import Charge, Purpose
from ontology.check import check
from ontology.conf import ontology_settings
from ontology.model_reading.ask import Answer, Asker, Limits
from ontology.model_reading.binding import Reader
from ontology.model_reading.crew import Crew
from ontology.model_reading.findings import broken, findings
from ontology.model_reading.gate import Gate
from ontology.model_reading.ground import Ground
from ontology.model_reading.question import ChunkText, Question, Questions
from ontology.types import Checked, CompiledSkeleton, Decisions, Where

NO_CONTENT = UUID(int=0)


class ByModel:
    """Gives what was found in each text, in their order. Raises EngineUnavailable, EngineRefused."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.questions: dict[str, Questions] = {}

    def __call__(self, texts: Iterable[tuple[str, CompiledSkeleton]]) -> Iterator[Checked]:
        settings = ontology_settings()
        asked, told = tee(texts)
        gate = Gate(settings.extract_in_flight)
        limits = Limits(settings.extract_answer_tokens, settings.extract_call_s)
        with Crew(settings.extract_in_flight, closing=self.reader.let_go) as crew:
            info = crew.wait_for(self.reader.engine.info())
            askers: dict[int, Asker] = {}

            def to_ask() -> Iterator[Question]:
                for ordinal, (text, skeleton) in enumerate(asked):
                    questions = self.questions_of(skeleton)
                    askers[ordinal] = Asker(
                        self.reader.engine, info, questions.schema, Charge(Purpose.EXTRACT), gate, limits
                    )
                    yield questions.about(ChunkText(ordinal, Where(0, len(text)), "", text, NO_CONTENT))

            def ask(question: Question) -> Coroutine[Any, Any, Answer]:
                return askers[question.chunk.ordinal].ask(question)

            answers: dict[int, Answer] = {}
            coming = crew.answers(to_ask(), ask, lambda _question, _is_idle: True)
            for ordinal, (text, skeleton) in enumerate(told):
                while ordinal not in answers:
                    answers |= {each.question.chunk.ordinal: each for each in next(coming)}
                yield checked(answers.pop(ordinal), text, skeleton)
                del askers[ordinal]

    def questions_of(self, skeleton: CompiledSkeleton) -> Questions:
        """Made once for each schema."""
        if skeleton.fingerprint not in self.questions:
            self.questions[skeleton.fingerprint] = Questions(skeleton)
        return self.questions[skeleton.fingerprint]


def checked(answer: Answer, text: str, skeleton: CompiledSkeleton) -> Checked:
    """As a chunk of its own."""
    if answer.error:
        raise answer.error
    where = Where(0, len(text))
    if answer.output is None:
        return Checked((), (broken(where, answer.fault),))
    found = findings(answer.output, Ground.of(text, where), where, "")
    passed = check(found.found, text, skeleton, Decisions())
    return Checked(passed.accepted, (*passed.rejected, *found.rejected))

"""Ask a model about one chunk. Given a question; gives an answer, which may be a fault: nothing that concerns one chunk alone is raised.

What an engine can't do now (429, 503, silence) is tried again, more slowly. An answer that was cut off, is white space or has no form is asked for once more in another way, so a chunk costs two
bounded calls at most.
"""

import asyncio
import random
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from common.errors import EngineLoops, EngineRefused, EngineTimeout, EngineUnavailable, TrellisError
from inference.ports import ChatEngine
from inference.types import Charge, ChatDelta, ChatMessage, EngineInfo
from ontology.model_reading.forms import Form, KnownForm
from ontology.model_reading.gate import Gate
from ontology.model_reading.output import Output, read_output
from ontology.model_reading.question import Question

TRIES_BUSY, TRIES_AWAY = 8, 3
FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 30.0
LEAST_ANSWER = 128
RESERVE = 16
NOT_FOR_US = (401, 403, 404)
BRIEFLY = {
    "en": "\n\nBe brief: at most ten of each list, the most important ones.",
    "zh": "\n\n请简短：每个列表最多十项，只写最重要的。",
}


@dataclass(frozen=True, slots=True)
class Limits:
    """Of one call."""

    answer_tokens: int
    call_s: float


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a question: an output, and in `fault` the code of what is wrong with it (or why there is none); `error` where no engine answered."""

    question: Question
    output: Output | None = None
    fault: str = ""
    tokens: int = 0
    error: TrellisError | None = None


@dataclass(slots=True)
class Said:
    """What one call has given so far."""

    text: str = ""
    end: str = ""
    tokens: int = 0
    pieces: int = 0

    def take(self, delta: ChatDelta, prompt_tokens: int) -> None:
        self.text += delta.text
        self.pieces += bool(delta.text)
        self.end = delta.finish_reason or self.end
        self.tokens = delta.tokens.prompt + delta.tokens.completion if delta.tokens else prompt_tokens + self.pieces


@dataclass(slots=True)
class Asker:
    """Asks one engine for one document. All that a chunk's calls have said stands in a list, `spent`, in their order, so that none goes unpaid."""

    engine: ChatEngine
    info: EngineInfo
    schema: Mapping[str, Any]
    charge: Charge
    gate: Gate
    limits: Limits
    known: KnownForm = field(default_factory=KnownForm)

    async def ask(self, question: Question) -> Answer:
        """Raises EngineRefused when the engine will not work for us at all."""
        room = min(self.limits.answer_tokens, self.info.window_tokens - question.prompt_tokens - RESERVE)
        if room < LEAST_ANSWER:
            return Answer(question, fault="too_long")
        spent: list[Said] = []
        try:
            form = await self._in_form(question, room, spent)
            first = outcome(question, spent)
            if not first.fault:
                return first
            await self._patiently(briefly(question), form.looser, room, spent)
            return better(first, outcome(question, spent))
        except EngineUnavailable as error:
            return Answer(question, fault=error.code, tokens=total(spent), error=error)
        except EngineRefused as error:
            if error.extra.get("answered") in NOT_FOR_US:
                raise
            told = outcome(question, spent)
            return told if told.output else Answer(question, fault=error.code, tokens=total(spent))

    async def _in_form(self, question: Question, room: int, spent: list[Said]) -> Form:
        """In the strictest form that the engine takes. Raises EngineRefused when it takes none."""
        form, was_refused = self.known.form, False
        while True:
            try:
                await self._patiently(question, form, room, spent)
            except EngineRefused as error:
                if error.extra.get("answered") in NOT_FOR_US or form is form.looser:
                    raise
                form, was_refused = form.looser, True
                continue
            self.known.took(form, after_refusal=was_refused)
            return form

    async def _patiently(self, question: Question, form: Form, room: int, spent: list[Said]) -> None:
        """One call, tried again while the engine can't. Raises EngineUnavailable in the end, EngineRefused at once."""
        tries = 0
        while True:
            try:
                async with self.gate.passed():
                    await self._once(question, form, room, spent)
                self.gate.went_well()
                return
            except EngineUnavailable as error:
                tries += 1
                self.gate.too_many()
                if tries >= (TRIES_BUSY if "retry_after_s" in error.extra else TRIES_AWAY):
                    raise
                self.gate.close_for(wait_s(error, tries))

    async def _once(self, question: Question, form: Form, room: int, spent: list[Said]) -> None:
        """What was said stands in `spent`, however it ended."""
        said = Said()
        try:
            async with asyncio.timeout(self.limits.call_s), aclosing(self._deltas(question, form, room)) as deltas:
                async for delta in deltas:
                    said.take(delta, question.prompt_tokens)
        except EngineLoops:
            said.end = "blanks"
        except TimeoutError as error:
            message = _("The model took more than %(seconds)g s for one passage.") % {"seconds": self.limits.call_s}
            raise EngineTimeout(message) from error
        finally:
            if said.pieces or said.end:
                spent.append(said)

    def _deltas(self, question: Question, form: Form, room: int) -> AsyncGenerator[ChatDelta, None]:
        return self.engine.stream(
            question.messages,
            max_tokens=room,
            temperature=0,
            charge=self.charge,
            response_format=form.asked_for(self.schema),
        )


def outcome(question: Question, spent: list[Said]) -> Answer:
    """Of the last call; with what all of them cost."""
    said = spent[-1] if spent else Said()
    output = read_output(said.text)
    fault = "" if output and output.is_whole and said.end == "stop" else fault_of(said, output)
    return Answer(question, output, fault, total(spent))


def fault_of(said: Said, output: Output | None) -> str:
    """In one word."""
    if said.end == "blanks":
        return "white_space"
    if said.end == "length" or (output and not output.is_whole):
        return "cut_off"
    return "" if output else "no_json"


def better(first: Answer, second: Answer) -> Answer:
    """The one that says more: whole before cut off, then the longer."""

    def rank(answer: Answer) -> tuple[bool, bool, int]:
        return (answer.output is not None, not answer.fault, answer.output.size if answer.output else 0)

    chosen = second if rank(second) >= rank(first) else first
    return Answer(chosen.question, chosen.output, chosen.fault, second.tokens)


def briefly(question: Question) -> Question:
    """The same with the wish for a shorter answer."""
    *before, last = question.messages
    asked = ChatMessage(last.role, last.content + BRIEFLY["zh" if "文本：" in last.content[:200] else "en"])
    return Question(question.chunk, (*before, asked), question.prompt_tokens)


def total(spent: list[Said]) -> int:
    return sum(said.tokens for said in spent)


def wait_s(error: EngineUnavailable, tries: int) -> float:
    """What the engine asks for, else longer each time; never all at the same moment."""
    wanted = error.extra.get("retry_after_s") or min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** (tries - 1))
    return float(wanted) * random.uniform(1.0, 1.2)  # noqa: S311

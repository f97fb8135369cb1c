"""One question to the model of this process, asked once and bounded: in the strictest form of answer that it takes, for so many seconds and tokens, never again.

What it has said when its time is over counts; whoever asks reads it leniently.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

import structlog

from common.errors import EngineLoops, EngineRefused, TrellisError
from inference.tokens import estimate_tokens
from inference.types import Charge, ChatMessage
from ontology.model_reading.ask import LEAST_ANSWER, NOT_FOR_US, RESERVE, Limits, Said
from ontology.model_reading.binding import Reader, reader
from ontology.model_reading.forms import Form
from ontology.model_reading.question import AROUND_MESSAGES

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Reply:
    """What it said, whatever that is; `fault` is the code of why it said no more: "too_long" (nobody was asked), "timeout", "cut_off", or that of an error."""

    text: str = ""
    tokens: int = 0
    fault: str = ""
    model: str = ""


def ask_once(messages: Sequence[ChatMessage], schema: Mapping[str, Any], charge: Charge, limits: Limits) -> Reply:
    """For code that is not asynchronous and holds no transaction. Raises nothing that concerns the model."""
    try:
        model = reader()
    except TrellisError as error:
        return Reply(fault=error.code)
    reply = asyncio.run(asked(model, messages, schema, charge, limits))
    model.settle()
    return reply


async def asked(
    model: Reader, messages: Sequence[ChatMessage], schema: Mapping[str, Any], charge: Charge, limits: Limits
) -> Reply:
    said, fault, name = Said(), "", ""
    prompt_tokens = prompt_tokens_of(messages)
    try:
        async with asyncio.timeout(limits.call_s):
            info = await model.engine.info()
            name = info.model
            room = min(limits.answer_tokens, info.window_tokens - prompt_tokens - RESERVE)
            if room < LEAST_ANSWER:
                return Reply(fault="too_long", model=name)
            await in_some_form(model, messages, schema, charge, room, said)
            fault = "" if said.end == "stop" else "cut_off"
    except TimeoutError:
        fault = "timeout"
    except EngineLoops as error:
        fault = error.code
    except TrellisError as error:
        log.info("proposing.not_answered", error=str(error))
        fault = error.code
    finally:
        await model.let_go()
    return Reply(said.text, said.tokens, fault, name)


async def in_some_form(
    model: Reader, messages: Sequence[ChatMessage], schema: Mapping[str, Any], charge: Charge, room: int, said: Said
) -> None:
    """An engine that refuses a form of answer has said nothing in it. Raises what the last form raises."""
    form = Form.SCHEMA
    while True:
        deltas = model.engine.stream(
            messages, max_tokens=room, temperature=0, charge=charge, response_format=form.asked_for(schema)
        )
        try:
            async with aclosing(deltas):
                async for delta in deltas:
                    said.take(delta, prompt_tokens_of(messages))
            return
        except EngineRefused as error:
            if said.pieces or form is form.looser or error.extra.get("answered") in NOT_FOR_US:
                raise
            form = form.looser


def prompt_tokens_of(messages: Sequence[ChatMessage]) -> int:
    """Estimated from above."""
    return sum(estimate_tokens(each.content) for each in messages) + AROUND_MESSAGES

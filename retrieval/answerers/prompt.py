"""The prompt of the model answerer: numbered sources and the question, in at most so many tokens, a tenth of them in reserve.

Tokens are counted by the engine's own tokenizer. The words stand in `templates/prompts/`; what documents and people wrote is only ever filled in.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string

from inference.ports import ChatEngine
from inference.types import ChatMessage
from retrieval.pack import within_budget
from retrieval.types import Passage, Question

RESERVE = 0.1
LANGUAGES = {"zh": "Chinese (中文)", "en": "English"}
# What a chat template adds to a message, from above.
MESSAGE_TOKENS = 8
# What the frame of a source adds to its text, from above.
SOURCE_TOKENS = 16
_FRAME = re.compile(r"</?\s*source\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Prompt:
    """Messages for the engine, and the passages behind the numbers (the first is 1)."""

    messages: tuple[ChatMessage, ...]
    passages: tuple[Passage, ...]


async def prompt_for(
    question: Question, passages: Sequence[Passage], engine: ChatEngine, *, limit_tokens: int
) -> Prompt:
    """A prompt of at most `limit_tokens` less a tenth. Raises EngineUnavailable."""
    budget = int(limit_tokens * (1 - RESERVE))
    frame = messages(question, ())
    used = sum([await engine.count_tokens(message.content) + MESSAGE_TOKENS for message in frame])

    async def count(text: str) -> int:
        return await engine.count_tokens(text) + SOURCE_TOKENS

    kept = await within_budget(passages, budget_tokens=budget - used, count=count)
    return Prompt(messages(question, kept), tuple(kept))


def messages(question: Question, passages: Sequence[Passage]) -> tuple[ChatMessage, ...]:
    sources = [
        {"title": framed(title_of(passage)).replace('"', "'"), "text": framed(passage.text)} for passage in passages
    ]
    system = render_to_string("prompts/answer_system.txt", {"language": LANGUAGES[question.language]})
    asked = render_to_string("prompts/answer_question.txt", {"sources": sources, "question": question.text})
    return ChatMessage("system", system.strip()), ChatMessage("user", asked.strip())


def title_of(passage: Passage) -> str:
    return " › ".join((passage.best.title, *passage.best.heading_path))


def framed(text: str) -> str:
    """Text that can't end its own frame."""
    return _FRAME.sub(lambda found: found.group().replace("<", "‹"), text)

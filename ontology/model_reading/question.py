"""What a model is asked about one chunk. Given a skeleton and a chunk; gives the messages and the form of the answer, and the fingerprint of all that is not the chunk."""

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.template.loader import render_to_string

from common.text import Language, language_of
from inference.tokens import estimate_tokens
from inference.types import ChatMessage
from ontology.skeleton.model_schema import model_schema
from ontology.skeleton.prompt import extraction_prompt
from ontology.types import CompiledSkeleton, Where

PROMPT_VERSION = 1
AROUND_MESSAGES = 24
LANGUAGES: tuple[Language, ...] = ("en", "zh")


@dataclass(frozen=True, slots=True)
class ChunkText:
    """A chunk as it is read."""

    ordinal: int
    where: Where
    context: str
    text: str
    content_hash: UUID


@dataclass(frozen=True, slots=True)
class Question:
    """One call to come; `prompt_tokens` are estimated from above."""

    chunk: ChunkText
    messages: tuple[ChatMessage, ...]
    prompt_tokens: int


@dataclass(frozen=True, slots=True)
class Told:
    """What stands before every text of one language, with its tokens."""

    words: str
    tokens: int


class Questions:
    """Makes them for one skeleton. `fingerprint` is another when anything but the text would be asked otherwise."""

    def __init__(self, skeleton: CompiledSkeleton) -> None:
        self.schema: dict[str, Any] = model_schema(skeleton)
        self.told: dict[Language, Told] = {language: told(skeleton, language) for language in LANGUAGES}
        schema = json.dumps(self.schema, sort_keys=True, ensure_ascii=False)
        words = " ".join(each.words for each in self.told.values())
        self.fingerprint = sha256(f"{PROMPT_VERSION} {words} {schema}".encode()).hexdigest()

    def about(self, chunk: ChunkText) -> Question:
        language = language_of(chunk.text)
        before = self.told[language]
        shown = {"context": chunk.context, "text": chunk.text}
        asked = render_to_string(f"prompts/extract_text_{language}.txt", shown).strip()
        messages = (ChatMessage("system", before.words), ChatMessage("user", asked))
        return Question(chunk, messages, before.tokens + estimate_tokens(asked) + AROUND_MESSAGES)


def told(skeleton: CompiledSkeleton, language: Language) -> Told:
    """The task, the skeleton and the form of the answer."""
    form = render_to_string(f"prompts/extract_form_{language}.txt").strip()
    words = f"{extraction_prompt(skeleton, language)}\n\n{form}"
    return Told(words, estimate_tokens(words))

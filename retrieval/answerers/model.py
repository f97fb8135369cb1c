"""The model answerer: any chat engine, one generating call, streamed sentence by sentence. What its source does not support is not said.

Given a question and passages, yields statements with the places that support them; nothing when the engine finds no answer or none of its sentences holds.
"""

from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import ClassVar

from inference.ports import ChatEngine
from retrieval.answer import Dropped, Piece, Place, Statement, Used
from retrieval.answerers.prompt import prompt_for
from retrieval.answerers.sentence_stream import CitedSentence, SentenceStream
from retrieval.answerers.support import supporting_span
from retrieval.conf import RetrievalSettings
from retrieval.lexical import Words
from retrieval.types import Passage, Question, Span

NOT_FOUND = "NOT_FOUND"


@dataclass(frozen=True, slots=True)
class ModelAnswerer:
    """Writes with a model, and answers for every sentence."""

    engine: ChatEngine
    words: Words
    settings: RetrievalSettings
    name: ClassVar[str] = "model"

    async def answer(self, question: Question, passages: Sequence[Passage]) -> AsyncGenerator[Piece]:
        """Raises EngineUnavailable, EngineTimeout, EngineRefused."""
        prompt = await prompt_for(question, passages, self.engine, limit_tokens=self.settings.prompt_tokens)
        if not prompt.passages:
            return
        written = SentenceStream()
        deltas = self.engine.stream(
            prompt.messages, max_tokens=self.settings.answer_tokens, temperature=0, charge=question.charge
        )
        async with aclosing(deltas) as stream:
            async for delta in stream:
                for sentence in written.take(delta.text):
                    yield self.checked(sentence, prompt.passages)
                if delta.tokens is not None:
                    yield Used(delta.tokens)
        for sentence in written.rest():
            yield self.checked(sentence, prompt.passages)

    def checked(self, sentence: CitedSentence, passages: Sequence[Passage]) -> Piece:
        """The statement with the places that support it, or the note that it was dropped."""
        if NOT_FOUND in sentence.text or not sentence.text.strip():
            return Dropped(0)
        places = tuple(self.places(sentence, passages))
        return Statement(places, sentence.text) if places else Dropped(1)

    def places(self, sentence: CitedSentence, passages: Sequence[Passage]) -> Iterator[Place]:
        """Where the cited sources support the sentence. One that cites nothing is given the first source that does."""
        cited = [passages[number - 1] for number in sentence.numbers if 1 <= number <= len(passages)]
        for passage in cited or ([] if sentence.numbers else passages):
            span = supporting_span(sentence.text.strip(), passage, self.words)
            if span is not None:
                yield place_in(passage, span)
                if not cited:
                    return


def place_in(passage: Passage, span: Span) -> Place:
    """The stretch as a place, without white space at its ends."""
    text = passage.cut(span.start, span.end)
    start = span.start + len(text) - len(text.lstrip())
    end = span.start + len(text.rstrip())
    holding = (found.source for found in passage.sources if found.source.start <= start < found.source.end)
    return Place(next(holding, passage.best), start, end, text.strip(), Span(start, end))

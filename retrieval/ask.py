"""The way through: answer one question from evidence, inside its deadline. Given a question, what may be searched, and tools; yields events, the answer last.

`trace` knows limits and fallbacks; whoever asks closes the generator (`aclosing`), which stops the work. "Nothing found" is an answer, not an exception.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from knowledge.policy import CorpusView
from retrieval.answer import Event, Nearest
from retrieval.draft import Draft
from retrieval.pack import pack
from retrieval.search import find
from retrieval.sources import sources_of
from retrieval.tools import Tools
from retrieval.trace import Trace
from retrieval.types import Found, FusedHit, Passage, Question

# So many chunks are read with what stands around them, and so many titles are named when nothing answers.
READ = 10
NEAREST = 3


async def ask(
    question: Question, view: CorpusView, tools: Tools, *, trace: Trace, answerer: str = "", draft: Draft | None = None
) -> AsyncGenerator[Event]:
    """Find, read, write. `answerer` is "quote", "model" or "" for the best there is; whoever fails or has nothing to say is followed by the next.

    A caller that wants what there is of an answer when it is stopped hands in the draft.
    """
    hits, _rankings = await find(question, view, tools, trace)
    passages = await trace.run("pack", read(hits, view, tools), otherwise=[])
    draft = draft or Draft(question.language)
    writers = tools.writers(answerer, trace)
    for writer in writers:
        draft.answerer = writer.name
        is_last = writer is writers[-1]
        pieces = trace.stream("generate", writer.answer(question, passages), part=writer.name, is_last=is_last)
        async with aclosing(pieces) as stream:
            async for piece in stream:
                for event in draft.take(piece):
                    yield event
        if draft.has_text:
            break
        if draft.dropped:
            trace.degraded.append(f"{writer.name}:unsupported")
    for event in draft.close():
        yield event
    yield draft.answer(trace, nearest(passages))


async def read(hits: Sequence[FusedHit], view: CorpusView, tools: Tools) -> list[Passage]:
    """The best hits with their surroundings, through the policy once more."""
    best = hits[:READ]
    sources = await sources_of(tools.database, view, [hit.chunk_id for hit in best])
    return await pack(tools.database, [Found(hit, sources[hit.chunk_id]) for hit in best if hit.chunk_id in sources])


def nearest(passages: Sequence[Passage]) -> tuple[Nearest, ...]:
    """The documents that came nearest, each once."""
    titles = {passage.best.document_id: passage.best.title for passage in passages}
    return tuple(Nearest(document, title) for document, title in list(titles.items())[:NEAREST])

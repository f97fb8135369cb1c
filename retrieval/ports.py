"""The roles of the way through. `config/wiring.py` says who plays them."""

from collections.abc import AsyncGenerator, Sequence
from typing import Protocol

from knowledge.policy import CorpusView
from retrieval.answer import Piece
from retrieval.types import Passage, Question, Ranking


class Arm(Protocol):
    """One way of finding chunks. It has no clock and no fallback: `trace` has those."""

    @property
    def name(self) -> str: ...

    async def rank(self, question: Question, view: CorpusView, *, limit: int) -> Ranking:
        """The best `limit` chunks inside the view. Raises EngineUnavailable when its engine can't be asked."""


class Answerer(Protocol):
    """Writes an answer from passages and nothing else."""

    @property
    def name(self) -> str: ...

    def answer(self, question: Question, passages: Sequence[Passage]) -> AsyncGenerator[Piece]:
        """Deltas and the citations they name; nothing at all when the passages hold no answer. Raises EngineUnavailable."""

"""Chooses among several servers of embedding models the one whose vectors are those of the active space.

Usually there is one, and this only sees that it is the right one. While a model is being changed there are two, and at the moment when the space is
switched questions go to the other. A model is recognised by its fingerprint, never by its name.
"""

from collections.abc import Awaitable, Callable, Sequence

from django.utils.translation import gettext as _

from common.errors import EngineRefused, EngineUnavailable
from inference.fingerprint import is_same
from inference.http_embedder import HttpEmbedder
from inference.http_question_embedder import HttpQuestionEmbedder
from inference.selectors import active_space
from inference.types import Charge, EmbedderInfo, TextKind, Vectors


class MatchingEmbedder:
    """Plays Embedder. `info` chooses anew; what follows stays with that choice, so that one document is embedded by one model."""

    def __init__(self, candidates: Sequence[HttpEmbedder]) -> None:
        self._candidates = candidates
        self._chosen = candidates[0]

    def info(self) -> EmbedderInfo:
        self._chosen = self._choose()
        return self._chosen.info()

    def embed(self, texts: Sequence[str], *, kind: TextKind, charge: Charge) -> Vectors:
        return self._chosen.embed(texts, kind=kind, charge=charge)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self._chosen.count_tokens(texts)

    def _choose(self) -> HttpEmbedder:
        space = active_space()
        if space is None or len(self._candidates) == 1:
            return self._candidates[0]
        for candidate in self._candidates:
            try:
                if is_same(candidate.info().fingerprint, space.fingerprint):
                    return candidate
            except (EngineUnavailable, EngineRefused):
                continue
        return self._candidates[0]


class MatchingQuestionEmbedder:
    """Plays QuestionEmbedder. `active_fingerprint` gives None before there is a space."""

    def __init__(
        self, candidates: Sequence[HttpQuestionEmbedder], *, active_fingerprint: Callable[[], Awaitable[str | None]]
    ) -> None:
        self._candidates = candidates
        self._active_fingerprint = active_fingerprint

    async def embed_question(self, text: str, *, charge: Charge) -> Vectors:
        chosen = await self._choose()
        return await chosen.embed_question(text, charge=charge)

    async def aclose(self) -> None:
        """Let this loop's connections go."""
        for candidate in self._candidates:
            await candidate.aclose()

    async def _choose(self) -> HttpQuestionEmbedder:
        """Raises EngineUnavailable when no server has the active space's model: vectors of two models can't be compared."""
        wanted = await self._active_fingerprint()
        away: EngineUnavailable | EngineRefused | None = None
        for candidate in self._candidates:
            try:
                if wanted is None or is_same((await candidate.info()).fingerprint, wanted):
                    return candidate
            except (EngineUnavailable, EngineRefused) as error:
                away = away or error
        raise away or EngineUnavailable(_("No embedder serves the model that the vectors in use were made with."))

"""The values that travel along the way through: from a question to hits, to passages, to an answer with its citations.

Offsets count code points in the version's canonical text, half open. Nothing here holds a row or a connection.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from common.text import Language, language_of
from inference.types import Charge


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and who pays for the models that are asked on the way. `vector` is None until, or unless, it could be embedded."""

    text: str
    charge: Charge
    vector: NDArray[np.float32] | None = field(default=None, compare=False, repr=False)

    @property
    def language(self) -> Language:
        return language_of(self.text)


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that an arm found; a higher score is better, scores of different arms are not comparable."""

    chunk_id: UUID
    score: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """What one arm found, best first, each chunk once. `model` is whose vectors were compared, where it was vectors."""

    arm: str
    hits: Sequence[Hit] = ()
    model: str = ""


@dataclass(frozen=True, slots=True)
class ArmPlace:
    """Where one arm put a chunk: rank from 1, its own score, and the model whose cosine that is."""

    rank: int
    score: float
    model: str = ""


@dataclass(frozen=True, slots=True)
class FusedHit:
    """A chunk with its fused score (0 to 1) and where each arm put it."""

    chunk_id: UUID
    score: float
    arms: Mapping[str, ArmPlace]


@dataclass(frozen=True, slots=True)
class Source:
    """A chunk with what is needed to show, pack and cite it."""

    chunk_id: UUID
    document_id: UUID
    version_id: UUID
    version: int
    kb_id: UUID
    title: str
    path: str
    language: str
    ordinal: int
    kind: str
    start: int
    end: int
    page: int | None
    context: str
    text: str
    heading_path: tuple[str, ...]
    section_start: int
    section_end: int
    page_starts: tuple[int, ...] = ()

    def page_at(self, offset: int) -> int | None:
        """The page on which this offset of the version stands, from 1; None where the format has no pages."""
        return bisect_right(self.page_starts, offset) or 1 if self.page_starts else self.page


@dataclass(frozen=True, slots=True)
class Found:
    """A source that search found, and how well."""

    hit: FusedHit
    source: Source


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of one block of a text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class BlockPart:
    """A stored block of a version (see `knowledge.types.Block`), as the question path reads it."""

    kind: str
    start: int
    end: int
    level: int
    parts: tuple[tuple[int, int], ...]
    header_parts: int


@dataclass(frozen=True, slots=True)
class Passage:
    """What an answerer reads: a found chunk with its neighbours inside their section.

    `text` is the version's text from `start` on; `blocks` are the parts of it that overlap. `score` is the fused score of its best chunk;
    `sources` are the chunks found in it, best first.
    """

    text: str
    start: int
    blocks: tuple[BlockPart, ...]
    sources: tuple[Found, ...]
    tokens: int = 0

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def best(self) -> Source:
        return self.sources[0].source

    @property
    def score(self) -> float:
        return self.sources[0].hit.score

    def cut(self, start: int, end: int) -> str:
        """The version's text between two of its own offsets, inside this passage."""
        return self.text[start - self.start : end - self.start]


def jsonable(value: Any) -> Any:
    """Plain lists, dicts, strings and numbers; identifiers as strings."""
    if isinstance(value, Mapping):
        return {key: jsonable(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(inner) for inner in value]
    return str(value) if isinstance(value, UUID) else value

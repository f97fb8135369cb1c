"""What the way in and the services work with, in one frozen value. `config/wiring.py` makes it and binds it here, so that tasks, commands and views can ask for it."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Protocol
from uuid import UUID

from common.errors import Misconfigured
from common.storage import Storage
from inference.models import EmbeddingSpace
from inference.ports import Embedder
from knowledge.chunking.records import RecordHeadings
from knowledge.chunking.types import ChunkSize
from knowledge.parsing.limits import ReadLimits
from knowledge.ports import CitationKeeper, FactKeeper, FactVectors, RecordRules, Step


class Splitter(Protocol):
    """Takes a text apart into what is searched for."""

    def terms(self, text: str) -> "Counter[str]":
        """Each term with how often it stands there."""


class NoFacts:
    """Plays the fact keeper where nothing is extracted."""

    def follow(self, chunk_ids: Sequence[UUID]) -> None:
        return

    def erase(self, chunk_ids: Sequence[UUID]) -> None:
        return


class NoFactVectors:
    """Plays the keeper of facts' vectors there."""

    def fill(self, space: EmbeddingSpace) -> int:
        return 0

    def embed_missing(self, space: EmbeddingSpace, embedder: Embedder) -> int:
        return 0

    def lacking(self, space: EmbeddingSpace) -> int:
        return 0


class NoCitations:
    """Plays the citation keeper where nothing is asked."""

    def erase(self, document_id: UUID) -> None:
        return


class NoRecords:
    """Says which headings begin a record where nobody has declared any."""

    def of(self, kb_id: UUID) -> RecordHeadings:
        return RecordHeadings()


@dataclass(frozen=True, slots=True)
class Tools:
    """The ports of this package and who plays them. `afterwards` are steps that a version passes when readers see it already; `embedders` is each server of an embedding model, the one to come last, for filling spaces."""

    storage: Storage
    embedder: Embedder
    splitter: Splitter
    way_in: tuple[Step, ...]
    afterwards: tuple[Step, ...] = ()
    embedders: tuple[Embedder, ...] = ()
    facts: FactKeeper = field(default_factory=NoFacts)
    fact_vectors: FactVectors = field(default_factory=NoFactVectors)
    citations: CitationKeeper = field(default_factory=NoCitations)
    records: RecordRules = field(default_factory=NoRecords)
    limits: ReadLimits = field(default_factory=ReadLimits)
    chunk_size: ChunkSize = field(default_factory=ChunkSize)


_made: list[Callable[[], Tools]] = []


def bind(make: Callable[[], Tools]) -> None:
    """Say how the tools of this process are made; they are made when first asked for."""
    _made[:] = [make]
    tools.cache_clear()


@cache
def tools() -> Tools:
    """The tools of this process. Raises Misconfigured when nobody has bound them."""
    if not _made:
        raise Misconfigured("Nobody has said how documents are read: config.wiring binds that when the server starts.")
    return _made[0]()

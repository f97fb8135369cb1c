"""What the way in needs from others. `config/wiring.py` alone says who plays these roles."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol
from uuid import UUID

if TYPE_CHECKING:
    from inference.models import EmbeddingSpace
    from inference.ports import Embedder
    from knowledge.chunking.records import RecordHeadings
    from knowledge.leases import Lease
    from knowledge.models import Version
    from knowledge.tools import Tools


class Step(Protocol):
    """One step of the way in. Ontology's extract and project will join with this."""

    name: str

    def is_done(self, version: "Version") -> bool:
        """From rows, never from a counter."""

    def run(self, version: "Version", lease: "Lease", tools: "Tools") -> None:
        """Does what is still missing, in batches; each batch is one transaction that begins with `lease.check()`."""

    def forget(self, version: "Version") -> None:
        """Take back what it stored of a version that readers don't see yet, inside the caller's transaction, so that it is done again."""


class FactKeeper(Protocol):
    """Keeps facts in step with the chunks that support them. Both are called inside the caller's transaction, which holds the document."""

    def follow(self, chunk_ids: Sequence[UUID]) -> None:
        """These chunks can be found now, or can't any more (`is_live` says which): what only they support comes and goes with them."""

    def erase(self, chunk_ids: Sequence[UUID]) -> None:
        """These chunks are about to be deleted for good: nothing that was read from them alone may stay."""


class FactVectors(Protocol):
    """Vectors of the sentences of facts, which live in embedding spaces beside those of chunks and come along when a space is made, filled or switched to."""

    def fill(self, space: "EmbeddingSpace") -> int:
        """Give the space what other spaces of its model have; gives how many sentences."""

    def embed_missing(self, space: "EmbeddingSpace", embedder: "Embedder") -> int:
        """Embed every sentence that the space has no vector of, with an embedder that serves its model. Raises EngineUnavailable."""

    def lacking(self, space: "EmbeddingSpace") -> int:
        """How many sentences the space in use has and this one has not: those that would be lost by switching."""


class CitationKeeper(Protocol):
    """Keeps answers honest about sources that are gone."""

    def erase(self, document_id: UUID) -> None:
        """Erase what answers quote of this document, inside the caller's transaction."""


class RecordRules(Protocol):
    """Which headings begin a record, so that the chunker keeps what stands under them in one piece."""

    def of(self, kb_id: UUID) -> "RecordHeadings":
        """Those of one knowledge base, as they are now."""


class Vocabulary(Protocol):
    """Names that the word splitter must not cut (entity names)."""

    def names(self) -> Sequence[str]:
        """All of them, in any order."""

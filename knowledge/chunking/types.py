"""The values that travel inside the chunker."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from common.errors import Misconfigured
from knowledge.types import BlockKind

CountTokens = Callable[[Sequence[str]], list[int]]
"""Tokens of each text as the embedder would count them, its own marks and prefix included."""


@dataclass(frozen=True, slots=True)
class ChunkSize:
    """How long chunks are, in the embedder's tokens, context included; `overlap` is a share of the target."""

    target_tokens: int = 256
    max_tokens: int = 480
    overlap: float = 0.12

    def __post_init__(self) -> None:
        if not (16 <= self.target_tokens <= self.max_tokens and self.max_tokens >= 64 and 0 <= self.overlap <= 0.5):
            raise Misconfigured(
                _(
                    "A chunk of %(target)s tokens with at most %(most)s and an overlap of %(overlap)s can't be made: the target must be at least "
                    "16 and not above the maximum, the maximum at least 64, the overlap between 0 and 0.5."
                )
                % {"target": self.target_tokens, "most": self.max_tokens, "overlap": self.overlap}
            )


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch that is not cut unless it is too long by itself: a sentence, an item, a row, a listing, a picture's caption, a heading.

    `binds` says that the next unit must not be parted from it (a heading and what it heads, a table's header and its first row).
    """

    start: int
    end: int
    kind: BlockKind
    section: int = 0
    is_sentence: bool = False
    ends_block: bool = False
    binds: bool = False
    page: int | None = None
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Group:
    """Units that may share chunks: running text of one section, or one table, or one FAQ pair.

    `path` is the way of titles down to the section; `lead_path` is that of the first chunk, whose own headings stand in its text already.
    `header` is what later chunks need as context besides (a table's header, an FAQ's question). `kept_whole` asks for a single chunk.
    `record` is the section of the record that it belongs to, 0 for none. A whole record has `parts`, the groups that it is taken apart into when it does not fit.
    """

    path: tuple[str, ...]
    lead_path: tuple[str, ...]
    units: tuple[Unit, ...]
    header: str = ""
    kept_whole: bool = False
    overlaps: bool = False
    record: int = 0
    parts: tuple["Group", ...] = ()

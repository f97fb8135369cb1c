"""The values that travel along the way in. Offsets count Unicode code points in the version's canonical text, half open: text[start:end]."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol


class BlockKind(StrEnum):
    """What a stretch of canonical text is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    TABLE = "table"
    CODE = "code"
    FAQ = "faq"
    IMAGE = "image"


@dataclass(frozen=True, slots=True)
class Block:
    """One structural part of a canonical text; blocks are in order and never overlap.

    `level` is a heading's depth (1–6). `parts` are the spans of a list's top-level items (nested items inside), of a table's rows (header rows
    first) or of an FAQ's question and answer. `header_parts` says how many of a table's `parts` are header rows (0 when it has none;
    the `| --- |` line belongs to no part). `page` is 1-based and None where the format has no pages.
    """

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    parts: tuple[tuple[int, int], ...] = ()
    header_parts: int = 0
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture inside a document, already kept in storage under `key`; `start`/`end` is its block (its caption or alternative text)."""

    key: str
    media_type: str
    start: int
    end: int
    caption: str = ""
    page: int | None = None


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to be read. `path` is on local disk; `name` is what its owner calls it (it may lie about its type)."""

    path: Path
    name: str
    size_bytes: int


class PictureSink(Protocol):
    """Where a parser puts the bytes of an embedded picture; gives back the storage key."""

    def keep(self, data: bytes, media_type: str) -> str: ...


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """What a parser makes of a file: canonical Markdown text (NFC, no NUL, `\\n` line ends) and its structure.

    `page_starts[i]` is the offset at which page i + 1 begins (empty without pages). `title` is from the file itself or "" when it has none.
    `notices` are sentences for the editor (a hidden sheet left out, a page without text). `parser` is name and version, e.g. "pdf/1".
    """

    text: str
    blocks: Sequence[Block]
    parser: str
    media_type: str
    title: str = ""
    page_starts: tuple[int, ...] = ()
    pictures: tuple[Picture, ...] = ()
    notices: tuple[str, ...] = ()
    metadata: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SectionDraft:
    """A heading and what stands under it, up to the next heading of the same or a higher level. Section 0 is the whole text (level 0)."""

    ordinal: int
    parent: int | None
    level: int
    title: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ChunkDraft:
    """A chunk before it is stored: `text[start:end]`; `context` (title, heading path, table header) is what it needs to be understood alone.

    What is embedded and indexed is `context` and text together; what is cited is the text. `tokens` counts both with the embedder's tokenizer.
    """

    ordinal: int
    section: int
    kind: BlockKind
    start: int
    end: int
    context: str
    tokens: int
    page: int | None = None

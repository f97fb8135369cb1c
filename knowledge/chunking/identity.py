"""What a chunk is known by. Given kind, context and text, gives the hash by which a chunk is recognised in every version, and the text that models read."""

from hashlib import sha256
from uuid import UUID

from knowledge.types import BlockKind


def content_hash(kind: BlockKind, context: str, text: str) -> UUID:
    """The first 128 bits of SHA-256 over the three, which hold no NUL and so can be told apart by it."""
    return UUID(bytes=sha256(f"{kind.value}\0{context}\0{text}".encode()).digest()[:16])


def full_text(context: str, text: str) -> str:
    """What is embedded, counted and indexed of a chunk: its context on lines of its own, then its text."""
    return f"{context}\n{text}" if context else text

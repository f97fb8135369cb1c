"""What a chunk is known by."""

from hashlib import sha256

from knowledge.chunking.identity import content_hash, full_text
from knowledge.types import BlockKind


def test_the_hash_is_the_front_of_sha256_and_tells_all_three_apart() -> None:
    known = content_hash(BlockKind.TABLE, "Pumps", "P-100")
    assert known.bytes == sha256(b"table\0Pumps\0P-100").digest()[:16]
    others = [
        content_hash(BlockKind.LIST, "Pumps", "P-100"),
        content_hash(BlockKind.TABLE, "Pump", "sP-100"),
        content_hash(BlockKind.TABLE, "", "Pumps\nP-100"),
    ]
    assert len({known, *others}) == 4


def test_models_read_the_context_above_the_text() -> None:
    assert full_text("Manual › Care", "Oil it.") == "Manual › Care\nOil it."
    assert full_text("", "Oil it.") == "Oil it."

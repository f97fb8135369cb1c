"""What holds for every parsed document, and how tests look at its blocks."""

import unicodedata

from knowledge.types import Block, BlockKind, ParsedDocument


def check_rules(document: ParsedDocument) -> None:
    """What holds for every parsed document."""
    text = document.text
    assert unicodedata.is_normalized("NFC", text)
    assert "\0" not in text
    assert "\r" not in text
    text.encode()
    before = 0
    for block in document.blocks:
        assert before <= block.start < block.end <= len(text)
        assert text[block.start : block.end].strip()
        before = block.end
        _check_parts(text, block)
    assert list(document.page_starts) == sorted(document.page_starts)
    assert all(0 <= start <= len(text) for start in document.page_starts)
    spans = {(block.start, block.end) for block in document.blocks}
    assert all((picture.start, picture.end) in spans for picture in document.pictures)


def _check_parts(text: str, block: Block) -> None:
    inside = block.start
    for start, end in block.parts:
        assert inside <= start < end <= block.end
        inside = end
    if block.kind is BlockKind.TABLE:
        assert block.parts
        assert all("\n" not in text[start:end] for start, end in block.parts)
    if block.kind is BlockKind.FAQ:
        assert len(block.parts) == 2
    if block.kind is BlockKind.LIST:
        assert block.parts
    assert block.header_parts <= len(block.parts)
    assert (block.level > 0) == (block.kind is BlockKind.HEADING)


def texts(document: ParsedDocument, kind: BlockKind) -> list[str]:
    """The texts of the blocks of a kind."""
    return [document.text[block.start : block.end] for block in document.blocks if block.kind is kind]


def parts(document: ParsedDocument, block: Block) -> list[str]:
    """The texts of a block's parts."""
    return [document.text[start:end] for start, end in block.parts]

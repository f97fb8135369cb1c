"""Where a picture belongs among the pieces of its page: at its caption, or after what stands above it."""

import re
from dataclasses import replace

from knowledge.parsing.pdf.pieces import Piece
from knowledge.parsing.pdf.places import Box
from knowledge.types import BlockKind

_CAPTION = re.compile(r"\s*(?:图|圖|附图|Figure|Fig\.?|FIG\.?)\s*[\dA-Z][\d.\-–]*")
_CAPTION_REACH = 45.0
_CAPTION_CHARS = 300


def place_picture(pieces: list[Piece], data: bytes, box: Box) -> None:
    """Put a picture where its caption stands, or after what stands above it."""
    for index, piece in enumerate(pieces):
        if piece.kind is BlockKind.PARAGRAPH and piece.picture is None and _is_caption(piece, box):
            pieces[index] = replace(piece, kind=BlockKind.IMAGE, picture=data)
            return
    above = [
        index for index, piece in enumerate(pieces) if piece.box.bottom <= box.middle and _overlaps(piece.box, box)
    ]
    pieces.insert(max(above, default=-1) + 1, Piece(BlockKind.IMAGE, box, picture=data))


def _is_caption(piece: Piece, box: Box) -> bool:
    distance = min(abs(piece.box.top - box.bottom), abs(box.top - piece.box.bottom))
    return (
        bool(_CAPTION.match(piece.text))
        and len(piece.text) <= _CAPTION_CHARS
        and distance < _CAPTION_REACH
        and _overlaps(piece.box, box)
    )


def _overlaps(box: Box, other: Box) -> bool:
    return min(box.right, other.right) > max(box.left, other.left)

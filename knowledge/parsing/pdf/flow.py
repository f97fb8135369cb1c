"""Writes the pieces of pages one after the other; a paragraph waits until it is clear that it does not go on in the next column or on the next page."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from common.text import canonical
from knowledge.parsing.pdf.pieces import SOFT_HYPHEN, Piece, goes_on, joint
from knowledge.parsing.slide_text import nested
from knowledge.parsing.tables import write_table
from knowledge.parsing.writer import Writer
from knowledge.types import BlockKind

# A word that was cut at the end of a line within a cell.
_CUT_IN_CELL = re.compile(f"{SOFT_HYPHEN} ?")


@dataclass(slots=True)
class _Pending:
    """A paragraph that may go on in the next column or on the next page."""

    piece: Piece
    breaks: list[int] = field(default_factory=list)


class Flow:
    """The text of one document on its way to the writer."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.pending: _Pending | None = None

    def write_page(self, found: Sequence[Piece]) -> None:
        """The pieces of the next page."""
        pieces = [replace(piece, text=canonical(piece.text).rstrip()) for piece in found]
        is_continued = self.pending is not None and bool(pieces) and goes_on(self.pending.piece, pieces[0])
        if is_continued and self.pending is not None:
            self._append(pieces.pop(0), is_next_page=True)
            if not pieces:
                return
        self.flush()
        if not is_continued:
            self.writer.begin_page()
        for piece in pieces:
            self._take(piece)

    def _take(self, piece: Piece) -> None:
        if self.pending is not None and goes_on(self.pending.piece, piece):
            self._append(piece, is_next_page=False)
            return
        self.flush()
        if piece.kind is BlockKind.PARAGRAPH:
            self.pending = _Pending(piece)
        else:
            self._write(piece)

    def _append(self, piece: Piece, *, is_next_page: bool) -> None:
        if self.pending is None:
            return
        first, between = joint(self.pending.piece.text, piece.text)
        head = canonical(f"{first}{between}".replace(SOFT_HYPHEN, ""))
        if is_next_page:
            self.pending.breaks.append(len(head))
        self.pending.piece = replace(piece, text=head + piece.text)

    def flush(self) -> None:
        """Write the paragraph that is waiting."""
        if self.pending is None:
            return
        pending, self.pending = self.pending, None
        text = pending.piece.text.replace(SOFT_HYPHEN, "-")
        self.writer.paragraph(text, pending.breaks)

    def _write(self, piece: Piece) -> None:
        match piece.kind:
            case BlockKind.HEADING:
                self.writer.heading(piece.text, piece.level)
                self.writer.title = self.writer.title or piece.text
            case BlockKind.TABLE:
                write_table(self.writer, [[_CUT_IN_CELL.sub("", cell) for cell in row] for row in piece.rows])
            case BlockKind.LIST:
                self.writer.list(
                    nested([(level, marker, text.replace(SOFT_HYPHEN, "-")) for level, marker, text in piece.items])
                )
            case BlockKind.CODE:
                self.writer.code(piece.text)
            case BlockKind.IMAGE:
                self.writer.image(piece.picture, piece.text)

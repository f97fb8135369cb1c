"""The pictures of one document: given their bytes, keeps each once through the sink, and says at the end to which block each belongs."""

import hashlib
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from knowledge.parsing.limits import ReadLimits
from knowledge.types import Block, Picture, PictureSink

_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"BM", "image/bmp"),
)


def picture_type(data: bytes) -> str | None:
    """What kind of picture the bytes are, by their beginning; None for what a browser should not be given."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((media_type for signature, media_type in _SIGNATURES if data.startswith(signature)), None)


@dataclass(slots=True)
class PictureShelf:
    """Keeps pictures while a document is read; `at` is the offset of the block that each stands in or beside."""

    sink: PictureSink
    limits: ReadLimits
    _kept: list[tuple[str, str, int, str, int | None]] = field(default_factory=list)
    _keys: dict[bytes, str] = field(default_factory=dict)
    _left_out: int = 0

    def keep(self, data: bytes, *, at: int, caption: str = "", page: int | None = None) -> None:
        """Store a picture; what is too large, too many or of a kind that browsers don't show is counted and left out."""
        media_type = picture_type(data)
        if media_type is None or len(data) > self.limits.picture_bytes or len(self._kept) >= self.limits.pictures:
            self._left_out += 1
            return
        digest = hashlib.sha256(data).digest()
        if digest not in self._keys:
            self._keys[digest] = self.sink.keep(data, media_type)
        self._kept.append((self._keys[digest], media_type, at, caption, page))

    def placed(self, blocks: Sequence[Block]) -> tuple[Picture, ...]:
        """Each picture with the span of its block."""
        starts = [block.start for block in blocks]
        pictures = []
        for key, media_type, at, caption, page in self._kept:
            block = blocks[max(bisect_right(starts, at) - 1, 0)]
            pictures.append(Picture(key, media_type, block.start, block.end, caption, page))
        return tuple(pictures)

    def notices(self) -> list[str]:
        """A sentence about what was left out, if anything was."""
        if not self._left_out:
            return []
        return [
            _("Pictures that were left out (too large, too many or in a format that browsers don't show): %(count)d.")
            % {"count": self._left_out}
        ]

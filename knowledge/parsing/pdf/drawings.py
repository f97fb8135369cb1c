"""The pictures of a page worth keeping: given an open page, gives their bytes and places. Logos that stand on every page come once."""

import ctypes
import hashlib
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from knowledge.parsing.pdf.pdfium import Page, pdfium, raw
from knowledge.parsing.pdf.places import Box, PageText

_PIXELS = 48
_POINTS = 36.0
_WHOLE_PAGE = 0.85
_PER_PAGE = 20
_PIXELS_AT_MOST = 20_000_000


@dataclass(slots=True)
class Drawings:
    """Remembers what one document has shown before."""

    _seen: set[bytes] = field(default_factory=set)

    def on(self, page: Page, text: PageText) -> Iterator[tuple[bytes, Box]]:
        """Pictures of useful size on a page, from top to bottom of its content."""
        for count, image in enumerate(page.get_objects(filter=(raw.FPDF_PAGEOBJ_IMAGE,), max_depth=3)):
            if count >= _PER_PAGE:
                return
            left, bottom, right, top = image.get_bounds()
            place = Box(left, text.height - top, right, text.height - bottom)
            if not _is_useful(image, place, text):
                continue
            data = _bytes_of(image)
            digest = hashlib.sha256(data or b"").digest()
            if data and digest not in self._seen:
                self._seen.add(digest)
                yield data, place


def has_images(page: Page) -> bool:
    """Whether there is any picture, a quick look before the slower one."""
    count = raw.FPDFPage_CountObjects(page)
    return any(
        raw.FPDFPageObj_GetType(raw.FPDFPage_GetObject(page, index)) in (raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_FORM)
        for index in range(count)
    )


def _is_useful(image: Any, place: Box, text: PageText) -> bool:
    width, height = image.get_px_size()
    is_large = min(width, height) >= _PIXELS and min(place.width, place.height) >= _POINTS
    is_background = place.width * place.height > _WHOLE_PAGE * text.width * text.height
    return is_large and not is_background and width * height <= _PIXELS_AT_MOST


def _bytes_of(image: Any) -> bytes | None:
    """The JPEG that the file holds, or the picture as PNG."""
    if list(image.get_filters()) == ["DCTDecode"]:
        length = raw.FPDFImageObj_GetImageDataRaw(image, None, 0)
        buffer = ctypes.create_string_buffer(length)
        raw.FPDFImageObj_GetImageDataRaw(image, buffer, length)
        return buffer.raw
    try:
        bitmap = image.get_bitmap(render=False)
    except pdfium.PdfiumError:
        return None
    target = io.BytesIO()
    bitmap.to_pil().convert("RGB").save(target, "PNG")
    bitmap.close()
    return target.getvalue()

"""PDFium with its lock: the library is not safe for threads, so everything that touches it stands inside `PDFIUM`."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pypdfium2
import pypdfium2.raw

from knowledge.parsing import refusals
from knowledge.parsing.media import LABELS, MediaType
from knowledge.types import SourceFile

# The binding has no types of its own.
pdfium: Any = pypdfium2
raw: Any = pypdfium2.raw
Document = Any
Page = Any

PDFIUM = threading.RLock()


@contextmanager
def opened(source: SourceFile) -> Iterator[Document]:
    """An open document, held under the lock. Raises UnreadableFile when it needs a password or is damaged."""
    with PDFIUM:
        try:
            document = pdfium.PdfDocument(source.path)
        except pypdfium2.PdfiumError as error:
            if getattr(error, "err_code", None) in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
                raise refusals.encrypted(source.name) from error
            raise refusals.broken_file(source.name, label=LABELS[MediaType.PDF]) from error
        try:
            if len(document) == 0:
                raise refusals.broken_file(source.name, label=LABELS[MediaType.PDF])
            yield document
        finally:
            document.close()

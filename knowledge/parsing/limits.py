"""How much a file may hold before it is refused. The caller fills it from settings; the defaults suit one machine with a few GB of memory."""

from dataclasses import dataclass

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """`expanded_*`, `ratio` and `entries` are about ZIP containers (archives and Office files); the ratio counts only above `ratio_free_bytes`.

    `part_bytes` bounds one XML part of DOCX and PPTX, because these are read whole; `pages` is about PDF, `cells` about workbooks, empty ones included;
    `text_chars` bounds what any file may become.
    """

    file_bytes: int = 300 * MIB
    expanded_bytes: int = 2048 * MIB
    ratio: int = 200
    ratio_free_bytes: int = 32 * MIB
    entries: int = 20_000
    part_bytes: int = 128 * MIB
    text_chars: int = 60_000_000
    picture_bytes: int = 20 * MIB
    pictures: int = 1_000
    pages: int = 20_000
    cells: int = 20_000_000

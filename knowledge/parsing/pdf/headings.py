"""What a PDF's script says: which lines are headings and which are code. Headings are known by its outline where it has one, else by size against the body text and by weight. Sizes are learnt from a sample of pages."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from knowledge.parsing.pdf.pdfium import Document
from knowledge.parsing.pdf.places import PageText

_LARGER = 1.12
_HEADING_SHARE = 0.2
_CHARS = 180
_BOLD_CHARS = 90
_LINES = 3
_LEVELS = 4
_ENDS = re.compile(r"[.。;；,，、]$")
_LETTER = re.compile(r"[^\W\d_]")
_OUTLINE_ITEMS = 20_000


@dataclass(frozen=True, slots=True)
class Headings:
    """What headings look like in one document. `sizes` are heights of script larger than the body's, the largest first."""

    body: float
    sizes: tuple[float, ...]
    has_bold_body: bool = False
    has_mono_body: bool = False
    outline: Mapping[int, Mapping[str, int]] = field(default_factory=dict)

    def level(self, text: str, height: float, is_bold: bool, lines: int, page: int) -> int:
        """The depth of a heading; 0 for what is none."""
        if len(text) > _CHARS or lines > _LINES or not _LETTER.search(text):
            return 0
        if listed := self.outline.get(page, {}).get(_key(text)):
            return min(listed, 6)
        if height > self.body * _LARGER and self.sizes:
            nearest = min(range(len(self.sizes)), key=lambda index: abs(self.sizes[index] - height))
            return min(nearest + 1, 6)
        is_short = len(text) <= _BOLD_CHARS and lines <= 2 and not _ENDS.search(text)
        if is_bold and is_short and not self.has_bold_body:
            return min(len(self.sizes) + 1, 6)
        return 0

    def is_listed(self, text: str, page: int) -> bool:
        """Whether the outline names this line on this page."""
        return bool(self.outline) and _key(text) in self.outline.get(page, {})


def learn(pages: Iterable[PageText], outline: Mapping[int, Mapping[str, int]]) -> Headings:
    """What the sizes on some pages say; the body's is the one in which most characters are set."""
    chars: Counter[float] = Counter()
    bold = mono = total = 0
    for page in pages:
        for segment in page.segments:
            length = sum(len(word.text) for word in segment.words)
            chars[round(segment.height * 2) / 2] += length
            bold += length * segment.is_bold
            mono += length * segment.is_mono
            total += length
    if not chars:
        return Headings(10.0, (), outline=outline)
    body = max(chars, key=lambda size: (chars[size], -size))
    larger = sorted(
        (size for size in chars if size > body * _LARGER and chars[size] < _HEADING_SHARE * total * 2), reverse=True
    )
    sizes: list[float] = []
    for size in larger:
        if not sizes or size < sizes[-1] * 0.93:
            sizes.append(size)
    return Headings(body, tuple(sizes[:_LEVELS]), bold > 0.4 * total, mono > 0.5 * total, outline)


def outline_of(document: Document) -> dict[int, dict[str, int]]:
    """The outline's titles by the page on which they stand, 1-based, with their depth."""
    found: dict[int, dict[str, int]] = {}
    for index, item in enumerate(document.get_toc(max_depth=6)):
        if index >= _OUTLINE_ITEMS:
            break
        destination = item.get_dest()
        page = destination.get_index() if destination is not None else None
        if page is not None and (key := _key(item.get_title() or "")):
            found.setdefault(page + 1, {})[key] = item.level + 1
    return found


def _key(text: str) -> str:
    return "".join(text.split()).casefold()

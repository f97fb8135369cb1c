"""A version's canonical text as HTML to read, one part at a time, so that a book opens as fast as a leaflet. Given a version and an offset, gives the part around it.

A block belongs to the part in which it begins. What is marked is a stretch of offsets (an evidence).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Max
from django.db.models.functions import Substr
from django.urls import reverse
from django.utils.safestring import SafeString

from common.markdown import safe_html
from knowledge.models import Chunk, Section, StoredBlock, StoredPicture, Version

PART_CHARACTERS = 20_000
OUTLINED = 200


@dataclass(frozen=True, slots=True)
class ShownPicture:
    """A picture and where it is fetched."""

    url: str
    caption: str


@dataclass(frozen=True, slots=True)
class ShownBlock:
    """One block; `page` is set where a new page begins."""

    start: int
    html: SafeString
    page: int | None
    pictures: Sequence[ShownPicture]


@dataclass(frozen=True, slots=True)
class ShownChunk:
    """One chunk with its text as HTML."""

    chunk: Chunk
    html: SafeString
    is_marked: bool


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a version: its place among all, and its blocks or its chunks."""

    number: int
    count: int
    blocks: Sequence[ShownBlock] = ()
    chunks: Sequence[ShownChunk] = ()


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A heading and the part it stands in."""

    title: str
    level: int
    start: int
    part: int


def part_at(offset: int) -> int:
    """The part, from 1, in which this offset lies."""
    return offset // PART_CHARACTERS + 1


def part_shown(version: Version, number: int, *, mark: tuple[int, int] | None, with_chunks: bool) -> Part:
    """The part with this number, from 1; the nearest there is for one that does not exist."""
    last = StoredBlock.objects.filter(version=version).aggregate(last=Max("start"))["last"] or 0
    count = part_at(last)
    number = min(max(1, number), count)
    first, end = (number - 1) * PART_CHARACTERS, number * PART_CHARACTERS
    if with_chunks:
        return Part(number, count, chunks=chunks_shown(version, first, end, mark))
    return Part(number, count, blocks=blocks_shown(version, first, end, mark))


def blocks_shown(version: Version, first: int, end: int, mark: tuple[int, int] | None) -> list[ShownBlock]:
    """The blocks that begin in this stretch."""
    blocks = list(StoredBlock.objects.filter(version=version, start__gte=first, start__lt=end).order_by("ordinal"))
    if not blocks:
        return []
    base = blocks[0].start
    text = text_between(version, base, blocks[-1].end)
    pictures = pictures_between(version, base, blocks[-1].end)
    shown: list[ShownBlock] = []
    page: int | None = None
    for block in blocks:
        is_new_page = block.page is not None and block.page != page
        page = block.page
        shown.append(
            ShownBlock(
                start=block.start,
                html=html_of(text[block.start - base : block.end - base], block.start, mark),
                page=page if is_new_page else None,
                pictures=[each for start, each in pictures if block.start <= start < max(block.end, block.start + 1)],
            )
        )
    return shown


def html_of(text: str, start: int, mark: tuple[int, int] | None) -> SafeString:
    """A block's text as HTML with the part of the mark that lies in it. The first marked block has the id `evidence`."""
    if mark is None or mark[1] <= start or mark[0] >= start + len(text):
        return safe_html(text)
    inside = (max(0, mark[0] - start), min(len(text), mark[1] - start))
    return safe_html(text, marks=[inside], mark_id="evidence" if mark[0] >= start else "")


def chunks_shown(version: Version, first: int, end: int, mark: tuple[int, int] | None) -> list[ShownChunk]:
    """The chunks that begin in this stretch."""
    chunks = Chunk.objects.filter(version=version, start__gte=first, start__lt=end).order_by("ordinal")
    return [
        ShownChunk(
            chunk=chunk,
            html=html_of(chunk.text, chunk.start, mark),
            is_marked=mark is not None and chunk.start < mark[1] and mark[0] < chunk.end,
        )
        for chunk in chunks
    ]


def text_between(version: Version, start: int, end: int) -> str:
    """`version.text[start:end]` without fetching the rest."""
    found = Version.objects.filter(pk=version.pk).annotate(piece=Substr("text", start + 1, end - start))
    return str(found.values_list("piece", flat=True).get())


def pictures_between(version: Version, start: int, end: int) -> list[tuple[int, ShownPicture]]:
    """Pictures that stand in this stretch, with their offsets."""
    found = StoredPicture.objects.filter(version=version, start__gte=start, start__lte=end).order_by("start")
    return [(each.start, ShownPicture(picture_url(each.pk), each.caption)) for each in found]


def picture_url(picture_id: UUID) -> str:
    return reverse("picture", args=[picture_id])


def outline(version: Version) -> list[OutlineEntry]:
    """The headings, at most 200, down to the third level."""
    found = Section.objects.filter(version=version, level__gt=0, level__lte=3).exclude(title="").order_by("ordinal")
    return [OutlineEntry(each.title, each.level, each.start, part_at(each.start)) for each in found[:OUTLINED]]

"""The evidence behind a citation: its section with the cited stretch marked. Given a message and a number, gives what the panel and the page show."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.types import Subject
from common.errors import NotFound
from common.markdown import safe_html
from knowledge.models import Section, StoredBlock, StoredPicture, Version
from retrieval.answer import Citation
from retrieval.citations import citations_read, texts_at
from retrieval.models import Message
from retrieval.shown import document_url, original_url
from retrieval.types import Span

LONGEST_SECTION = 6000
AROUND = 2000


def evidence_shown(subject: Subject, message: Message, n: int) -> dict[str, Any]:
    """The context of `chat/evidence.html`. Raises NotFound for a number that the answer doesn't have."""
    citations = citations_read(subject, message.citations)
    if n not in citations:
        raise NotFound(_("This answer has no source with that number."))
    numbers = sorted(citations)
    place = numbers.index(n)
    common = {
        "n": n,
        "count": len(numbers),
        "previous": numbers[place - 1] if place else None,
        "next": numbers[place + 1] if place + 1 < len(numbers) else None,
        "message_id": str(message.pk),
        "citation": citations[n].as_dict(),
        "deleted": citations[n].is_deleted,
    }
    return common if citations[n].is_deleted else {**common, **source_shown(citations[n])}


def source_shown(citation: Citation) -> dict[str, Any]:
    """Where it stands, and its section."""
    version = Version.objects.select_related("document__kb").defer("text").get(pk=version_of(citation))
    document = version.document
    start, end = section_around(version, citation)
    text = texts_at([(str(version.pk), start, end)])[0]
    marked = citation.mark or Span(citation.start, citation.end)
    return {
        "document": {
            "id": str(document.pk),
            "title": citation.document_title,
            "path": document.path,
            "kb_name": document.kb.name,
        },
        "heading_path": list(citation.heading_path),
        "page": citation.page,
        "version": version.number,
        "is_latest": document.live_version_id == version.pk,
        "section_html": safe_html(text, marks=[(marked.start - start, marked.end - start)], mark_id="evidence"),
        "language": citation.language,
        "pictures": pictures_in(version, start, end),
        "document_url": document_url(citation),
        "original_url": original_url(citation),
    }


def version_of(citation: Citation) -> UUID:
    """A citation that is not deleted has one."""
    assert citation.version_id is not None
    return citation.version_id


def section_around(version: Version, citation: Citation) -> tuple[int, int]:
    """The smallest section that holds the citation, cut down to whole blocks around it when it is long."""
    holding = Section.objects.filter(version=version, start__lte=citation.start, end__gte=citation.end)
    spans = sorted(holding.values_list("start", "end"), key=lambda span: span[1] - span[0])
    start, end = spans[0] if spans else (0, version.length)
    if end - start <= LONGEST_SECTION:
        return start, end
    first, last = max(start, citation.start - AROUND), min(end, citation.end + AROUND)
    blocks = StoredBlock.objects.filter(version=version, start__lt=last, end__gt=first).values_list("start", "end")
    return whole_blocks(list(blocks), first, last)


def whole_blocks(blocks: Sequence[tuple[int, int]], first: int, last: int) -> tuple[int, int]:
    """The stretch grown to the ends of the blocks it cuts."""
    return min([first, *(start for start, _end in blocks)]), max([last, *(end for _start, end in blocks)])


def pictures_in(version: Version, start: int, end: int) -> list[dict[str, str]]:
    """The pictures that stand in this stretch."""
    found = StoredPicture.objects.filter(version=version, start__lt=end, end__gt=start).order_by("start")
    return [{"url": reverse("picture", args=[picture.pk]), "caption": picture.caption} for picture in found]

"""Two readings of one document side by side: how many passages stayed, what became of the others, and what the later reading cost.

Counts are of the whole document; texts are fetched for one page of changes only, so that a book costs what a leaflet does.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from accounts.types import Subject
from common.errors import InvalidInput, NotFound
from inference.usage import DocumentTotal, document_totals
from knowledge import policy
from knowledge.comparing.align import Alignment, Place, align
from knowledge.comparing.pairs import pairs
from knowledge.comparing.words import Pieces, compared
from knowledge.models import Chunk, Document, DocumentState, Role, Version
from knowledge.selectors.documents import bin_for, documents_for, versions_of

PAGE = 20
# At a place of more passages than this they are paired by their order alone.
PLACE_READ = 100

NEW_CONTENTS = """
SELECT count(DISTINCT fresh.content_hash), count(DISTINCT fresh.content_hash) FILTER (WHERE NOT EXISTS (
    SELECT 1 FROM knowledge_chunk AS older WHERE older.content_hash = fresh.content_hash AND older.version_id <> fresh.version_id AND older.created_at < %(begun)s
)) FROM knowledge_chunk AS fresh WHERE fresh.version_id = %(version)s
"""


@dataclass(frozen=True, slots=True)
class Compared:
    """A version and an earlier one of a document that the subject may see; `before` is None where nothing came before.

    `versions` are all between which the subject may choose, the newest first. `is_whole`: both were taken apart to their end.
    """

    document: Document
    before: Version | None
    after: Version
    versions: Sequence[Version]
    may_edit: bool
    alignment: Alignment

    @property
    def is_whole(self) -> bool:
        return all(each.chunk_count is not None for each in (self.before, self.after) if each)


@dataclass(frozen=True, slots=True)
class ChunkChange:
    """One passage that came, went (one of the two is None) or changed, with the pieces of its context and its text on both sides."""

    before: Chunk | None
    after: Chunk | None
    context: tuple[Pieces, Pieces]
    text: tuple[Pieces, Pieces]

    @property
    def kind(self) -> str:
        """“added”, “removed” or “changed”."""
        return "added" if self.before is None else "removed" if self.after is None else "changed"


@dataclass(frozen=True, slots=True)
class ReadingSpent:
    """What a reading was charged: by purpose, from the version's coming until the next one came. `new_contents` of `contents` no passage held before, so they were embedded."""

    totals: Sequence[DocumentTotal]
    contents: int
    new_contents: int

    @property
    def cost_micros(self) -> int:
        return sum(total.cost_micros for total in self.totals)


def compare_versions(
    subject: Subject, document_id: UUID, *, number: int | None = None, against: int | None = None
) -> Compared:
    """A version (the newest that was published, when none is named) and another one, the one published before it when none is named; the older one is what was before.

    Raises NotFound for what the subject may not see, InvalidInput for a version against itself.
    """
    document = document_seen(subject, document_id)
    may_edit = policy.role_in(subject, document.kb_id) in (Role.EDITOR, Role.OWNER)
    versions = list(versions_seen(document, may_edit=may_edit))
    after = numbered(versions, number) if number is not None else newest(versions)
    if against is not None and against == after.number:
        raise InvalidInput(_("Choose two different versions."), field="against")
    before = numbered(versions, against) if against is not None else published_before(versions, after)
    if before is not None and before.number > after.number:
        before, after = after, before
    found = align(contents_of(before) if before else [], contents_of(after))
    return Compared(document, before, after, versions, may_edit, found)


def document_seen(subject: Subject, document_id: UUID) -> Document:
    """One in use, or in the bin for editors. Raises NotFound."""
    found = documents_for(subject).filter(pk=document_id).first() or bin_for(subject).filter(pk=document_id).first()
    if found is None or found.state == DocumentState.DELETING:
        raise NotFound(_("There is no such document, or you may not see it."))
    return found


def versions_seen(document: Document, *, may_edit: bool) -> "QuerySet[Version]":
    """Editors see every version, readers those that were published."""
    versions = versions_of(document)
    return versions if may_edit else versions.exclude(published_at=None)


def numbered(versions: Sequence[Version], number: int) -> Version:
    found = next((each for each in versions if each.number == number), None)
    if found is None:
        raise NotFound(_("This document has no such version."))
    return found


def newest(versions: Sequence[Version]) -> Version:
    """The last that was published, else the last."""
    found = next((each for each in versions if each.published_at), next(iter(versions), None))
    if found is None:
        raise NotFound(_("This document has not been read yet."))
    return found


def published_before(versions: Sequence[Version], after: Version) -> Version | None:
    return next((each for each in versions if each.number < after.number and each.published_at), None)


def contents_of(version: Version) -> list[UUID]:
    """In reading order; the place in the list is the chunk's ordinal."""
    return list(Chunk.objects.filter(version=version).order_by("ordinal").values_list("content_hash", flat=True))


def chunk_changes(found: Compared, *, page: int = 1) -> list[ChunkChange]:
    """One page of what became of passages, from 1, in reading order; empty behind the last."""
    first = max(0, page - 1) * PAGE
    lines = list(lines_of(found, first, first + PAGE))
    before = chunks_at(found.before, [old for old, _new in lines if old is not None])
    after = chunks_at(found.after, [new for _old, new in lines if new is not None])
    return [change(before.get(old), after.get(new)) for old, new in lines]


def lines_of(found: Compared, first: int, end: int) -> Iterator[tuple[Any, Any]]:
    """The ordinals on both sides of the lines from `first` to before `end`; None where there is no counterpart."""
    places = found.alignment.places
    begins = accumulate((place.size for place in places), initial=0)
    for place, begin in zip(places, begins, strict=False):
        if begin < end and begin + place.size > first:
            yield from lines_at(found, place)[max(0, first - begin) : end - begin]


def lines_at(found: Compared, place: Place) -> list[tuple[int | None, int | None]]:
    """All lines of one place. Texts are read only where they decide which passage became which."""
    is_even = len(place.before) == len(place.after)
    if is_even or not place.changed or len(place.before) + len(place.after) > PLACE_READ:
        return [
            (place.before[n] if n < len(place.before) else None, place.after[n] if n < len(place.after) else None)
            for n in range(place.size)
        ]
    before, after = chunks_at(found.before, place.before), chunks_at(found.after, place.after)
    told = pairs([before[each].text for each in place.before], [after[each].text for each in place.after])
    return [
        (None if old is None else place.before[old], None if new is None else place.after[new]) for old, new in told
    ]


def chunks_at(version: Version | None, ordinals: Sequence[int]) -> dict[int | None, Chunk]:
    if version is None or not ordinals:
        return {}
    return {each.ordinal: each for each in Chunk.objects.filter(version=version, ordinal__in=ordinals)}


def change(before: Chunk | None, after: Chunk | None) -> ChunkChange:
    if before is None or after is None:
        alone = before or after
        assert alone is not None
        return ChunkChange(before, after, compared(alone.context, alone.context), compared(alone.text, alone.text))
    return ChunkChange(before, after, compared(before.context, after.context), compared(before.text, after.text))


def reading_spent(found: Compared) -> ReadingSpent | None:
    """Of the later version; for editors, None for others."""
    if not found.may_edit:
        return None
    totals = document_totals(found.document.pk, since=found.after.created_at, until=next_came(found.after))
    with connection.cursor() as cursor:
        cursor.execute(NEW_CONTENTS, {"version": found.after.pk, "begun": found.after.created_at})
        contents, new = cursor.fetchone() or (0, 0)
    return ReadingSpent(totals, contents, new)


def next_came(version: Version) -> datetime | None:
    """When the version after it came; what is charged from then on is that one's."""
    later = Version.objects.filter(document=version.document_id, number__gt=version.number).order_by("number")
    return later.values_list("created_at", flat=True).first()

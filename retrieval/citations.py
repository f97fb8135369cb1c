"""Citations between a message's row and a reader's eyes. Kept: numbers and offsets only. Read: the text that stands at those offsets now, through the access policy.

A source that was deleted, or that the reader may no longer see, comes back with its number and nothing else.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import connection

from accounts.types import Subject
from knowledge import policy
from knowledge.models import DocumentState, Section, Version
from retrieval.answer import Citation
from retrieval.sources import below_title
from retrieval.types import Span

PIECES = """
SELECT w.n, substring(v.text FROM w.first + 1 FOR w.last - w.first)
FROM unnest(%s::uuid[], %s::int[], %s::int[]) WITH ORDINALITY AS w(version_id, first, last, n)
JOIN knowledge_version v ON v.id = w.version_id
"""

Row = Mapping[str, Any]


def citation_kept(citation: Citation) -> dict[str, Any]:
    """For the row of a message: no text, no title."""
    return {
        "n": citation.n,
        "document": str(citation.document),
        "version": str(citation.version_id),
        "chunk": str(citation.chunk),
        "start": citation.start,
        "end": citation.end,
        "page": citation.page,
        "kind": citation.kind,
        "mark": pair(citation.mark),
        "lead": pair(citation.lead),
    }


def citations_read(subject: Subject, rows: Sequence[Row]) -> dict[int, Citation]:
    """What these rows cite, by number, as the subject may see it now."""
    versions = versions_cited(subject, rows)
    shown = [row for row in rows if row.get("version") and UUID(row["version"]) in versions]
    texts = texts_at([(row["version"], row["start"], row["end"]) for row in shown])
    leads = texts_at([(row["version"], *(row["lead"] or (0, 0))) for row in shown])
    paths = heading_paths([(UUID(row["version"]), row["start"]) for row in shown])
    read = {
        row["n"]: citation_of(row, versions[UUID(row["version"])], text, lead, path)
        for row, text, lead, path in zip(shown, texts, leads, paths, strict=True)
    }
    return {row["n"]: read.get(row["n"]) or deleted(row) for row in rows}


def versions_cited(subject: Subject, rows: Iterable[Row]) -> dict[UUID, Version]:
    """The versions, without their texts, of documents in use that the subject may read."""
    wanted = {row["version"] for row in rows if row.get("version")}
    versions = Version.objects.filter(pk__in=wanted, document__state=DocumentState.LIVE)
    visible = policy.visible(versions, subject).select_related("document").defer("text")
    return {version.pk: version for version in visible}


def citation_of(row: Row, version: Version, text: str, lead: str, path: tuple[str, ...]) -> Citation:
    document = version.document
    return Citation(
        n=row["n"],
        document=document.pk,
        version=version.number,
        version_id=version.pk,
        chunk=UUID(row["chunk"]),
        start=row["start"],
        end=row["end"],
        text=text,
        page=row["page"],
        document_title=str(document),
        path=document.path,
        kind=row["kind"],
        language=version.language or document.language,
        heading_path=below_title(path, str(document)),
        mark=Span(*row["mark"]) if row["mark"] else None,
        lead=Span(*row["lead"]) if row["lead"] else None,
        lead_text=lead,
    )


def deleted(row: Row) -> Citation:
    return Citation(n=row["n"], document=UUID(row["document"]), is_deleted=True)


def erased(row: Row) -> dict[str, Any]:
    """What stays in a message of a citation whose document is gone for good."""
    return {"n": row["n"], "document": row["document"]}


def texts_at(places: Sequence[tuple[str, int, int]]) -> list[str]:
    """The canonical text between these offsets, in the same order; PostgreSQL cuts, so that no whole document travels."""
    if not places:
        return []
    versions, starts, ends = zip(*places, strict=True)
    with connection.cursor() as cursor:
        cursor.execute(PIECES, [list(versions), list(starts), list(ends)])
        found = dict(cursor.fetchall())
    return [found.get(n, "") for n in range(1, len(places) + 1)]


def heading_paths(places: Sequence[tuple[UUID, int]]) -> list[tuple[str, ...]]:
    """The headings above each place, outermost first."""
    sections = Section.objects.filter(version_id__in={version for version, _start in places}, level__gt=0)
    around = list(sections.order_by("ordinal").values_list("version_id", "start", "end", "title"))
    return [
        tuple(title for owner, first, last, title in around if owner == version and first <= start < last and title)
        for version, start in places
    ]


def pair(span: Span | None) -> list[int] | None:
    return [span.start, span.end] if span else None

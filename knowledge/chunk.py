"""Step two: from text and blocks to sections and chunks. Given the same text it always gives the same chunks, so that it goes on where it stopped."""

from collections.abc import Iterator
from itertools import islice
from uuid import UUID

from django.db import transaction

from knowledge.chunking.identity import content_hash
from knowledge.chunking.sections import sections
from knowledge.chunking.split import split
from knowledge.leases import Lease
from knowledge.models import Chunk, Section, StoredBlock, Version
from knowledge.tools import Tools
from knowledge.types import Block, BlockKind, ChunkDraft

name = "chunk"

BATCH = 300
STREAMED_FROM = 500_000


def is_done(version: Version) -> bool:
    """The count is stored with the last chunk, never before."""
    return Version.objects.filter(pk=version.pk, chunk_count__isnull=False).exists()


def run(version: Version, lease: Lease, tools: Tools) -> None:
    """Raises EngineUnavailable when tokens can't be counted."""
    read = Version.objects.only("text", "title", "length", "page_starts", "document_id").get(pk=version.pk)
    stored_ones = stored_sections(read, lease, tools)
    section_ids = [pk for pk, _is_record in stored_ones]
    stored = Chunk.objects.filter(version=version).count()
    drafts = split(
        read.text,
        blocks_of(read),
        title=read.title,
        count_tokens=tools.embedder.count_tokens,
        size=tools.chunk_size,
        page_starts=read.page_starts,
        records={ordinal for ordinal, (_pk, is_record) in enumerate(stored_ones) if is_record},
    )
    rest = islice(drafts, stored, None)
    is_last = False
    while not is_last:
        rows = [chunk_row(version, read.text, section_ids, draft) for draft in islice(rest, BATCH)]
        is_last = len(rows) < BATCH
        stored += len(rows)
        with transaction.atomic():
            lease.check()
            Chunk.objects.bulk_create(rows)
            if is_last:
                Version.objects.filter(pk=version.pk).update(chunk_count=stored)
        lease.progress(stored, stored if is_last else stored * len(read.text) // rows[-1].end)


def forget(version: Version) -> None:
    """Remove the chunks, so that they are made again."""
    Chunk.objects.filter(version=version).delete()
    Section.objects.filter(version=version).delete()
    Version.objects.filter(pk=version.pk).update(chunk_count=None, records_by="")


def stored_sections(version: Version, lease: Lease, tools: Tools) -> list[tuple[UUID, bool]]:
    """By ordinal their ids and whether they begin a record; all are stored at once, parents before children, so that who goes on cuts along the same records."""
    if there := list(Section.objects.filter(version=version).order_by("ordinal").values_list("pk", "is_record")):
        return there
    headings = tools.records.of(version.document.kb_id)
    rows: list[Section] = []
    for draft in sections(version.text, blocks_of(version), title=version.title):
        parent = rows[draft.parent] if draft.parent is not None else None
        rows.append(
            Section(
                version=version,
                ordinal=draft.ordinal,
                parent=parent,
                level=draft.level,
                title=draft.title,
                start=draft.start,
                end=draft.end,
                is_record=draft.level > 0 and headings.begins(draft.title),
            )
        )
    with transaction.atomic():
        lease.check()
        Section.objects.bulk_create(rows, batch_size=1000)
        Version.objects.filter(pk=version.pk).update(records_by=headings.fingerprint)
    return [(row.pk, row.is_record) for row in rows]


def blocks_of(version: Version) -> Iterator[Block]:
    """The stored blocks in reading order; of a long text as a stream from the server."""
    fields = ("kind", "start", "end", "level", "parts", "header_parts", "page")
    stored = StoredBlock.objects.filter(version=version).order_by("ordinal").values_list(*fields)
    rows = stored.iterator(chunk_size=1000) if version.length > STREAMED_FROM else stored
    for kind, start, end, level, parts, header_parts, page in rows:
        yield Block(
            BlockKind(kind), start, end, level, tuple((first, last) for first, last in parts), header_parts, page
        )


def chunk_row(version: Version, text: str, section_ids: list[UUID], draft: ChunkDraft) -> Chunk:
    """The row of a draft; its text is cut from the canonical text here and nowhere else."""
    words = text[draft.start : draft.end]
    return Chunk(
        kb_id=version.document.kb_id,
        document_id=version.document_id,
        version=version,
        section_id=section_ids[draft.section],
        ordinal=draft.ordinal,
        kind=draft.kind.value,
        start=draft.start,
        end=draft.end,
        page=draft.page,
        context=draft.context,
        text=words,
        tokens=draft.tokens,
        content_hash=content_hash(draft.kind, draft.context, words),
    )

"""Step one: from the original's bytes to canonical text, blocks and pictures, stored in one transaction."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import NamedTemporaryFile

from django.db import connection, transaction

from common.storage import Storage, pieces_of
from common.text import language_of
from knowledge import metadata
from knowledge.leases import Lease
from knowledge.models import Original, StoredBlock, StoredPicture, Version
from knowledge.parsing.read import read
from knowledge.pictures import DocumentPictures
from knowledge.tools import Tools
from knowledge.types import Block, ParsedDocument, SourceFile

name = "parse"

LANGUAGE_SAMPLE = 200_000
COPY = (
    'COPY knowledge_storedblock (version_id, ordinal, kind, start, "end", level, parts, header_parts, page) FROM STDIN'
)


def is_done(version: Version) -> bool:
    """The parser's name is stored with the text, never without."""
    return Version.objects.filter(pk=version.pk).exclude(parser="").exists()


def run(version: Version, lease: Lease, tools: Tools) -> None:
    """Raises UnreadableFile with advice for the sender."""
    if not lease.is_first and is_done(version):
        return  # another worker finished between the question and the lease
    lease.progress(0, 1)
    original = Original.objects.get(pk=version.original_id)
    pictures = DocumentPictures(tools.storage, version.document_id)
    with on_disk(tools.storage, original) as source:
        parsed = read(source, pictures, tools.limits)
    with transaction.atomic():
        lease.check()
        if not lease.is_first:
            clear(version)
        copy_blocks(version, parsed.blocks)
        store(version, original, parsed)
    lease.progress(1, 1)


def forget(version: Version) -> None:
    """Take the text back, so that it is read again."""
    Version.objects.filter(pk=version.pk).update(parser="", text="", length=0, page_starts=[], notices=[])
    clear(version)


def clear(version: Version) -> None:
    """Remove the parts of the text that have rows of their own."""
    StoredBlock.objects.filter(version=version).delete()
    StoredPicture.objects.filter(version=version).delete()


def store(version: Version, original: Original, parsed: ParsedDocument) -> None:
    """The text and what the file says of itself; what the sender said goes before that."""
    StoredPicture.objects.bulk_create(
        StoredPicture(
            version=version,
            key=picture.key,
            media_type=picture.media_type,
            caption=picture.caption,
            start=picture.start,
            end=picture.end,
            page=picture.page,
        )
        for picture in parsed.pictures
    )
    said = metadata.from_file(parsed.metadata) | version.metadata
    Version.objects.filter(pk=version.pk).update(
        text=parsed.text,
        length=len(parsed.text),
        parser=parsed.parser,
        page_starts=list(parsed.page_starts),
        notices=[str(notice) for notice in parsed.notices],
        language=language_of(parsed.text[:LANGUAGE_SAMPLE]),
        title=title_of(version, original, parsed)[:500],
        metadata=said,
    )
    if original.media_type != parsed.media_type:
        Original.objects.filter(pk=original.pk).update(media_type=parsed.media_type)


def title_of(version: Version, original: Original, parsed: ParsedDocument) -> str:
    """What an editor or the sender calls it, else the file itself, else its name without the ending."""
    by_hand = version.document.title if "title" in version.document.set_by_hand else ""
    return by_hand or version.title or parsed.title or PurePosixPath(original.name).stem


def copy_blocks(version: Version, blocks: Iterable[Block]) -> None:
    """A long document has a hundred thousand blocks: they go in as one stream."""
    with connection.cursor() as cursor, cursor.copy(COPY) as copy:
        copy.set_types(["uuid", "int4", "varchar", "int4", "int4", "int2", "text", "int2", "int4"])
        for ordinal, block in enumerate(blocks):
            parts = "[" + ",".join(f"[{start},{end}]" for start, end in block.parts) + "]"
            copy.write_row(
                (
                    version.pk,
                    ordinal,
                    block.kind.value,
                    block.start,
                    block.end,
                    block.level,
                    parts,
                    block.header_parts,
                    block.page,
                )
            )


@contextmanager
def on_disk(storage: Storage, original: Original) -> Iterator[SourceFile]:
    """The original as a file that parsers can open: itself where storage is a folder, else a copy for the time being."""
    if path := storage.local_path(original.key):
        yield SourceFile(path, original.name, original.size_bytes)
        return
    with NamedTemporaryFile(prefix="trellis-") as copy:
        with storage.open(original.key) as file:
            for piece in pieces_of(file):
                copy.write(piece)
        copy.flush()
        yield SourceFile(Path(copy.name), original.name, original.size_bytes)

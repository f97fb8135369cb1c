"""A cheap look at a file before anything is stored, for the upload's preview: what it is, or why it will be refused. It reads no content."""

from dataclasses import dataclass

from knowledge.parsing import refusals
from knowledge.parsing.containers import open_container, refuse_bombs, refuse_entities
from knowledge.parsing.decode import encoding_of
from knowledge.parsing.detect import detect
from knowledge.parsing.limits import ReadLimits
from knowledge.parsing.media import LABELS, OFFICE, MediaType
from knowledge.types import SourceFile

_SAMPLE_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class Inspection:
    """What a file is; `pages` is known for PDF only, `encoding` for texts only."""

    media_type: MediaType
    pages: int | None = None
    encoding: str | None = None

    @property
    def is_archive(self) -> bool:
        """Whether it holds files rather than being a document."""
        return self.media_type is MediaType.ZIP


def inspect(source: SourceFile, limits: ReadLimits) -> Inspection:
    """Raises UnreadableFile with the reason and advice when the file would certainly be refused."""
    if source.size_bytes > limits.file_bytes:
        raise refusals.too_large(source.name, found=source.size_bytes, limit=limits.file_bytes)
    media_type = detect(source)
    if media_type is MediaType.PDF:
        from knowledge.parsing.pdf.pdfium import opened

        with opened(source) as pdf:
            return Inspection(media_type, pages=len(pdf))
    if media_type in OFFICE or media_type is MediaType.ZIP:
        _look_into(source, media_type, limits)
        return Inspection(media_type)
    return Inspection(media_type, encoding=_sampled_encoding(source))


def _look_into(source: SourceFile, media_type: MediaType, limits: ReadLimits) -> None:
    archive = open_container(source.path)
    if archive is None:
        raise refusals.broken_file(source.name, label=LABELS[media_type])
    with archive:
        refuse_bombs(archive, source.size_bytes, limits, source.name)
        if media_type in OFFICE:
            refuse_entities(archive, source.name, LABELS[media_type])
        elif not any(not entry.is_dir() for entry in archive.infolist()):
            raise refusals.empty_file(source.name)


def _sampled_encoding(source: SourceFile) -> str:
    with source.path.open("rb") as file:
        sample = file.read(_SAMPLE_BYTES)
    if not sample.strip(b" \t\r\n\0\xef\xbb\xbf\xff\xfe"):
        raise refusals.empty_file(source.name)
    return encoding_of(sample, source.name, is_cut=source.size_bytes > _SAMPLE_BYTES)

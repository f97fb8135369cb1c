"""What a file that is sent will be to its knowledge base, before anything is committed. Given files, gives one `Examined` each, refused ones included."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.db import connection

from common.errors import InvalidInput, UnreadableFile
from knowledge import metadata
from knowledge.faults import Fault, fault_of
from knowledge.models import KnowledgeBase, Outcome
from knowledge.parsing import refusals
from knowledge.parsing.inspect import inspect
from knowledge.parsing.limits import ReadLimits
from knowledge.parsing.media import ENDINGS, ending
from knowledge.parsing.paths import normalise_path
from knowledge.types import SourceFile

PIECE = 1024 * 1024

LATEST = """
SELECT document.path, document.id, version.id, version.number, original.sha256, coalesce(version.metadata->>'title', ''),
    EXISTS (SELECT 1 FROM knowledge_stagerun AS run WHERE run.version_id = version.id AND run.state IN ('failed', 'cancelled'))
FROM knowledge_document AS document
JOIN LATERAL (SELECT * FROM knowledge_version WHERE document_id = document.id ORDER BY number DESC LIMIT 1) AS version ON true
JOIN knowledge_original AS original ON original.id = version.original_id
WHERE document.kb_id = %s AND document.state = 'live' AND document.path = ANY(%s)
"""
SAME_BYTES = """
SELECT DISTINCT ON (original.sha256) original.sha256, document.path
FROM knowledge_original AS original JOIN knowledge_document AS document ON document.id = original.document_id
WHERE original.sha256 = ANY(%s) AND document.kb_id = %s AND document.state = 'live' AND NOT document.path = ANY(%s)
"""
IN_BIN = "SELECT DISTINCT path FROM knowledge_document WHERE kb_id = %s AND state = 'binned' AND path = ANY(%s)"


@dataclass(frozen=True, slots=True)
class IncomingFile:
    """A file as it was sent: its path in the sender's words, and its bytes, on disk or (short texts) at hand.

    `name` says what kind of file it is where the path does not; `said` is what the sender says of the document (see `metadata.from_sender`);
    `error` is why it is refused already, as a part of an archive may be; `container` is the archive that it came in.
    """

    path: str
    content: Path | bytes
    name: str = ""
    said: dict[str, Any] = field(default_factory=dict)
    error: UnreadableFile | None = None
    container: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """The latest version of the document that already has this path."""

    document_id: Any
    version_id: Any
    number: int
    sha256: str
    title: str
    has_failed: bool


@dataclass(frozen=True, slots=True)
class Examined:
    """A file and what it will be. `notices` are codes with the path they are about; `error` is set for a refused one."""

    path: str
    name: str
    size_bytes: int = 0
    sha256: str = ""
    media_type: str = ""
    said: metadata.Metadata = field(default_factory=dict)
    outcome: Outcome = Outcome.NEW
    notices: tuple[dict[str, str], ...] = ()
    error: Fault | None = None
    known: Known | None = None

    @property
    def is_refused(self) -> bool:
        return self.outcome == Outcome.REFUSED


def examine(
    files: Iterable[IncomingFile], limits: ReadLimits, *, taken: Iterable[str] = ()
) -> Iterator[tuple[IncomingFile, Examined]]:
    """Look at each file by itself: path, type, size, hash. A second file under one path is refused; `taken` are paths that the batch has already."""
    seen = set(taken)
    for file in files:
        try:
            if file.error:
                raise file.error
            found = look_at(file, limits)
            if found.path in seen:
                raise refusals.duplicate_name(found.path)
            seen.add(found.path)
        except (UnreadableFile, InvalidInput) as error:
            found = refused(file, error)
        yield file, found


def look_at(file: IncomingFile, limits: ReadLimits) -> Examined:
    """Raises UnreadableFile or InvalidInput when it would be refused."""
    path = normalise_path(file.path)
    name = file.name or path
    said = metadata.from_sender(file.said)
    if isinstance(file.content, bytes):
        if not file.content.strip():
            raise refusals.empty_file(path)
        if len(file.content) > limits.file_bytes:
            raise refusals.too_large(path, found=len(file.content), limit=limits.file_bytes)
        media_type = ENDINGS.get(ending(name), "")
        return Examined(path, name, len(file.content), sha256(file.content).hexdigest(), media_type, said=said)
    size = file.content.stat().st_size
    inspection = inspect(SourceFile(file.content, name, size), limits)
    return Examined(path, name, size, hash_of(file.content), inspection.media_type, said=said)


def refused(file: IncomingFile, error: InvalidInput) -> Examined:
    """A file that is not taken, and why."""
    return Examined(
        path=refusals.printable(f"{file.container} › {file.path}" if file.container else file.path) or "?",
        name=file.name or file.path,
        size_bytes=size_of(file),
        outcome=Outcome.REFUSED,
        error=fault_of(error),
    )


def size_of(file: IncomingFile) -> int:
    """As it was sent; 0 for a part of an archive that was not taken out."""
    return len(file.content) if isinstance(file.content, bytes) else file.content.stat().st_size


def hash_of(path: Path) -> str:
    """SHA-256 of a file, in pieces."""
    digest = sha256()
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            digest.update(piece)
    return digest.hexdigest()


def classify(kb: KnowledgeBase, files: Iterable[Examined]) -> list[Examined]:
    """What each file will be, given what is there now. Three statements, however many files."""
    files = list(files)
    accepted = [file for file in files if not file.is_refused]
    names = [file.path for file in accepted]
    with connection.cursor() as cursor:
        cursor.execute(LATEST, [kb.pk, names])
        known = {path: Known(*rest) for path, *rest in cursor.fetchall()}
        cursor.execute(SAME_BYTES, [[file.sha256 for file in accepted], kb.pk, names])
        elsewhere = dict(cursor.fetchall())
        cursor.execute(IN_BIN, [kb.pk, names])
        binned = {path for (path,) in cursor.fetchall()}
    twins: dict[str, str] = {}
    return [file if file.is_refused else placed(file, known.get(file.path), elsewhere, binned, twins) for file in files]


def placed(
    file: Examined, known: Known | None, elsewhere: dict[str, str], binned: set[str], twins: dict[str, str]
) -> Examined:
    """One file beside what is known of its path; `twins` collects the files of this batch by their bytes."""
    notices = []
    if twin := elsewhere.get(file.sha256) or twins.get(file.sha256):
        notices.append({"code": "same_bytes", "path": twin})
    twins.setdefault(file.sha256, file.path)
    if known is None:
        if file.path in binned:
            notices.append({"code": "in_bin", "path": file.path})
        return replace(file, outcome=Outcome.NEW, notices=tuple(notices), known=None)
    retitled = bool(file.said.get("title")) and file.said["title"] != known.title
    outcome = Outcome.NEW_VERSION
    if known.sha256 == file.sha256 and not retitled:
        outcome = Outcome.AGAIN if known.has_failed else Outcome.UNCHANGED
    return replace(file, outcome=outcome, notices=tuple(notices), known=known)

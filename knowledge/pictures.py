"""Where pictures from inside an original are kept: in storage, below their document, each once."""

from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID

from common.storage import Storage


def document_prefix(document_id: UUID) -> str:
    """The folder in storage below which everything made from a document lies."""
    return f"documents/{document_id}"


@dataclass(frozen=True, slots=True)
class DocumentPictures:
    """The picture sink of one document."""

    storage: Storage
    document_id: UUID

    def keep(self, data: bytes, media_type: str) -> str:
        """Store a picture under the hash of its bytes."""
        ending = media_type.partition("/")[2].partition("+")[0] or "bin"
        key = f"{document_prefix(self.document_id)}/pictures/{sha256(data).hexdigest()}.{ending}"
        if self.storage.local_path(key) is None:
            self.storage.keep(key, [data])
        return key

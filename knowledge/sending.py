"""Sends stored bytes: PDF and pictures may open in the browser, everything else is saved. Who may have them has been decided before."""

from common.streaming import SentFile
from knowledge.models import Original, StoredPicture
from knowledge.tools import tools

INLINE = frozenset({"application/pdf", "image/png", "image/jpeg", "image/gif", "image/webp"})


def send_original(original: Original, *, as_download: bool) -> SentFile:
    """The bytes as they came. Raises NotFound when they are gone."""
    return sent(original.key, original.media_type, name=original.name.rpartition("/")[2], as_download=as_download)


def send_picture(picture: StoredPicture) -> SentFile:
    """A picture from inside an original. Raises NotFound when it is gone."""
    return sent(picture.key, picture.media_type, name="", as_download=False)


def sent(key: str, media_type: str, *, name: str, as_download: bool) -> SentFile:
    is_inline = media_type in INLINE
    return SentFile(
        tools().storage.open(key),
        as_attachment=as_download or not is_inline,
        filename=name,
        content_type=media_type if is_inline else "application/octet-stream",
    )

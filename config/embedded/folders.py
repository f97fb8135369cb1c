"""Folders that only their owner may enter."""

from pathlib import Path

from common.errors import Misconfigured


def private_folder(path: Path) -> Path:
    """The folder, made with mode 0700 together with the ones above it that are missing. Raises Misconfigured where we may not write."""
    if not path.is_dir():
        private_folder(path.parent)
        try:
            path.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise Misconfigured(
                f"The folder {path} can't be made ({error.strerror}). Set TRELLIS_DATA_DIR to a folder that may be written."
            ) from None
    return path

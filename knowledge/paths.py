"""Paths of documents: the identity of a document within its knowledge base."""

from knowledge.parsing.paths import normalise_path


def folder_of(path: str) -> str:
    """The part before the last slash; empty at the top."""
    return path.rpartition("/")[0]


def moved(path: str, *, to_folder: str) -> str:
    """The same name in another folder (empty: the top). Raises UnreadableFile for a folder that can't be."""
    name = path.rpartition("/")[2]
    return normalise_path(f"{to_folder}/{name}" if to_folder else name)

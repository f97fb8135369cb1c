"""The folder that keeps originals and pictures."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from common.errors import NotFound
from common.storage import FolderStorage, pieces_of


@pytest.fixture
def storage(tmp_path: Path) -> FolderStorage:
    return FolderStorage(tmp_path / "storage")


def test_what_is_kept_comes_back(storage: FolderStorage) -> None:
    storage.keep("kb/doc/a", [b"one", b"two"])

    with storage.open("kb/doc/a") as file:
        assert b"".join(pieces_of(file)) == b"onetwo"


def test_a_broken_upload_leaves_nothing(storage: FolderStorage) -> None:
    def broken() -> Iterator[bytes]:
        yield b"one"
        raise OSError("the line went dead")

    with pytest.raises(OSError, match="dead"):
        storage.keep("kb/doc/a", broken())

    assert list(storage.keys_below("kb")) == []


@pytest.mark.parametrize("key", ["../outside", "kb/../../outside", "/etc/passwd"])
def test_keys_stay_inside(storage: FolderStorage, key: str) -> None:
    with pytest.raises(NotFound):
        storage.open(key)


def test_a_missing_file_is_said_so(storage: FolderStorage) -> None:
    with pytest.raises(NotFound):
        storage.open("kb/doc/none")


def test_removing_twice_is_fine_and_leaves_no_empty_folders(storage: FolderStorage) -> None:
    storage.keep("kb/doc/a", [b"x"])
    storage.remove("kb/doc/a")
    storage.remove("kb/doc/a")

    assert list(storage.root.iterdir()) == []


def test_a_folder_is_removed_with_all_that_is_in_it(storage: FolderStorage) -> None:
    storage.keep("kb/one/a", [b"x"])
    storage.keep("kb/one/b", [b"x"])
    storage.keep("kb/two/a", [b"x"])

    storage.remove_below("kb/one")

    assert list(storage.keys_below("kb")) == ["kb/two/a"]

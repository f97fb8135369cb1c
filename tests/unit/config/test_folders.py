"""Folders are for their owner only, and where none can be made the setting is named."""

import stat
from pathlib import Path

import pytest

from common.errors import Misconfigured
from config.embedded.folders import private_folder


def test_every_missing_folder_is_made_for_the_owner_only(tmp_path: Path) -> None:
    made = private_folder(tmp_path / "a" / "b")
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in (made, made.parent)] == [0o700, 0o700]
    assert private_folder(made) == made


def test_where_a_file_is_in_the_way_the_setting_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(Misconfigured, match="TRELLIS_DATA_DIR"):
        private_folder(tmp_path / "taken" / "var")

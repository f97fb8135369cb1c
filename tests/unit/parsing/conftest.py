"""Files made in the tests and read as the way in reads them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from common.errors import UnreadableFile
from knowledge.parsing.limits import ReadLimits
from knowledge.parsing.read import read
from knowledge.types import ParsedDocument, SourceFile
from tests.unit.parsing.rules import check_rules


class MemorySink:
    """Keeps pictures in memory under keys that count."""

    def __init__(self) -> None:
        self.kept: dict[str, tuple[bytes, str]] = {}

    def keep(self, data: bytes, media_type: str) -> str:
        key = f"picture-{len(self.kept) + 1}"
        self.kept[key] = (data, media_type)
        return key


ReadBytes = Callable[..., ParsedDocument]
Refusal = Callable[..., UnreadableFile]
MakeFile = Callable[[str, bytes], SourceFile]


@pytest.fixture
def sink() -> MemorySink:
    return MemorySink()


@pytest.fixture
def make_file(tmp_path: Path) -> MakeFile:
    """Puts bytes into a file called as its owner calls it."""

    def make(name: str, data: bytes) -> SourceFile:
        path = tmp_path / f"upload-{len(list(tmp_path.iterdir()))}"
        path.write_bytes(data)
        return SourceFile(path, name, len(data))

    return make


@pytest.fixture
def read_bytes(make_file: MakeFile, sink: MemorySink) -> ReadBytes:
    """Reads bytes under a name; every result is checked for the rules that hold for all of them."""

    def reading(name: str, data: bytes | str, limits: ReadLimits | None = None) -> ParsedDocument:
        raw = data.encode() if isinstance(data, str) else data
        document = read(make_file(name, raw), sink, limits or ReadLimits())
        check_rules(document)
        return document

    return reading


@pytest.fixture
def refusal(make_file: MakeFile, sink: MemorySink) -> Refusal:
    """The refusal of bytes under a name; its message must name the file and give advice in a sentence of its own."""

    def refused(name: str, data: bytes, limits: ReadLimits | None = None) -> UnreadableFile:
        with pytest.raises(UnreadableFile) as caught:
            read(make_file(name, data), sink, limits or ReadLimits())
        message = str(caught.value)
        assert name in message
        assert message.count(". ") >= 1
        assert message.endswith(".")
        return caught.value

    return refused

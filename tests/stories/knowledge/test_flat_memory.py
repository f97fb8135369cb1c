"""T23, small (`make bench ONLY=indexing` reads 10,000 chunks): a long text is read with flat memory. What grows is the text itself and its parts as the parser has them, not the chunks, vectors and words."""

import os
import subprocess
import sys

import pytest

from config.conf import PROJECT
from tests.stories.knowledge.conftest import database_address, long_text


@pytest.mark.timeout(600)
def test_ten_times_the_chunks_take_hardly_more_memory(kb, tmp_path):
    texts = [long_text(200), long_text(2_000)]
    sources = [tmp_path / "few.md", tmp_path / "many.md"]
    for source, text in zip(sources, texts, strict=True):
        source.write_text(text, encoding="utf-8")

    done = subprocess.run(
        [
            *(sys.executable, "-W", "ignore", "-m", "tests.stories.knowledge.reading_alone"),
            *(str(tmp_path / "storage"), kb.slug, *map(str, sources)),
        ],
        cwd=PROJECT,
        env={**os.environ, "DATABASE_URL": database_address(), "TRELLIS_DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )

    print(done.stdout)
    (_, few), (many_more_mib, many) = (map(float, line.split()) for line in done.stdout.splitlines()[-2:])
    assert many >= 2_000
    assert many > 9 * few
    grown_text = (len(texts[1]) - len(texts[0])) / 2**20
    assert many_more_mib < 10 * grown_text

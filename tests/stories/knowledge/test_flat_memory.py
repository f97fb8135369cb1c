"""T23, small (`make bench ONLY=indexing` reads 10,000 chunks): a long text is read with flat memory. What grows is the text itself and its parts as the parser has them, not the chunks, vectors and words."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connections

from config.conf import PROJECT
from tests.stories.knowledge.conftest import long_text


def read_alone(folder: Path, kb: str, paragraphs: int) -> tuple[float, int, float]:
    """Peak of memory in MiB, chunks, and the text's size in MiB."""
    text = long_text(paragraphs)
    source = folder / f"{paragraphs}.md"
    source.write_text(text, encoding="utf-8")
    url = "postgresql://{USER}:{PASSWORD}@{HOST}:{PORT}/{NAME}".format(**connections["default"].settings_dict)
    done = subprocess.run(
        [
            sys.executable,
            "-W",
            "ignore",
            "-m",
            "tests.stories.knowledge.reading_alone",
            str(folder / "storage"),
            kb,
            str(source),
        ],
        cwd=PROJECT,
        env={**os.environ, "DATABASE_URL": url, "TRELLIS_DATA_DIR": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    mib, chunks = done.stdout.split()[-2:]
    return float(mib), int(chunks), len(text) / 2**20


@pytest.mark.timeout(600)
def test_ten_times_the_chunks_take_hardly_more_memory(kb, tmp_path):
    few_mib, few, few_text = read_alone(tmp_path, kb.slug, 200)
    many_mib, many, many_text = read_alone(tmp_path, kb.slug, 2_000)

    assert many >= 2_000
    assert many > 9 * few
    grown_text = many_text - few_text
    print(f"{few} chunks {few_mib} MiB, {many} chunks {many_mib} MiB, text {few_text:.1f} and {many_text:.1f} MiB")
    assert many_mib - few_mib < 10 * grown_text

"""Long files are read with flat memory: what a long one takes beyond a short one is little more than its text."""

from pathlib import Path

import pytest

from benchmarks.pdf_pages import MIB, make, measured


@pytest.mark.timeout(200)
def test_a_pdf_ten_times_as_long_takes_hardly_more_memory(tmp_path: Path) -> None:
    books = []
    for pages in (20, 200):
        make(tmp_path / f"{pages}.pdf", pages)
        books.append(measured(tmp_path / f"{pages}.pdf"))
    short, long = books
    assert long["pages"] == 200
    text = long["chars"] - short["chars"]
    assert long["peak"] - short["peak"] < 3 * text + 40 * MIB

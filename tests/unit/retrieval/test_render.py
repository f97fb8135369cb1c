"""Answers as HTML: every citation of a quotation keeps its chip, wherever the stretch that answers ends."""

import re
from dataclasses import replace
from uuid import UUID

import pytest

from retrieval.answer import Citation, Quoted
from retrieval.render import answer_html
from retrieval.types import Span

CHIP = re.compile('class="cite"[^>]*data-n="(\\d)"')
DOCUMENT = UUID(int=1)
HEAD = "| Model | Method |\n"
LINES = ("| Orchid | DPO |\n", "| Mimosa | 直接偏好优化 |\n", "| Clover | DPO |")


def rows(mark_of):
    """A citation for each row, marked with `mark_of(start, line)`."""
    start = len(HEAD)
    for n, line in enumerate(LINES, 1):
        yield Citation(
            n,
            DOCUMENT,
            1,
            start=start,
            end=start + len(line),
            text=line,
            document_title="Models",
            kind="row",
            language="en",
            mark=mark_of(start, line),
            lead=Span(0, len(HEAD)),
            lead_text=HEAD,
        )
        start += len(line)


def html_of(citations):
    return answer_html(
        [Quoted(each.n) for each in citations],
        {each.n: each for each in citations},
        language="en",
        message_id=UUID(int=2),
    )


@pytest.mark.parametrize(
    "mark_of",
    [
        pytest.param(lambda start, line: Span(start, start + len(line)), id="the whole row"),
        pytest.param(lambda start, line: Span(start, start + len(line.rstrip())), id="the row without its line end"),
        pytest.param(
            lambda start, line: Span(start + line.rindex("| ", 0, -3) + 2, start + len(line.rstrip()) - 2),
            id="its last cell",
        ),
        pytest.param(lambda _start, _line: None, id="nothing"),
    ],
)
def test_every_row_keeps_its_chip(mark_of):
    html = html_of(list(rows(mark_of)))

    assert CHIP.findall(html) == ["1", "2", "3"]
    assert html.count("<table") == 1


def test_marks_in_one_sentence_leave_its_chips():
    whole = "The pump stops. It starts."
    one = Citation(
        1, DOCUMENT, 1, start=10, end=10 + len(whole), text=whole, kind="sentence", language="en", mark=Span(26, 36)
    )

    html = html_of([one, replace(one, n=2, mark=Span(10, 36))])

    assert CHIP.findall(html) == ["1", "2"]
    assert html.count("<mark>") == 2

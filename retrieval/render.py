"""A finished answer, and a stretch of a document, as HTML that is safe to show. Given parts and the citations as they are now; gives one string with citation chips in it.

Documents and models write text; every tag in the result is ours or one that `common.markdown` lets through.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from uuid import UUID

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from common.markdown import safe_html
from retrieval.answer import Citation, Part, Quoted
from retrieval.parts import quotation, sentence_of, without_deleted

# As the ends of marks in `common.markdown`: noncharacters, which no text holds.
_CHIP = re.compile("\ufdd2(\\d+)\ufdd3")
_CHIP_ENDS = re.compile("[\ufdd2\ufdd3]")


def answer_html(
    parts: Sequence[Part], citations: Mapping[int, Citation], *, language: str, message_id: UUID | None
) -> SafeString:
    """The answer with its chips; quotations as sections by document."""
    chips = {n: chip(citation, message_id) for n, citation in citations.items()}
    shown = without_deleted(parts, citations)
    pieces: list[str] = []
    for is_quote, run in groupby(shown, key=lambda part: isinstance(part, Quoted)):
        if is_quote:
            quoted = [citations[part.n] for part in run if isinstance(part, Quoted)]
            pieces.extend(
                excerpt(list(group), chips) for _document, group in groupby(quoted, key=lambda each: each.document)
            )
        else:
            markdown = "".join(sentence_of(part, language, chip_mark) for part in run)
            pieces.append(with_chips(safe_html(markdown), chips))
    return mark_safe("".join(pieces))  # noqa: S308 (each piece is safe)


def excerpt(citations: Sequence[Citation], chips: Mapping[int, SafeString]) -> SafeString:
    """What is quoted of one document."""
    groups = groupby(citations, key=lambda each: (each.kind == "row" and each.lead_text) or each.n)
    blocks = format_html_join(
        "", '<blockquote lang="{}">{}</blockquote>', (block(list(rows), chips) for _lead, rows in groups)
    )
    return format_html(
        '<section class="excerpt"><h3 class="excerpt-title">{}</h3>{}</section>', citations[0].document_title, blocks
    )


def block(citations: Sequence[Citation], chips: Mapping[int, SafeString]) -> tuple[str, SafeString]:
    """One quotation with what answers marked in it."""
    clean = [plain(citation) for citation in citations]
    markdown = quotation(clean, chip_mark)
    marks = list(marks_in(markdown, clean))
    return citations[0].language, with_chips(safe_html(markdown, marks=marks), chips)


def marks_in(markdown: str, citations: Sequence[Citation]) -> list[tuple[int, int]]:
    """Where the answering stretch of each citation stands in the quotation; nothing where all of it answers."""
    marks: list[tuple[int, int]] = []
    for citation in citations:
        shown = citation.text.rstrip().removesuffix("|").rstrip()
        place = markdown.find(shown)
        mark = citation.mark
        if place < 0 or mark is None:
            continue
        # A row's last cell holds the chip before its end: a mark of the whole row must not part the chip.
        end = min(mark.end - citation.start, len(shown))
        marks.append((place + mark.start - citation.start, place + end))
    return marks


def plain(citation: Citation) -> Citation:
    """Without the characters that chips are made of."""
    return replace(
        citation, text=_CHIP_ENDS.sub("\ufffd", citation.text), lead_text=_CHIP_ENDS.sub("\ufffd", citation.lead_text)
    )


def chip_mark(n: int) -> str:
    return f"\ufdd2{n}\ufdd3"


def with_chips(html: SafeString, chips: Mapping[int, SafeString]) -> SafeString:
    filled = _CHIP.sub(lambda found: chips.get(int(found[1]), ""), html)
    return mark_safe(_CHIP_ENDS.sub("", filled))  # noqa: S308 (chips are templates of ours)


def chip(citation: Citation, message_id: UUID | None) -> SafeString:
    url = reverse("evidence", args=[message_id, citation.n]) if message_id else ""
    return mark_safe(render_to_string("chat/chip.html", {"n": citation.n, "citation": citation, "url": url}).strip())  # noqa: S308

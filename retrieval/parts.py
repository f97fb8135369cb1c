"""An answer as parts: how they are kept with a message (numbers and our own sentences, never a quotation), and how they read as Markdown.

One walk over the parts serves the stream, the command line, REST and, with other marks for citations, the page.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from retrieval.answer import Citation, Fixed, Gone, Part, Quoted, Said

Marker = Callable[[int], str]

_SPECIAL = re.compile(r"[\\`*_\[\]<>|#]")
DJANGO_LANGUAGES = {"zh": "zh-hans", "en": "en"}


def fixed_sentence(code: str, language: str) -> str:
    """A sentence of our own in the answer's language."""
    with translation.override(DJANGO_LANGUAGES.get(language, "en")):
        return {
            "not_found": _("No relevant material found for now."),
            "gone": _("(The source of this statement was deleted.)"),
        }[code]


def parts_kept(parts: Iterable[Part]) -> list[dict[str, Any]]:
    """For the row of a message."""
    return [part_kept(part) for part in parts]


def part_kept(part: Part) -> dict[str, Any]:
    match part:
        case Said(text, cites):
            return {"said": text, "cites": list(cites)}
        case Quoted(n):
            return {"quote": n}
        case Fixed(code):
            return {"fixed": code}
        case Gone(n):
            return {"gone": n}


def parts_read(kept: Iterable[Mapping[str, Any]]) -> list[Part]:
    """From the row of a message."""
    return [part_read(part) for part in kept]


def part_read(part: Mapping[str, Any]) -> Part:
    if "said" in part:
        return Said(part["said"], tuple(part["cites"]))
    if "quote" in part:
        return Quoted(part["quote"])
    return Fixed(part["fixed"]) if "fixed" in part else Gone(part["gone"])


def without_deleted(parts: Iterable[Part], citations: Mapping[int, Citation]) -> list[Part]:
    """Nothing of a deleted source is left: not its quotation, and not what only it supports."""
    return [part if is_supported(part, citations) else Gone(numbers_of(part)[0]) for part in parts]


def is_supported(part: Part, citations: Mapping[int, Citation]) -> bool:
    numbers = numbers_of(part)
    return not numbers or isinstance(part, Gone) or any(n in citations and not citations[n].is_deleted for n in numbers)


def numbers_of(part: Part) -> tuple[int, ...]:
    if isinstance(part, Said):
        return part.cites
    return (part.n,) if isinstance(part, Quoted | Gone) else ()


def markdown_of(
    parts: Sequence[Part], citations: Mapping[int, Citation], language: str, *, marker: Marker = "[{}]".format
) -> str:
    """The answer as Markdown; `marker` writes a citation's number. Quotations stand under their document's title."""
    return "".join(pieces_of(parts, citations, language, marker)).strip()


def pieces_of(parts: Sequence[Part], citations: Mapping[int, Citation], language: str, marker: Marker) -> Iterator[str]:
    """The same in pieces, as it is streamed."""
    shown = without_deleted(parts, citations)
    for is_quote, run in groupby(shown, key=lambda part: isinstance(part, Quoted)):
        if is_quote:
            yield from quotations([citations[part.n] for part in run if isinstance(part, Quoted)], marker)
        else:
            yield from (sentence_of(part, language, marker) for part in run)


def sentence_of(part: Part, language: str, marker: Marker) -> str:
    if isinstance(part, Said):
        body = part.text.rstrip()
        space = " " if part.cites and language != "zh" else ""
        return f"{body}{space}{''.join(map(marker, part.cites))}{part.text[len(body) :]}"
    return fixed_sentence(part.code if isinstance(part, Fixed) else "gone", language) + "\n\n"


def quotations(citations: Sequence[Citation], marker: Marker) -> Iterator[str]:
    """Quotations under the titles of their documents, each in a block of its own, rows of one table under one header."""
    for _document, group in groupby(citations, key=lambda citation: citation.document):
        same = list(group)
        yield f"**{escaped(same[0].document_title)}**\n\n"
        for _lead, rows in groupby(same, key=lambda each: (each.kind == "row" and each.lead_text) or each.n):
            yield quoted_block(quotation(list(rows), marker)) + "\n\n"


def quotation(citations: Sequence[Citation], marker: Marker) -> str:
    """One quotation, or several rows of one table, as Markdown."""
    first = citations[0]
    if first.kind == "row":
        rows = [f"{citation.text.rstrip().removesuffix('|').rstrip()} {marker(citation.n)} |" for citation in citations]
        return "\n".join([*table_head(first), *rows])
    lead = f"{first.lead_text.strip()}\n\n" if first.lead_text else ""
    return f"{lead}{first.text.rstrip()}{ending(first)}{marker(first.n)}"


def ending(citation: Citation) -> str:
    """A marker after a listing or a list stands on a line of its own, else after a space."""
    return "\n\n" if citation.text.rstrip().endswith("```") or citation.kind == "code" else " "


def table_head(citation: Citation) -> list[str]:
    """Header rows and the line below them; a table without a header gets an empty one, because Markdown wants it."""
    cells = max(1, citation.text.strip().strip("|").count("|") + 1)
    header = citation.lead_text.strip() or f"|{'  |' * cells}"
    return [header, f"|{' --- |' * cells}"]


def escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _SPECIAL.sub(r"\\\g<0>", " ".join(text.split()))


def quoted_block(markdown: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in markdown.split("\n"))

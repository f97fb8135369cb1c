"""Where a quotation stands in a text. Given words as somebody copied them, gives the stretch of the text; spaces and line breaks may differ."""

import re

from ontology.types import Where

QUOTE_CHARACTERS = 5000


def locate(text: str, quote: str) -> Where | None:
    """The first place; None where it does not stand."""
    words = quote.split()
    if not words or len(quote) > QUOTE_CHARACTERS:
        return None
    start = text.find(quote.strip())
    if start >= 0:
        return Where(start, start + len(quote.strip()))
    found = re.search(r"\s+".join(map(re.escape, words)), text)
    return Where(*found.span()) if found else None

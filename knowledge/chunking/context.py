"""The context of a chunk: its document's title and the headings above it, then a table's header where there is one."""

from knowledge.chunking.types import CountTokens

ARROW = " › "
_TITLE_CHARACTERS = 120


def context_line(path: tuple[str, ...]) -> str:
    """`Title › Heading › Heading`; empty and repeated titles are left out, long ones shortened."""
    kept: list[str] = []
    for title in path:
        short = _shorten(" ".join(title.split()), _TITLE_CHARACTERS)
        if short and (not kept or kept[-1] != short):
            kept.append(short)
    return ARROW.join(kept)


def fit_context(context: str, *, limit: int, count_tokens: CountTokens) -> str:
    """The context with its middle left out until it has at most `limit` tokens: the title and the nearest heading say most."""
    tokens = count_tokens([context])[0]
    while tokens > limit and len(context) > 1:
        context = _shorten(context, max(1, min(len(context) - 1, int(len(context) * limit / tokens * 0.9))))
        tokens = count_tokens([context])[0]
    return context


def _shorten(text: str, characters: int) -> str:
    if len(text) <= characters:
        return text
    front = characters // 2
    return f"{text[:front].rstrip()}…{text[len(text) - (characters - front - 1) :].lstrip()}"

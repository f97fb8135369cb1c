"""What every embedder refuses, said in one place."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from common.errors import InvalidInput


def refuse_empty(texts: Sequence[str]) -> None:
    """Raises InvalidInput for the first text that is empty or blank."""
    for index, text in enumerate(texts):
        if not text.strip():
            raise empty(index)


def refuse_long(counts: Sequence[int], window_tokens: int) -> None:
    """Raises InvalidInput for the first text with more tokens than the model reads; nothing is ever cut off silently."""
    for index, tokens in enumerate(counts):
        if tokens > window_tokens:
            raise too_long(index, tokens, window_tokens)


def too_long(index: int, tokens: int, window_tokens: int) -> InvalidInput:
    """The error for a text over the window."""
    message = _("Text %(number)d has %(tokens)d tokens, the model reads %(window)d. Send it in smaller pieces.")
    return InvalidInput(
        message % {"number": index + 1, "tokens": tokens, "window": window_tokens},
        index=index,
        tokens=tokens,
        window=window_tokens,
    )


def empty(index: int) -> InvalidInput:
    """The error for a text without anything in it."""
    message = _("Text %(number)d is empty, so that there is nothing to embed.")
    return InvalidInput(message % {"number": index + 1}, index=index)

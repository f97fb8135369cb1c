"""Estimates how many tokens a text has, from above, for servers that can't be asked to count. Given text; gives a number, never too small in practice.

Sub-word vocabularies need at most a token for two or three Latin letters, one for a digit or mark, two for a character of another script.
"""

import math
import re

LETTERS_A_TOKEN = 2.5
_PIECES = re.compile(r"(?P<word>[A-Za-z]+)|(?P<ascii>[!-~])|(?P<blanks>\s+)|(?P<other>.)", re.DOTALL)


def estimate_tokens(text: str) -> int:
    """Tokens of the text without special tokens."""
    return sum(_tokens_of(piece) for piece in _PIECES.finditer(text))


def _tokens_of(piece: re.Match[str]) -> int:
    if piece["word"]:
        return math.ceil(len(piece["word"]) / LETTERS_A_TOKEN)
    if piece["blanks"]:
        return len(piece["blanks"]) // 2
    return 1 if piece["ascii"] else 2

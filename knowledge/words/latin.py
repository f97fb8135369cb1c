"""Terms of what is written with letters and digits: stems of words, and codes whole and in parts. Given folded tokens, gives terms.

A code's whole is written without its separators, so that `RTX-4090`, `RTX_4090` and `RTX4090` meet; a full stop between digits stays (`v2.3.1` is not `v231`).
"""

import re
import unicodedata
from functools import cache, lru_cache
from threading import Lock
from typing import Any

from knowledge.words.stopwords import ENGLISH

LONGEST_TERM = 40
_MOST_PARTS = 8
_PART = re.compile(r"\d+(?:\.\d+)*|[^\W\d_]+")
_SEPARATOR = re.compile(r"(?<!\d)\.|\.(?!\d)|[-_/'&,]")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_CONTRACTION = re.compile(r"'(?:s|m|d|t|ll|re|ve)$")
_ONE_AT_A_TIME = Lock()  # the stemmer keeps the word that it works on


@lru_cache(maxsize=200_000)
def latin_terms(token: str) -> tuple[str, ...]:
    """The terms of one folded token, most telling first; `()` for a stop word."""
    token = _CONTRACTION.sub("", _without_accents(token))
    if token.isalpha():
        return () if token in ENGLISH else (stem(token),)
    if token.isdigit() or _THOUSANDS.fullmatch(token):
        return (token.replace(",", "")[:LONGEST_TERM],)
    parts = _PART.findall(token)
    whole = _SEPARATOR.sub("", token).replace("#", "♯")
    terms = [whole]
    if len(parts) > 1:
        terms += [stem(part) for part in parts[:_MOST_PARTS] if part not in ENGLISH]
    return tuple(dict.fromkeys(term[:LONGEST_TERM] for term in terms if term))


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The English stem (Porter 2); other languages' words and digits come back as they are, or nearly."""
    with _ONE_AT_A_TIME:
        return str(_stemmer().stemWord(word))[:LONGEST_TERM]


@cache
def _stemmer() -> Any:
    from snowballstemmer import stemmer  # loads every language it has, and not every process asks for a word

    return stemmer("english")


def _without_accents(token: str) -> str:
    if token.isascii():
        return token
    bare = "".join(
        character for character in unicodedata.normalize("NFD", token) if not unicodedata.combining(character)
    )
    return unicodedata.normalize("NFC", bare)

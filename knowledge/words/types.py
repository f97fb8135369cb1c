"""The values that travel between the word splitter, the keyword index and the keyword arm."""

from dataclasses import dataclass
from enum import StrEnum


class TermKind(StrEnum):
    """How much a term of a question says."""

    WORD = "word"
    LONE = "lone"  # a Chinese word of one character
    INNER = "inner"  # two neighbouring characters inside one word
    ACROSS = "across"  # two neighbouring characters of two words


@dataclass(frozen=True, slots=True)
class QuestionTerm:
    """A term asked for. `word` is the word that an INNER pair was taken from."""

    text: str
    kind: TermKind = TermKind.WORD
    word: str = ""

"""The word splitter: `WordSplitter` cuts a text, or a question, into the terms of the keyword index.

Case, width, script (traditional or simplified) and accents make no difference. Terms are made of folded letters and digits of any script, with `.` between digits
and `+` or `♯` after a letter: no space, quote, backslash, colon or `#`, so that a term is a lexeme of a `tsvector` as it stands; at most 40 characters.
"""

import re
from collections import Counter

from common.text import HAN, fold
from knowledge.ports import Vocabulary
from knowledge.words.chinese import ChineseCutter
from knowledge.words.latin import latin_terms
from knowledge.words.types import QuestionTerm, TermKind

_KANA = "\u3041-\u30ff"
_LETTER = rf"[^\W_{HAN}{_KANA}]"
_TOKEN = re.compile(rf"([{HAN}{_KANA}]+)|({_LETTER}+(?:[-_./'+&]{_LETTER}+|,\d{{3}}(?!\d))*(?:\+\+|\#)?)")
# No word is longer; of a longer run only the front is looked at.
_LONGEST_TOKEN = 120
_RANK = {TermKind.WORD: 0, TermKind.INNER: 1, TermKind.LONE: 2, TermKind.ACROSS: 3}


class WordSplitter:
    """Made once a process: loading the dictionary takes a moment. Names of the vocabulary are kept whole beside their parts."""

    def __init__(self, vocabulary: Vocabulary | None = None) -> None:
        names = (fold(name) for name in vocabulary.names()) if vocabulary else ()
        self._chinese = ChineseCutter(names)

    def terms(self, text: str) -> Counter[str]:
        """Every term of a text with the number of times it stands there."""
        terms: list[str] = []
        for han, latin in _TOKEN.findall(fold(text)):
            terms += self._chinese.terms(han) if han else latin_terms(latin[:_LONGEST_TOKEN])
        return Counter(terms)

    def question_terms(self, question: str) -> list[QuestionTerm]:
        """The terms to look for, each once, in the order of the question; a term that is a word somewhere counts as a word."""
        best: dict[str, QuestionTerm] = {}
        for han, latin in _TOKEN.findall(fold(question)):
            found = self._chinese.question_terms(han) if han else map(QuestionTerm, latin_terms(latin[:_LONGEST_TOKEN]))
            for term in found:
                known = best.get(term.text)
                if known is None or _RANK[term.kind] < _RANK[known.kind]:
                    best[term.text] = term
        return list(best.values())

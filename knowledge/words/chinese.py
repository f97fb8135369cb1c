"""Terms of a run of Chinese characters: the dictionary's words, and every pair of neighbours, so that what is cut wrongly is still found."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from rjieba import Jieba

from knowledge.words.stopwords import CHINESE, CHINESE_PARTICLES
from knowledge.words.types import QuestionTerm, TermKind

_LONGEST_NAME = 20


class ChineseCutter:
    """A dictionary of its own, so that names added for one do not change another."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._jieba = Jieba()
        for name in names:
            if 2 <= len(name) <= _LONGEST_NAME:
                self._jieba.add_word(name, None, None)  # as frequent as it takes to be kept whole

    def terms(self, run: str) -> list[str]:
        """All terms of a run, repeated as often as they stand in it: pairs, words of three and more characters, words of one."""
        words = self._jieba.cut_for_search(run)
        terms = [word for word in words if len(word) != 2 and word not in CHINESE and len(word) <= _LONGEST_NAME]
        pairs_that_are_words = {word for word in words if len(word) == 2}
        terms += [pair for pair in _pairs(run) if _says_something(pair, is_word=pair in pairs_that_are_words)]
        return terms

    def question_terms(self, run: str) -> Iterator[QuestionTerm]:
        """The words of a run, then the pairs inside and between them, stop words and what touches them left out."""
        at, after_stop = 0, True
        for word in self._jieba.cut(run):
            is_stop = word in CHINESE
            if not is_stop and len(word) <= _LONGEST_NAME:
                yield QuestionTerm(word, TermKind.WORD if len(word) > 1 else TermKind.LONE)
                if len(word) > 2:
                    inner = (pair for pair in _pairs(word) if _says_something(pair, is_word=False))
                    yield from (QuestionTerm(pair, TermKind.INNER, word) for pair in inner)
                if not after_stop and _says_something(run[at - 1 : at + 1], is_word=False):
                    yield QuestionTerm(run[at - 1 : at + 1], TermKind.ACROSS)
            at, after_stop = at + len(word), is_stop


def _pairs(run: str) -> list[str]:
    return [first + second for first, second in pairwise(run)]


def _says_something(pair: str, *, is_word: bool) -> bool:
    return pair not in CHINESE and (is_word or not (pair[0] in CHINESE_PARTICLES or pair[1] in CHINESE_PARTICLES))

"""Whether the passages are about the question at all. "Nothing found" is an answer; quoting the irrelevant is none.

Three signs are weighed: how much of what is asked stands together in one unit, how well the words of the best chunk fit, and how near the vector arm's best is. The weights and their figures stand in `retrieval.calibration`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from common.text import language_of
from retrieval.answerers.codes import codes_in, holds_all
from retrieval.calibration import ANSWERABLE, COSINES, CROSS_COSINE, WITHOUT_COSINE
from retrieval.types import Passage, Question


@dataclass(frozen=True, slots=True)
class Signs:
    """What speaks for an answer, each from 0 to 1: the greatest share of the question in one unit, the best chunk's BM25, and the best cosine.

    `cosine` is None where it can't be compared with what was calibrated.
    """

    support: float
    words: float
    cosine: float | None


def is_answerable(question: Question, passages: Sequence[Passage], signs: Signs) -> bool:
    """Whether something may be quoted."""
    if not passages or not names_its_codes(question, passages):
        return False
    if signs.cosine is None:
        return WITHOUT_COSINE.is_reached((signs.support, signs.words), question.language)
    if signs.cosine >= CROSS_COSINE and language_of(passages[0].text) != question.language:
        return True
    return ANSWERABLE.is_reached((signs.support, signs.words, signs.cosine), question.language)


def names_its_codes(question: Question, passages: Sequence[Passage]) -> bool:
    """Whether each product code of the question stands in what was found."""
    found = " ".join(f"{passage.best.title} {passage.best.context} {passage.text}" for passage in passages)
    return holds_all(codes_in(question.text), found)


def cosine_of(passages: Sequence[Passage]) -> float | None:
    """The best cosine, when it is of a model whose cosines were calibrated."""
    places = (
        found.hit.arms["vector"] for passage in passages for found in passage.sources if "vector" in found.hit.arms
    )
    return max((place.score for place in places if place.model in COSINES), default=None)

"""What was tuned on data, in one place, with the figures that justify it. `benchmarks/calibrate_fusion.py` and `benchmarks/quoting.py` print them again.

Fusion. Each arm's scores are spread from 0 (the last of 100) to 1 (its best), because cosines of E5 lie within a tenth of each other and BM25 has no upper end.
Recall at 5 of documents (of at most five gold ones) with vector's weight 0.3 / 0.4 / 0.5 / 0.6 / 0.7 (the rest is keyword's), on `shared/data`; MuSiQue over the same
vectors and terms in memory, the others through the server:
    HotpotQA (53 questions)   84.0  85.8  86.8  86.8  86.8    single arms: vector 85.8, keyword 82.1    equal votes (RRF, k = 60) 87.7
    MuSiQue (47)              57.6  63.5  65.6  63.3  63.3    single arms: vector 62.2, keyword 50.7    equal votes 55.9
    CMRC (1,578)              99.8  99.7  99.7  99.5  99.3    single arms: vector 98.5, keyword 99.7    equal votes 99.5
    RGB (244)                 52.2  53.3  53.5  55.7  55.0    single arms: vector 54.7, keyword 47.8    equal votes 53.5
Equal votes are half a question better on HotpotQA and ten points worse on MuSiQue. In Chinese 0.6 costs CMRC three questions in a thousand, and RGB's several documents a
question gain three and a half points over 0.3, which CMRC alone had asked for.

Answerable or not. Signs: share of the question in one unit, BM25 as a share of the most possible, best cosine; weights near those of a logistic regression on questions
with their gold documents in the corpus and taken out. CMRC (500): area under the curve 0.972 (cosine alone 0.942, unit alone 0.951); at 3 % false refusals 86.8 % of the
unanswerable are refused. HotpotQA (53, whose other paragraphs were chosen to mislead): 0.884; 64 % at 3 %.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from common.text import Language

WEIGHTS: Mapping[Language, Mapping[str, float]] = {
    "en": {"vector": 0.5, "keyword": 0.5},
    "zh": {"vector": 0.6, "keyword": 0.4},
}
# For an arm that nobody has calibrated yet: heard, never leading.
UNKNOWN_ARM = 0.2


def weight_of(arm: str, language: Language) -> float:
    """How much an arm's opinion counts for a question in this language."""
    return WEIGHTS[language].get(arm, UNKNOWN_ARM)


@dataclass(frozen=True, slots=True)
class Line:
    """A weighted sum of signs and how great it must be."""

    weights: tuple[float, ...]
    least: Mapping[Language, float]

    def is_reached(self, signs: Sequence[float], language: Language) -> bool:
        """Whether these signs together are great enough for a question in this language."""
        return sum(weight * sign for weight, sign in zip(self.weights, signs, strict=True)) >= self.least[language]


# Models whose cosines the line below was drawn for.
COSINES = frozenset(["multilingual-e5-small-q4"])
# Unit, words, cosine.
ANSWERABLE = Line((4, 8, 40), {"zh": 39.8, "en": 38.5})
# The same without a cosine that can be compared: CMRC 82 % refused at 3 % false refusals, HotpotQA 51 %.
WITHOUT_COSINE = Line((4.2, 12.8), {"zh": 5.6, "en": 5.6})
# Across languages words say nothing. Of the demo's questions this leaves one of six that only another language answers, and none of the eleven that nothing answers.
CROSS_COSINE = 0.9

"""Phrases that people write find sentences that people write."""

import re

import pytest

from ontology.rules.phrases import windows
from ontology.skeleton.phrases import compiled_phrase
from ontology.skeleton.regexes import UnsafePattern
from ontology.types import AttributeType, ValueType

ATTRIBUTES = (AttributeType("benchmark"), AttributeType("delta", ValueType.NUMBER, unit="points"))


def found(phrase, sentence):
    """In the first sentence: the rules look for phrases in one sentence at a time."""
    match = re.search(compiled_phrase(phrase, ATTRIBUTES), sentence[slice(*next(windows(sentence)))])
    return match and {name: words.strip() for name, words in match.groupdict().items() if words is not None}


@pytest.mark.parametrize(
    ("phrase", "sentence", "expected"),
    [
        (
            "{source} replaces {target}",
            "Revision C Replaces  the P-1.5. It is new.",
            {"source": "Revision C", "target": "the P-1.5"},
        ),
        ("{source}由{target}负责", "备份由 Tobias Harmsund 負責。", {"source": "备份", "target": "Tobias Harmsund"}),
        (
            "{source} beats {target} by {delta} on {benchmark}",
            "A-7B beats B-8B by 2.3 points on X-QA.",
            {"source": "A-7B", "target": "B-8B", "delta": "2.3 points", "benchmark": "X-QA"},
        ),
        (
            "{source} beats {target} [by {delta} ]on {benchmark}",
            "A-7B beats B-8B on X-QA.",
            {"source": "A-7B", "target": "B-8B", "benchmark": "X-QA"},
        ),
        ("{source}优于{target}[ {delta}]", "甲优于乙 5.4 分。", {"source": "甲", "target": "乙", "delta": "5.4 分"}),
        ("{source}优于{target}[ {delta}]", "甲优于乙丙。", {"source": "甲", "target": "乙丙"}),
        ("{source} (uses|calls) [the ]{target}", "Boei calls the Kade v1.5", {"source": "Boei", "target": "Kade v1.5"}),
        ("{source} opens … in {target}", "Peil opens a ticket in Boei.", {"source": "Peil", "target": "Boei"}),
    ],
)
def test_a_phrase_finds_its_ends_and_attributes(phrase, sentence, expected):
    assert found(phrase, sentence) == expected


@pytest.mark.parametrize(
    ("phrase", "sentence"),
    [
        ("{source} uses {target}", "Many houses stand here."),
        ("{source} replaces {target}", "The P-180. replaces"),
        ("{source}由{target}负责", "水泵。由甲负责"),
    ],
)
def test_a_phrase_stays_in_its_words_and_its_sentence(phrase, sentence):
    assert found(phrase, sentence) is None


@pytest.mark.parametrize(
    "phrase",
    [
        "{source} replaces",
        "{source} {target}",
        "{source}…{target}",
        "{source}[ by ]{target}",
        "{source} and {source} or {target}",
        "{source} fits {target} at {speed}",
        "{source} (fits {target}",
        "{source} fits [in {target}]",
        "{source} x {target}" + "x" * 200,
    ],
)
def test_a_phrase_that_says_nothing_certain_is_refused_with_advice(phrase):
    with pytest.raises(UnsafePattern) as refused:
        compiled_phrase(phrase, ATTRIBUTES)

    assert refused.value.instead

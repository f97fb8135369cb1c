"""BM25 from lexemes without frequencies, against BM25 as the books have it."""

from collections import Counter
from math import log
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.words.bm25 import (
    K1,
    LEVELS,
    MOST_TERMS,
    B,
    Lexeme,
    idf,
    kb_prefix,
    length_terms,
    lexemes,
    lookups,
    posting_budget,
    saturation,
    term_weights,
    weighted_counts,
    within_budget,
)
from knowledge.words.types import QuestionTerm, TermKind

TERMS = "abcdef"
CORPORA = st.lists(
    st.dictionaries(st.sampled_from(TERMS), st.integers(1, 40), min_size=1).map(Counter), min_size=1, max_size=12
)
ONE, TWO = UUID("0190a1b2-0000-7000-8000-000000000001"), UUID("0190a1b2-0000-7000-8000-00ffee000002")


def textbook(counts: Counter[str], asked: str, corpus: list[Counter[str]]) -> float:
    """Robertson and Zaragoza 2009, written out, with frequencies as the levels see them."""
    average = sum(other.total() for other in corpus) / len(corpus)
    score = 0.0
    for term in asked:
        holding = sum(term in other for other in corpus)
        frequency = max((level for level in LEVELS if level <= counts[term]), default=0)
        if not frequency:
            continue
        rarity = log(1 + (len(corpus) - holding + 0.5) / (holding + 0.5))
        score += rarity * frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * counts.total() / average))
    return score


def indexed_score(row: set[str], length: int, wanted: list[Lexeme], average: float) -> float:
    """What the index adds up for a row."""
    fixed, by_length = length_terms(average)
    norm = fixed + by_length * length
    gains = (
        look.weight * (look.level / (look.level + norm) - look.below / (look.below + norm))
        for look in wanted
        if look.text in row
    )
    return (K1 + 1) * sum(gains)


@given(CORPORA, st.sets(st.sampled_from(TERMS), min_size=1))
def test_the_sum_over_lexemes_is_the_textbooks_score(corpus: list[Counter[str]], asked: set[str]) -> None:
    documents = {term: sum(term in counts for counts in corpus) for term in asked}
    wanted = lookups(term_weights([QuestionTerm(term) for term in asked], documents, len(corpus)), "kb:")
    average = sum(counts.total() for counts in corpus) / len(corpus)
    for counts in corpus:
        score = indexed_score(set(lexemes(counts, "kb:")), counts.total(), wanted, average)
        assert score == pytest.approx(textbook(counts, "".join(asked), corpus))


def test_every_level_up_to_the_count_is_indexed() -> None:
    assert lexemes(Counter(pump=1), "") == ["pump"]
    assert lexemes(Counter(pump=6), "x:") == ["x:pump", "x:pump#2", "x:pump#3", "x:pump#5"]
    assert lexemes(Counter(), "x:") == []


def test_a_word_of_the_context_counts_twice() -> None:
    assert weighted_counts(Counter(pump=1, oil=2), Counter(pump=1)) == Counter(pump=3, oil=2)


@pytest.mark.parametrize(("total", "documents"), [(0, 0), (1, 1), (10, 10), (5, 9), (1_000_000, 1)])
def test_idf_is_never_negative(total: int, documents: int) -> None:
    assert idf(total, documents) >= 0


def test_more_occurrences_count_more_and_ever_less() -> None:
    gains = [saturation(count + 1, 100, 100) - saturation(count, 100, 100) for count in range(20)]
    assert gains == sorted(gains, reverse=True)
    assert all(gain > 0 for gain in gains)
    assert saturation(1000, 100, 100) < K1 + 1


def test_a_pair_counts_little_unless_its_word_is_unknown() -> None:
    pair = QuestionTerm("奥会", TermKind.INNER, "冬奥会")
    assert term_weights([pair], {"奥会": 5}, 100)["奥会"] == pytest.approx(idf(100, 5))
    assert term_weights([pair], {"奥会": 5, "冬奥会": 3}, 100)["奥会"] == pytest.approx(0.2 * idf(100, 5))


def test_a_term_that_the_index_does_not_know_is_not_looked_up() -> None:
    assert term_weights([QuestionTerm("nowhere")], {}, 100) == {}


def test_frequent_terms_are_left_out_when_the_budget_is_spent_but_never_the_best() -> None:
    documents = {"rare": 2, "common": 900, "middle": 90}
    weights = term_weights([QuestionTerm(term) for term in documents], documents, 1000)
    assert list(within_budget(weights, documents, 100)) == ["rare", "middle"]
    assert list(within_budget(weights, documents, 1)) == ["rare"]
    assert list(within_budget({"common": 1.0}, documents, 1)) == ["common"]


def test_an_endless_question_asks_for_so_many_terms_at_most() -> None:
    documents = {f"t{number}": 1 for number in range(1000)}
    assert len(within_budget(dict.fromkeys(documents, 1.0), documents, 10_000)) == MOST_TERMS


def test_the_budget_grows_with_the_corpus() -> None:
    assert posting_budget(100) == posting_budget(50_000) == 6000
    assert posting_budget(1_000_000) == 100_000


def test_knowledge_bases_have_lexemes_of_their_own() -> None:
    first, second = kb_prefix(ONE), kb_prefix(TWO)
    assert first != second
    assert lexemes(Counter(a=2), first) == [f"{first}a", f"{first}a#2"]
    assert {lexeme.text for lexeme in lookups({"a": 1.0}, first)} >= set(lexemes(Counter(a=2), first))

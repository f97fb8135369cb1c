"""The measures, against values worked out by hand."""

import pytest

from benchmarks.measure import sign_test, wilson
from evaluation.measures import Ranked, all_at, measure, percentile, recall_at, reciprocal_rank

GOLD = frozenset({"a", "b"})


@pytest.mark.parametrize(("ranked", "k", "recall"), [("abc", 1, 0.5), ("xab", 2, 0.5), ("xab", 3, 1.0), ("", 5, 0.0)])
def test_recall_is_the_share_of_gold_in_the_first_k(ranked: str, k: int, recall: float) -> None:
    assert recall_at(list(ranked), GOLD, k) == recall


def test_nothing_to_find_is_found() -> None:
    assert recall_at([], frozenset(), 5) == 1.0


@pytest.mark.parametrize(("ranked", "whole"), [("ab", True), ("axb", True), ("axxxxb", False)])
def test_all_gold_means_all(ranked: str, whole: bool) -> None:
    assert all_at(list(ranked), GOLD, 5) is whole


@pytest.mark.parametrize(("ranked", "expected"), [("a", 1.0), ("xb", 0.5), ("xyz", 0.0), ("", 0.0)])
def test_reciprocal_rank_looks_at_the_first_gold(ranked: str, expected: float) -> None:
    assert reciprocal_rank(list(ranked), GOLD) == expected


@pytest.mark.parametrize(("share", "expected"), [(0.5, 5), (0.95, 10), (0.0, 1), (1.0, 10)])
def test_percentiles_are_values_that_occurred(share: float, expected: float) -> None:
    assert percentile([10, 9, 8, 7, 6, 5, 4, 3, 2, 1], share) == expected


def test_means_are_over_questions() -> None:
    found = measure([Ranked(("a", "b"), GOLD, 1.0), Ranked(("x", "y"), GOLD, 3.0)])

    assert (found.questions, found.recall_5, found.all_gold_5, found.mrr) == (2, 50.0, 50.0, 0.5)


def test_no_questions_measure_nothing() -> None:
    assert measure([]).questions == 0


def test_wilson_interval_of_half() -> None:
    low, high = wilson(50, 100)

    assert (round(low, 4), round(high, 4)) == (0.4038, 0.5962)


@pytest.mark.parametrize(("wins", "losses", "p"), [(0, 0, 1.0), (5, 5, 1.0), (10, 0, 2 / 1024), (0, 1, 1.0)])
def test_sign_test_is_exact(wins: int, losses: int, p: float) -> None:
    assert sign_test(wins, losses) == pytest.approx(p)

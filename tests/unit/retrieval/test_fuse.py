"""Fusion: calibrated weights over scores spread per arm."""

from uuid import UUID

import pytest

from inference.types import Charge, Purpose
from retrieval.fuse import fuse
from retrieval.types import Hit, Question, Ranking

A, B, C = (UUID(int=number) for number in (1, 2, 3))
ENGLISH = Question("When does it stop?", Charge(Purpose.ASK))
CHINESE = Question("什么时候停机？", Charge(Purpose.ASK))


def ranking(arm, **scores):
    chunks = {"a": A, "b": B, "c": C}
    return Ranking(arm, [Hit(chunks[name], score) for name, score in sorted(scores.items(), key=lambda item: -item[1])])


def test_nothing_found_gives_nothing():
    assert fuse([Ranking("vector"), Ranking("keyword")], ENGLISH) == []


def test_one_arm_keeps_its_order_and_scores_from_one_to_zero():
    hits = fuse([ranking("vector", a=0.9, b=0.8, c=0.7), Ranking("keyword")], ENGLISH)

    assert [hit.chunk_id for hit in hits] == [A, B, C]
    assert [hit.score for hit in hits] == pytest.approx([1, 0.5, 0])


def test_what_both_arms_find_stands_before_what_one_finds():
    hits = fuse([ranking("vector", a=0.9, b=0.89, c=0.7), ranking("keyword", b=12.0, c=1.0)], ENGLISH)

    assert hits[0].chunk_id == B
    assert hits[0].arms["vector"].rank == 2
    assert hits[0].arms["keyword"].score == 12.0


def test_meaning_weighs_more_than_words_for_chinese_questions():
    arms = [ranking("vector", a=0.9, b=0.7), ranking("keyword", b=9.0, a=1.0)]

    assert fuse(arms, CHINESE)[0].chunk_id == A
    assert fuse(arms, CHINESE)[0].score == pytest.approx(0.6)


def test_squeezed_scores_count_by_their_spread():
    close = fuse([ranking("vector", a=0.842, b=0.841, c=0.80), ranking("keyword", b=3.0, c=1.0)], ENGLISH)

    assert close[0].chunk_id == B


def test_the_same_rankings_always_give_the_same_order():
    arms = [ranking("vector", a=0.5, b=0.5, c=0.5)]

    assert fuse(arms, ENGLISH) == fuse(arms, ENGLISH)


def test_an_arm_without_calibration_is_heard_and_does_not_lead():
    hits = fuse(
        [ranking("vector", a=0.9, b=0.7), ranking("keyword", a=9.0, b=1.0), ranking("nose", b=1.0, a=0.0)], ENGLISH
    )

    assert [hit.chunk_id for hit in hits] == [A, B]
    assert "nose" in hits[0].arms

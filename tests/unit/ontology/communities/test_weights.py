"""How strongly two entities belong together."""

from itertools import combinations
from uuid import UUID

import pytest

from ontology.communities.weights import HUB, MENTIONED, Together, damped, linked

A, B, C = (UUID(int=number) for number in (1, 2, 3))


def weight_of(relations=(), mentions=()):
    return {(link.left, link.right): link.weight for link in linked(relations, mentions)}


def test_a_plain_relation_weighs_one_and_more_support_a_little_more():
    assert weight_of([((A, B), 1), ((A, C), 4)]) == {(A, B): 1.0, (A, C): 3.0}


def test_two_that_are_always_named_together_are_bound_weakly():
    assert weight_of(mentions=[((A, B), Together(3, 3, 3))]) == {(A, B): MENTIONED}


def test_a_relation_and_mentions_add_up():
    assert weight_of([((A, B), 1)], [((A, B), Together(1, 1, 1))]) == {(A, B): 1 + MENTIONED}


def test_what_stands_everywhere_binds_nothing():
    assert weight_of(mentions=[((A, B), Together(1, 1, 10_000))]) == {}


def test_each_relation_of_a_hub_counts_less():
    star = [((A, UUID(int=number)), 1) for number in range(10, 10 + 4 * HUB)]

    assert set(weight_of(star).values()) == {0.5}


@pytest.mark.parametrize("degree", [1, HUB])
def test_all_but_hubs_count_fully(degree):
    assert damped(degree) == 1.0


def test_links_come_in_order_whatever_the_order_of_what_is_given():
    pairs = [(pair, 1) for pair in combinations((A, B, C), 2)]

    assert linked(pairs, ()) == linked(reversed(pairs), ())

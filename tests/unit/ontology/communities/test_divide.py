"""Dividing a graph, and dividing it again after a change."""

import random
from collections import Counter
from itertools import combinations
from uuid import UUID

import pytest

from ontology.communities.divide import LARGEST, divide
from ontology.communities.weights import Link

TOPICS, NAMES = 40, 12


def entity(number):
    return UUID(int=number + 1)


def clique(first, size, weight=1.0):
    return [Link(entity(a), entity(b), weight) for a, b in combinations(range(first, first + size), 2)]


def sets(division, level=0):
    return {group.ids for group in division.groups if group.level == level}


def ids(first, size):
    return frozenset(entity(number) for number in range(first, first + size))


def document(chance, topic):
    """Five names of one topic, now and then one of another: those that it names together."""
    names = {topic * NAMES + chance.randrange(NAMES) for _ in range(5)}
    if chance.random() < 0.3:
        names.add(chance.randrange(TOPICS * NAMES))
    return list(combinations(sorted(names), 2))


def links_of(documents):
    counts = Counter(pair for each in documents for pair in each)
    return [Link(entity(a), entity(b), 0.5 * count) for (a, b), count in sorted(counts.items())]


@pytest.fixture
def documents():
    chance = random.Random(20)
    return [document(chance, number % TOPICS) for number in range(200)]


def test_two_dense_parts_with_a_thin_bridge_are_two_communities():
    links = [*clique(0, 6), *clique(10, 6), Link(entity(0), entity(10), 0.1)]

    assert sets(divide(links, (), None)) == {ids(0, 6), ids(10, 6)}


def test_the_same_links_give_the_same_groups_in_the_same_order(documents):
    assert divide(links_of(documents), (), None) == divide(links_of(documents), (), None)


@pytest.mark.parametrize("links", [[], clique(0, 2)])
def test_nothing_and_a_pair_are_no_communities(links):
    assert divide(links, (), None).groups == ()


def test_the_most_central_member_comes_first():
    links = [*clique(0, 4), Link(entity(3), entity(4), 1.0), Link(entity(3), entity(5), 1.0)]

    assert divide(links, (), None).groups[0].members[0] == entity(3)


def test_a_large_community_has_smaller_ones_below_it_and_each_lies_within_its_parent():
    links = [Link(entity(a), entity(b), 1.0 if a // 12 == b // 12 else 0.4) for a, b in combinations(range(60), 2)]
    groups = divide(links, (), None).groups

    assert [group.ids for group in groups if group.level == 0] == [ids(0, 60)]
    assert {group.ids for group in groups if group.level == 1} == {ids(12 * number, 12) for number in range(5)}
    assert all(group.ids < groups[group.parent].ids for group in groups if group.level)


def test_a_clique_that_is_too_large_and_cannot_be_divided_ends():
    groups = divide(clique(0, 3 * LARGEST), (), None).groups

    assert groups[0].ids == ids(0, 3 * LARGEST)


def test_only_what_a_change_touches_is_divided_again(documents):
    before = divide(links_of(documents), (), None)
    new = document(random.Random(5), 3)
    touched = {entity(end) for pair in new for end in pair}

    after = divide(links_of([*documents, new]), before.groups, touched)

    untouched = [group for group in before.groups if group.level == 0 and not group.ids & touched]
    assert {group.members for group in untouched} <= {group.members for group in after.groups}
    assert after.placed < before.placed / 3


@pytest.mark.parametrize("topic", [0, 7, 21, 39])
def test_one_new_document_among_two_hundred_leaves_nearly_all_communities(documents, topic):
    before = divide(links_of(documents), (), None)
    new = document(random.Random(topic), topic)
    touched = {entity(end) for pair in new for end in pair}

    after = divide(links_of([*documents, new]), before.groups, touched)

    kept = {(group.level, group.ids) for group in before.groups} & {(group.level, group.ids) for group in after.groups}
    assert len(before.groups) > 20
    assert len(kept) >= 0.8 * len(before.groups)


def test_a_community_whose_member_is_gone_is_divided_again():
    before = divide([*clique(0, 6), *clique(10, 6)], (), None)

    after = divide([*clique(1, 5), *clique(10, 6)], before.groups, set())

    assert sets(after) == {ids(1, 5), ids(10, 6)}


def test_dividing_all_again_begins_from_how_it_was_and_keeps_most(documents):
    before = divide(links_of(documents), (), None)

    again = divide(links_of(documents), before.groups, None)
    assert len(sets(again) & sets(before)) >= 0.8 * len(sets(before))


def test_one_part_is_divided_as_finely_as_within_a_larger_whole(documents):
    links = links_of(documents)
    elsewhere = [
        Link(UUID(int=link.left.int + 10_000), UUID(int=link.right.int + 10_000), link.weight) for link in links
    ]

    alone, with_another = (sets(divide(each, (), None)) for each in (links, [*links, *elsewhere]))
    assert len(with_another) == pytest.approx(2 * len(alone), rel=0.1)

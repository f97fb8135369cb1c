"""Which earlier community one is."""

from uuid import UUID

from ontology.communities.groups import Group, key_of, matched


def ids(*numbers):
    return tuple(UUID(int=number) for number in numbers)


OLD, OTHER = UUID(int=1001), UUID(int=1002)


def test_the_key_is_of_the_members_in_any_order():
    assert key_of(ids(1, 2, 3)) == key_of(ids(3, 1, 2)) != key_of(ids(1, 2))


def test_the_same_members_are_the_same_community():
    assert matched({OLD: Group(0, ids(1, 2, 3))}, [Group(0, ids(3, 2, 1))]) == [OLD]


def test_one_that_won_a_member_is_the_same_community():
    assert matched({OLD: Group(0, ids(1, 2, 3))}, [Group(0, ids(1, 2, 3, 4))]) == [OLD]


def test_of_two_halves_none_is_the_same_unless_it_has_more_than_half():
    known = {OLD: Group(0, ids(1, 2, 3, 4))}

    assert matched(known, [Group(0, ids(1, 2)), Group(0, ids(3, 4))]) == [None, None]
    assert matched(known, [Group(0, ids(4)), Group(0, ids(1, 2, 3))]) == [None, OLD]


def test_the_same_members_at_another_level_are_another_community():
    assert matched({OLD: Group(0, ids(1, 2, 3))}, [Group(1, ids(1, 2, 3))]) == [None]


def test_one_earlier_community_is_given_once_and_to_the_one_with_the_same_members():
    known = {OLD: Group(0, ids(1, 2, 3)), OTHER: Group(0, ids(5, 6, 7))}
    groups = [Group(0, ids(1, 2, 3, 4)), Group(0, ids(1, 2, 3)), Group(0, ids(5, 6))]

    assert matched(known, groups) == [None, OLD, OTHER]


def test_without_earlier_ones_all_are_new():
    assert matched({}, [Group(0, ids(1, 2, 3))]) == [None]

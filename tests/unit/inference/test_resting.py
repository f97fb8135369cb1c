"""An engine that was silent is left alone for a while."""

from inference.resting import Rest


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def test_it_rests_for_its_time_and_is_then_tried_again():
    clock = Clock()
    rest = Rest(60, clock)
    assert not rest.is_on

    rest.begin()
    assert (rest.is_on, rest.left_s) == (True, 60)

    clock.now += 60
    assert (rest.is_on, rest.left_s) == (False, 0)


def test_a_sign_of_life_ends_the_rest():
    rest = Rest(60, Clock())
    rest.begin()
    rest.end()

    assert not rest.is_on

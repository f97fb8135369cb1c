"""Waking the workers costs nothing while the broker is away."""

import pytest
from kombu.exceptions import OperationalError

from inference.resting import Rest
from ontology import wake


@pytest.fixture
def sent(monkeypatch):
    """What was handed to the broker; each attempt fails."""
    attempts = []

    def away(task, **rest):
        attempts.append(task)
        raise OperationalError("gone")

    monkeypatch.setattr(wake.current_app, "send_task", away)
    monkeypatch.setattr(wake, "_away", Rest(30))
    return attempts


def test_a_broker_that_is_away_is_tried_once_and_then_left_alone(sent):
    for _ in range(5):
        wake.send("a.task", "short")

    assert sent == ["a.task"]


def test_after_the_rest_it_is_tried_again(sent, monkeypatch):
    monkeypatch.setattr(wake, "_away", Rest(0))
    wake.send("a.task", "short")
    wake.send("a.task", "short")

    assert len(sent) == 2

"""The model that a storm on the ledger is held against says what its texts say, merges followed."""

import random

import pytest

from benchmarks._storm_model import SAID, Model, text_of
from benchmarks.ledger_storm import Tally


@pytest.fixture
def model():
    text = (
        "The Mail Gateway calls Auth Server. The Mail Gateway calls Auth Server. The Post Gateway calls Mail Gateway."
    )
    return Model(live={"a.md": text}, binned={"b.md": "The Auth Server calls Bill Server."})


def test_relations_are_counted_by_places_and_the_bin_says_nothing(model):
    assert model.relations() == {("Mail Gateway", "Auth Server"): 2, ("Post Gateway", "Mail Gateway"): 1}
    model.has_calls = False
    assert not model.relations()


def test_edges_and_sentences_follow_merges_and_a_loop_is_none(model):
    model.merged["Post Gateway"] = "Mail Gateway"
    assert model.edges() == {("Mail Gateway", "Auth Server"): 1}
    model.merged["Mail Gateway"] = "Bill Gateway"
    assert model.edges() == {("Bill Gateway", "Auth Server"): 1}
    assert len(model.sentences()) == 1


def test_a_copy_goes_its_own_way(model):
    after = model.copy()
    after.live.clear()
    assert model.live


def test_every_note_says_something():
    assert all(SAID.search(text_of(random.Random(number), number)) for number in range(20))


def test_what_is_missing_and_what_is_too_much_is_counted(model):
    tally = Tally()
    found = model.relations()
    found["Mail Gateway", "Auth Server"] += 2
    del found["Post Gateway", "Mail Gateway"]
    tally.compare("relation", model.relations(), found)
    assert (tally.lost, tally.doubled, len(tally.examples)) == (1, 2, 2)

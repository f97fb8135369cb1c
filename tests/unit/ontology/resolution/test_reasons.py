"""Reasons in words."""

import pytest
from django.utils.translation import override

from ontology.resolution.likeness import BRACKETS, HEAD, INITIALS, ORDER, PERSON, SAME_NAME, SHORT, SLIP, SPELLING
from ontology.resolution.reasons import said

KINDS = [SAME_NAME, SPELLING, ORDER, BRACKETS, INITIALS, PERSON, HEAD, SHORT, SLIP]


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_likeness_is_a_sentence_with_both_names(kind, language):
    with override(language):
        words = said({"kind": kind, "left": "One", "right": "Two"})

    assert "One" in words
    assert "Two" in words


def test_attributes_are_called_as_the_skeleton_calls_them():
    assert "Birthday" in said({"kind": "contradiction", "attribute": "born"}, {"born": "Birthday"}.__getitem__)


def test_neighbours_are_counted():
    assert said({"kind": "shared_neighbours", "count": 3}).endswith("3 others.")


def test_percent_signs_in_names_stay_text():
    assert "100%s" in said({"kind": "same_name", "left": "100%s", "right": "b"})


def test_a_reason_of_another_release_is_shown_as_it_is():
    assert said({"kind": "from_the_future"}) == "from_the_future"

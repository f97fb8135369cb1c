"""Values as people read them."""

import pytest
from django.utils import translation

from common.templatetags.look import figure, icon, left_out, seconds


@pytest.mark.parametrize(
    ("milliseconds", "words"),
    [(0, "0.0 s"), (240, "0.2 s"), (1830, "1.8 s"), (12_400, "12 s"), (None, "")],
)
def test_durations_are_said_in_seconds(milliseconds: float | None, words: str) -> None:
    with translation.override("en"):
        assert seconds(milliseconds) == words


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_thousands_are_set_apart(language: str) -> None:
    with translation.override(language):
        assert [figure(count) for count in (0, 999, 1204, 1_000_000)] == ["0", "999", "1,204", "1,000,000"]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("graph:timeout", "search in the graph (took too long)"),
        ("generate:unavailable", "the language model (could not be reached)"),
        ("moon", "moon (failed)"),
        ("vector:eclipse", "search by meaning (eclipse)"),
    ],
)
def test_what_was_left_out_is_said_in_words(code: str, words: str) -> None:
    with translation.override("en"):
        assert left_out(code) == words


def test_an_icon_is_hidden_from_screen_readers_unless_it_has_a_label() -> None:
    assert 'aria-hidden="true"' in icon("lock")
    assert 'aria-label="a &quot;lock&quot;"' in icon("lock", 'a "lock"')

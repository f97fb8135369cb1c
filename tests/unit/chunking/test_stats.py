"""The lengths of a corpus's paragraphs."""

import pytest

from knowledge.chunking.stats import corpus_stats
from tests.unit.chunking.documents import count_by_parts


def test_lengths_are_told_by_language() -> None:
    stats = corpus_stats(["水泵停机。", "  ", "Pump stops.", "The pump stops again."], count_tokens=count_by_parts)
    english, chinese = stats.languages
    assert (stats.paragraphs, english.paragraphs, chinese.paragraphs) == (3, 2, 1)
    assert (english.language, chinese.language) == ("en", "zh")
    assert (chinese.characters.p50, chinese.tokens.p50, chinese.tokens_per_character) == (5, 5, 1.0)
    assert (english.characters.p10, english.characters.p99, english.characters.greatest) == (11, 21, 21)


def test_percentiles_are_of_the_nearest_rank() -> None:
    stats = corpus_stats(("字" * length for length in range(1, 101)), count_tokens=count_by_parts)
    spread = stats.languages[0].tokens
    assert (spread.p10, spread.p50, spread.p90, spread.p99, spread.greatest) == (10, 50, 90, 99, 100)


@pytest.mark.parametrize(("tokens", "target"), [(0, 256), (20, 192), (250, 256), (256, 256), (900, 320)])
def test_the_target_keeps_most_paragraphs_whole_within_bounds(tokens: int, target: int) -> None:
    paragraphs = ["字" * tokens] * 10 if tokens else []
    assert corpus_stats(paragraphs, count_tokens=count_by_parts).recommended_target_tokens == target


def test_an_empty_corpus_has_no_languages() -> None:
    assert corpus_stats([], count_tokens=count_by_parts).languages == ()

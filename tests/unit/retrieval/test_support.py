"""Whether a source supports a sentence."""

import pytest

from knowledge.words.split import WordSplitter
from retrieval.answerers.support import supporting_span
from tests.unit.retrieval.test_units import paragraph, passage

WORDS = WordSplitter()
ENGLISH = "The pump P-100 stops at 80 °C. It starts again by itself when it has cooled down. Lin Yuhan approves purchases above 50,000 EUR."
CHINESE = "离心泵 P-100 的过热保护温度为 80 ℃。设备冷却后自动恢复运行。"


def supported(sentence, text):
    found = passage(text, paragraph(text))
    span = supporting_span(sentence, found, WORDS)
    return None if span is None else found.cut(span.start, span.end).strip()


@pytest.mark.parametrize(
    ("sentence", "text", "stretch"),
    [
        ("The pump P-100 stops at 80 °C.", ENGLISH, "The pump P-100 stops at 80 °C."),
        ("At 80 °C the P-100 pump stops.", ENGLISH, "The pump P-100 stops at 80 °C."),
        (
            "Purchases above 50000 EUR are approved by Lin Yuhan.",
            ENGLISH,
            "Lin Yuhan approves purchases above 50,000 EUR.",
        ),
        ("离心泵P-100的过热保护温度是80℃。", CHINESE, "离心泵 P-100 的过热保护温度为 80 ℃。"),
        ("離心泵 P-100 的過熱保護溫度為 80 ℃。", CHINESE, "离心泵 P-100 的过热保护温度为 80 ℃。"),
        ("P-100 在 80 °C 时停机。", ENGLISH, "The pump P-100 stops at 80 °C."),
    ],
    ids=[
        "its words",
        "another order",
        "another figure style",
        "Chinese",
        "traditional",
        "another language, same figures",
    ],
)
def test_what_a_source_says_is_supported_by_the_sentence_that_says_it(sentence, text, stretch):
    assert supported(sentence, text) == stretch


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("The pump P-100 stops at 95 °C.", ENGLISH),
        ("The pump P-200 stops at 80 °C.", ENGLISH),
        ("The pump is painted green and made in Brazil.", ENGLISH),
        ("Femke Oldenrade approves purchases above 50,000 EUR.", ENGLISH),
        ("设备由巴西的工厂生产并涂成绿色。", CHINESE),
        ("该设备使用起来非常安全可靠。", ENGLISH),
        ("", ENGLISH),
    ],
    ids=[
        "another figure",
        "another code",
        "invented",
        "another name",
        "invented in Chinese",
        "nothing to compare across languages",
        "empty",
    ],
)
def test_what_a_source_does_not_say_is_not_supported(sentence, text):
    assert supported(sentence, text) is None

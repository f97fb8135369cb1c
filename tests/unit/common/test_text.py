"""Canonical and folded text, and the language of a text."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.text import canonical, fold, fold_with_origins, language_of

ANY_TEXT = st.text(st.characters() | st.sampled_from("繁體軟體ﾊﾞ①㎏ßﬁ\u0301\u00ad\u1161가"), max_size=60)


@given(ANY_TEXT)
def test_canonical_text_stays_as_it_is(text: str) -> None:
    once = canonical(text)
    assert canonical(once) == once
    assert unicodedata.is_normalized("NFC", once)
    once.encode()
    assert not set(once) & {"\0", "\r", "\ufeff"}


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("a\r\nb\rc", "a\nb\nc"),
        ("a\0b", "ab"),
        ("\ufeffx", "x"),
        ("e\u0301", "é"),
        ("\ud800x", "x"),
        ("tab\there", "tab\there"),
        ("👩\u200d🔧", "👩\u200d🔧"),
    ],
)
def test_canonical_text_keeps_what_people_see(raw: str, kept: str) -> None:
    assert canonical(raw) == kept


@given(ANY_TEXT)
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(ANY_TEXT)
def test_folding_with_the_way_back_gives_the_same_text(text: str) -> None:
    folded = fold_with_origins(text)
    assert folded.text == fold(text)
    assert len(folded.origins) == len(folded.text) + 1
    assert list(folded.origins) == sorted(folded.origins)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("軟體", "软体"),
        ("ＲＴＸ４０９０", "rtx4090"),
        ("O’Brien", "o'brien"),
        ("STRASSE", "straße"),
        ("ﾊﾟ", "パ"),
        ("soft\u00adware", "Software"),
        ("\u202eOrchid\u202c", "orchid"),
        ("\u2068港口\u2069", "港口"),
        ("乾隆", "干隆"),
    ],
)
def test_spellings_of_the_same_words_fold_alike(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("needle", "source"), [("kg", "㎏"), ("ss", "ß"), ("软体", "軟體"), ("é", "e\u0301")])
def test_a_folded_match_is_found_again_in_the_source(needle: str, source: str) -> None:
    folded = fold_with_origins(f"前{source}后")
    at = folded.text.index(fold(needle))
    start, end = folded.source_span(at, at + len(fold(needle)))
    assert f"前{source}后"[start:end] == source


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("RTX-4090 的显存是多少", "zh"),
        ("NVIDIA RTX 4090 显存", "zh"),
        ("繁體中文", "zh"),
        ("What is the meaning of 道可道非常道?", "en"),
        ("What is 三码?", "en"),
        ("P-100", "en"),
        ("", "en"),
    ],
)
def test_the_language_is_the_one_that_holds_more_of_the_text(text: str, language: str) -> None:
    assert language_of(text) == language

"""Which terms texts and questions give."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.words.latin import LONGEST_TERM
from knowledge.words.split import WordSplitter
from knowledge.words.types import TermKind

SPLITTER = WordSplitter()
PIECES = st.sampled_from(
    [
        "水泵在八十度时停机",
        "了解目的",
        "什么是",
        "RTX-4090",
        " the pumps' ",
        "软體",
        "v2.3.1",
        "C#",
        "'; drop--",
        "\\",
        "“引”",
        "x" * 90,
        "カタカナ",
        "é",
        " ",
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=6), max_size=10).map("".join)


@dataclass(frozen=True)
class Names:
    """A vocabulary of these names."""

    known: Sequence[str]

    def names(self) -> Sequence[str]:
        return self.known


@given(TEXTS)
def test_terms_are_lexemes_as_they_stand(text: str) -> None:
    for term, count in SPLITTER.terms(text).items():
        assert count >= 1
        assert 1 <= len(term) <= LONGEST_TERM
        assert not re.search(r"[\s'\"\\:#\x00-\x1f]", term)


@given(TEXTS)
def test_a_question_asks_for_nothing_that_its_own_text_would_not_hold(text: str) -> None:
    assert {term.text for term in SPLITTER.question_terms(text)} <= set(SPLITTER.terms(text))


@given(TEXTS)
def test_a_question_asks_for_each_term_once(text: str) -> None:
    asked = [term.text for term in SPLITTER.question_terms(text)]
    assert len(asked) == len(set(asked))


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("RTX-4090", "A card (RTX4090) is inside."),
        ("rtx 4090", "The ＲＴＸ＿４０９０ card"),
        ("ERR_0042", "It says err-0042."),
        ("P-100", "水泵P-100停机"),
        ("v2.3.1", "Since V2.3.1 it works."),
        ("三码", "请输入三碼。"),
        ("軟體設定", "软体设定在这里"),
        ("乾隆", "干隆皇帝和乾隆年间"),
        ("pump stops", "The pumps stopped."),
        ("O'Brien", "Mr. O’Brien's house"),
        ("café", "the Cafe"),
        ("1000000", "It costs 1,000,000 yuan"),
        ("C#", "written in C#."),
        ("C++", "c++ only"),
        ("茶", "他喜欢喝 茶 。"),
        ("e-mail", "An email"),
        ("カタカナ", "ｶﾀｶﾅで書く"),
    ],
)
def test_other_spellings_are_found(question: str, text: str) -> None:
    words = {term.text for term in SPLITTER.question_terms(question) if term.kind is not TermKind.ACROSS}
    assert words
    assert words & set(SPLITTER.terms(text))


@pytest.mark.parametrize(("one", "other"), [("v2.3.1", "v23.1"), ("3.5", "35"), ("P-100", "P-10"), ("C", "C++")])
def test_other_codes_are_not_the_same(one: str, other: str) -> None:
    assert SPLITTER.question_terms(one)[0].text not in SPLITTER.terms(other)


@pytest.mark.parametrize("text", ["", " \n", "。，！", "的了吗", "什么是", "the of and", "#", "'", "don't"])
def test_what_says_nothing_gives_no_term(text: str) -> None:
    assert not SPLITTER.terms(text)
    assert SPLITTER.question_terms(text) == []


def test_a_question_tells_words_from_pairs() -> None:
    kinds = {term.text: term for term in SPLITTER.question_terms("北京冬奥会的茶")}
    assert kinds["冬奥会"].kind is TermKind.WORD
    assert (kinds["奥会"].kind, kinds["奥会"].word) == (TermKind.INNER, "冬奥会")
    assert kinds["京冬"].kind is TermKind.ACROSS
    assert kinds["茶"].kind is TermKind.LONE
    assert not any("的" in term for term in kinds)


def test_counts_are_those_of_the_text() -> None:
    counts = SPLITTER.terms("Pump, pumps and PUMP. 水泵，水泵！")
    assert (counts["pump"], counts["水泵"]) == (3, 2)


def test_a_name_of_the_vocabulary_is_kept_whole() -> None:
    assert "鸿蒙智行" not in SPLITTER.terms("問界屬於鴻蒙智行旗下")
    assert "鸿蒙智行" in WordSplitter(Names(["鴻蒙智行"])).terms("問界屬於鴻蒙智行旗下")
    assert "鸿蒙智行" not in SPLITTER.terms("問界屬於鴻蒙智行旗下")


@pytest.mark.parametrize("piece", ["x", "x-", "1,000", "字", "á", "a'", "+", "한"])
def test_endless_repetition_gives_short_terms(piece: str) -> None:
    assert all(len(term) <= LONGEST_TERM for term in SPLITTER.terms(piece * 100_000))

"""Sentence ends in Chinese and English."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.sentences import sentences

TEXTS = st.text(st.sampled_from("a B。！？；….!?,，”」)] \n\t1x-[中文e.g. U.S. No"), max_size=80) | st.text(max_size=80)


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@given(TEXTS)
def test_sentences_cover_every_character_in_order(text: str) -> None:
    assert "".join(split(text)) == text
    if text.strip():
        assert all(piece.strip() for piece in split(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("no end", ["no end"]),
        ("今天很好。明天呢？后天！", ["今天很好。", "明天呢？", "后天！"]),
        ("他说：“你好！”然后走了。", ["他说：“你好！”", "然后走了。"]),
        ("真的吗？！是的……也许吧。", ["真的吗？！", "是的……也许吧。"]),
        ("第一；第二。", ["第一；", "第二。"]),
        ("（见下文。）下文", ["（见下文。）", "下文"]),
        ("你好.我是小明.v2.0好用吗?好用!", ["你好.", "我是小明.v2.0好用吗?", "好用!"]),
        ("One. Two! Three? Four", ["One. ", "Two! ", "Three? ", "Four"]),
        ('He said "No!" and left. "Why?" Because.', ['He said "No!" and left. ', '"Why?" ', "Because."]),
        ("Ended.[1] Next.", ["Ended.[1] ", "Next."]),
        ("**Stop!** Wait.", ["**Stop!** ", "Wait."]),
        ("A title\nA line of text\ngoes on here.", ["A title\n", "A line of text\ngoes on here."]),
        ("One.\n\n\nTwo.", ["One.\n\n\n", "Two."]),
        ("\n\n One.", ["\n\n One."]),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text: str, expected: list[str]) -> None:
    assert split(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Smith met Mr. J. K. Jones.",
        "It costs 3.50 dollars, e.g. Fig. 3 or No. 5 in v2.3.1.",
        "See https://example.com/a.b?c=d!e for more.",
        "Wait... it goes on.",
        "The U.S. Army and Acme Inc. Ltd.",
        "He is 5 ft. 3 in. tall.",
        "1. An item of a list",
        "- a. Another item",
        "圆周率是3.14，版本是2.0。",
        "等等……，他还在说。",
        "水泵由Dr. Alice Brown和A. B. Corp. of Hamburg供应。",
    ],
)
def test_what_only_looks_like_an_end_is_none(text: str) -> None:
    assert split(text) == [text]


def test_an_abbreviation_ends_a_sentence_where_the_next_word_begins_one() -> None:
    assert split("He lives in the U.S. The end came at 5 p.m. Then it was over.") == [
        "He lives in the U.S. ",
        "The end came at 5 p.m. ",
        "Then it was over.",
    ]


@pytest.mark.parametrize("piece", [" ", "\n", "a", ".", "。", '"', "*", "1. ", "a.", "[1]"])
def test_endless_repetition_is_read_in_one_go(piece: str) -> None:
    assert sentences(piece * 200_000)[-1][1] == 200_000 * len(piece)

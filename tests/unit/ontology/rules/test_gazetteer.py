"""Known names are found whole, the longest at each place, in both scripts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.rules.gazetteer import Gazetteer, KnownName
from ontology.rules.plain import plain


def seen(text, *names):
    gazetteer = Gazetteer.of(KnownName(name, "Thing") for name in names)
    return [text[each.start : each.end] for each in gazetteer.sightings(text)]


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("The pump stops.", ["Pump"], ["pump"]),
        ("The pumps stop, impumps too.", ["Pump"], []),
        ("Pump P100 is a pump.", ["Pump P", "Pump"], ["Pump", "pump"]),
        ("Pump P is one.", ["Pump", "Pump P"], ["Pump P"]),
        ("使用GPT-4模型。", ["GPT-4"], ["GPT-4"]),
        ("使用GPT-40模型。", ["GPT-4"], []),
        ("由財務部審批", ["财务部"], ["財務部"]),
        ("上海财务部门", ["财务部"], ["财务部"]),
        ("ＧＰＴ－４ and gpt‑4", ["GPT-4"], ["ＧＰＴ－４", "gpt‑4"]),
        ("Open\nAI and Open AI", ["Open AI"], ["Open\nAI", "Open AI"]),
        ("Open\n\nAI", ["Open AI"], []),
        ("it is IT", ["IT"], ["IT"]),
        ("see us in the US", ["US"], ["US"]),
        ("北京大学和北京", ["北京", "北京大学"], ["北京大学", "北京"]),
        ("my_GPT-4 GPT-4_x", ["GPT-4"], []),
        ("_GPT-4_", ["GPT-4"], ["GPT-4"]),
        ("1 2 3 a b", ["1", "a", "12"], []),
        ("", ["Pump"], []),
    ],
)
def test_names_in_text(text, names, expected):
    assert seen(text, *names) == expected


def test_a_name_of_several_entities_gives_them_all():
    gazetteer = Gazetteer.of(
        [KnownName("Mercury", "Planet"), KnownName("mercury", "Metal"), KnownName("Mercury", "Planet")]
    )
    (sighting,) = gazetteer.sightings("Mercury is near.")
    assert [each.class_name for each in sighting.known] == ["Planet", "Metal"]


def test_nothing_is_known():
    assert list(Gazetteer.of([]).sightings("anything")) == []


@given(
    st.text(st.sampled_from("aB 1-财務部…℃ﬁ\n*_[]()é"), max_size=40),
    st.text(st.sampled_from("aB1-财务部é "), max_size=6),
)
def test_what_is_found_is_the_name_whatever_stands_around(text, name):
    from ontology.names import normal

    for words in seen(text, name):
        assert normal(words) == normal(name)


@given(st.text(st.sampled_from("ab 财*_[](https://x)`<b>\\|~!\n"), max_size=60))
def test_plain_words_lead_back_to_the_same_characters(text):
    words = plain(text)
    for at, character in enumerate(words.text):
        start, end = words.span(at, at + 1)
        assert text[start:end] == character


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("**GPT-4** is", "GPT-4 is"),
        ("[GPT-4](https://x.org/a_(b)) is", "GPT-4 is"),
        ("see https://x.org/GPT-4 now", "see  now"),
        ("a*b and a_b_c", "ab and a_b_c"),
        ("`code` <b>x</b> a<b and c>d", "code x a<b and c>d"),
        (r"a \| b", "a | b"),
    ],
)
def test_marks_are_left_out_and_words_stay(source, words):
    assert plain(source).text == words

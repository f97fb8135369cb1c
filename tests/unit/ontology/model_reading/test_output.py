"""T15: what models write around and instead of JSON is repaired where that is certain; what was complete before a cut is kept."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.model_reading.lenient_json import read_json
from ontology.model_reading.output import read_output

ENTITY = {"class": "System", "name": "Mail Gateway", "aliases": []}
WHOLE = {"entities": [ENTITY], "attributes": [], "relations": []}
GOOD = json.dumps(WHOLE)


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}```",
        f"Here is the JSON you asked for:\n{GOOD}\nLet me know if {{that}} helps.",
        f"<think>The text says {{nothing}} much, maybe {{'a': 1}}.</think>\n{GOOD}",
        f"no opening tag, only thoughts</think>{GOOD}",
        f"\ufeff{GOOD}",
        f'{{"result": {GOOD}}}',
        '{"entities": [{"class": "System", "name": "Mail Gateway", "aliases": [],},], "attributes": [], "relations": [],}',
        '{"entities": [{"class": "System" "name": "Mail Gateway" "aliases": []}] "attributes": [] "relations": []}',
        "{'entities': [{'class': 'System', 'name': 'Mail Gateway', 'aliases': []}], 'attributes': [], 'relations': []}",
    ],
)
def test_everything_is_read_whole_whatever_stands_around_it(text):
    output = read_output(text)

    assert output is not None
    assert (output.lists, output.is_whole) == (WHOLE, True)


@pytest.mark.parametrize("cut", range(20, 141))
def test_of_an_output_that_was_cut_off_the_complete_objects_are_kept(cut):
    three = [dict(ENTITY, name=f"Gateway {n}") for n in range(3)]
    text = json.dumps({"entities": three, "attributes": [], "relations": []})

    output = read_output(text[:cut])

    assert output is not None
    kept = output.lists["entities"]
    assert not output.is_whole
    assert kept == three[: len(kept)]
    assert len(kept) == text[:cut].count("[]}")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r'"the \"best\" pump"', 'the "best" pump'),
        ('"the "best" pump"', 'the "best" pump'),
        ('"he said "no", then left"', 'he said "no", then left'),
        ('"a, b: {c} [d]"', "a, b: {c} [d]"),
        ('"two\nlines"', "two\nlines"),
        (r'"\u6c34\u6cf5 \ud83d\ude00"', "水泵 😀"),
        (r'"C:\\pumps \d"', "C:\\pumps d"),
        ('"<|end|> ## ```"', "<|end|> ## ```"),
        ("“水泵”", "水泵"),
    ],
)
def test_delimiters_inside_of_text_stay_text(written, meant):
    output = read_output(f'{{"entities": [{{"class": "System", "name": {written}}}], "relations": []}}')

    assert output is not None
    assert output.lists["entities"] == [{"class": "System", "name": meant}]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n\t ",
        "I can't do that.",
        "<think>for ever",
        "[]",
        "{}",
        '{"a": 1}',
        "[1, 2]",
        '{"entities": "none"}',
        "{" * 5000,
        "[" * 5000,
        '"entities"',
    ],
)
def test_what_has_no_form_of_ours_is_nothing(text):
    assert read_output(text) is None


def test_characters_that_the_ledger_cant_keep_are_left_out():
    output = read_output('{"entities": [{"name": "a\\u0000b\\ud800", "class": 1e999}]}')

    assert output is not None
    assert output.lists["entities"] == [{"name": "ab�", "class": "inf"}]


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(values)
def test_good_json_is_read_as_json_is(value):
    read = read_json(json.dumps({"x": value}))

    assert read is not None
    assert (read.value, read.is_whole) == ({"x": value}, True)


@given(st.text(alphabet="{}[]\":,\\ntrue0 “”'", max_size=60))
def test_nothing_breaks_it(text):
    read_output(text)
    read_json(text)

"""Hostile and long texts cost time in proportion to their length; processor time, which a busy machine does not stretch."""

import time

import pytest

from tests.unit.ontology.rules.skeletons import found, gazetteer

KNOWN = gazetteer(System="Ledger|Shop|CRM")
HOSTILE = {
    "one long line": "word and more ",
    "brackets": "[(",
    "open links": "[a](b",
    "stars": "**_`~",
    "names": "Ledger CRM-100 财务部 ",
    "phrases": "Ledger calls Shop and ",
    "phrases without ends": "calls 调用 is owned by 由",
    "keys": "Owner: ",
    "one Chinese run": "系统部调用的",
    "capitals": "Aa Bb Cc Dd ",
    "bars": "|\\|",
    "enumeration": "Ledger、",
}


def seconds(text):
    begun = time.process_time()
    found(text, known=KNOWN, title="Ledger")
    return time.process_time() - begun


def plain_pass(text):
    begun = time.process_time()
    sum(1 for character in text if character.isalnum())
    return time.process_time() - begun


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE)
def test_twice_the_text_takes_about_twice_the_time(piece):
    text = piece * (12_000 // len(piece))
    seconds(text[:1000])
    once, twice = (min(seconds(each) for _ in range(2)) for each in (text, text + text))
    assert twice < 3.5 * once + 0.3


def test_a_quarter_of_a_megabyte_of_all_of_it_takes_a_bounded_multiple_of_a_plain_pass():
    text = "\n".join(piece * (250_000 // len(HOSTILE) // len(piece)) for piece in HOSTILE.values())
    taken, plain = seconds(text), plain_pass(text)
    print(f"{taken:.1f} s, {taken / plain:.0f} plain passes")
    assert taken < 400 * plain

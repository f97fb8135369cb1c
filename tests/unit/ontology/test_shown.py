"""What is shown of the graph: quotations, words in the reader's language, pictures, and exports in which nothing acts."""

import re
from datetime import UTC, date, datetime
from uuid import UUID

import pytest
from django.utils import translation

from ontology.export import plain
from ontology.labels import labelled, labelled_inverse
from ontology.management.lines import entity_line, fact_line
from ontology.pages.timeline import detail_of
from ontology.selectors.entities import Shown, escaped
from ontology.selectors.entity import closest
from ontology.selectors.paths import walked
from ontology.selectors.pictures import Edge, among, first_ends
from ontology.selectors.quarantine import CaseShown
from ontology.selectors.quotes import Quote
from ontology.types import EntityClass, RelationType

A, B, C, D = (UUID(int=n) for n in range(1, 5))


def quote(before: str, words: str, after: str, *, start: int = 10) -> Quote:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return Quote(
        A, B, "a.md", "A", "en", 1, start, start + len(words), before, words, after, "table", 1.0, date(2026, 1, 1), now
    )


def edge(number: int, source: UUID, target: UUID) -> Edge:
    return Edge(UUID(int=number), source, "uses", target, 1, False, 1)


def node(id: UUID) -> Shown:
    return Shown(id, f"n{id.int}", "System", 1, False)


@pytest.mark.parametrize(
    ("parts", "shown"),
    [
        (("It says ", "this", " here"), ("It says ", "this", " here")),
        (("| IT | | ", "Kraan", " |"), ("IT · ", "Kraan", "")),
        (("", "| IT | Kraan |", ""), ("", "IT · Kraan", "")),
        (("a | b ", "c", ""), ("a | b ", "c", "")),
    ],
)
def test_a_row_of_a_table_is_shown_with_dots_between_its_cells(parts, shown):
    assert quote(*parts).shown == shown


@pytest.mark.parametrize(
    "line",
    [
        "the people of the customs office and all others who work in this building know that Orchid uses",
        "海关的同事们用 Orchid 和 Falcon 处理很多报销单据，每天都要核对一遍",
    ],
)
def test_words_around_a_place_are_cut_between_words(line):
    latin = set(re.findall("[A-Za-z]+", line))
    text = (line + " ") * 9
    for at in range(95, 150):
        before, _quote, after = quote(text[at - 90 : at], "x", text[at : at + 90], start=at).shown
        first, last = re.match("…([A-Za-z]*)", before), re.search("([A-Za-z]*)…$", after)

        assert first is not None
        assert first[1] in {"", *latin}
        assert last is not None
        assert last[1] in {"", *latin}


@pytest.mark.parametrize("text", ["一" * 90, "x" * 90])
def test_words_without_a_gap_stay_as_they_are(text):
    assert quote(text, "x", text, start=500).shown == (f"…{text}", "x", f"{text}…")


@pytest.mark.parametrize(
    ("before", "after", "start", "shown"),
    [
        ("rchid uses " + "a" * 79, "", 300, ("…uses " + "a" * 79, "")),
        ("short ", " line", 300, ("short ", " line")),
        ("a" * 89 + " ", "", 90, ("a" * 89 + " ", "")),
        ("", " " + "a" * 80 + ". Falco"[:7] + "nn", 0, ("", " " + "a" * 80 + ".…")),
        ("", "，" + "的" * 86 + "Orc", 0, ("", "，" + "的" * 86 + "…")),
    ],
)
def test_what_is_whole_is_not_cut(before, after, start, shown):
    found = quote(before, "x", after, start=start).shown

    assert (found[0], found[2]) == shown


def test_a_long_row_whose_beginning_was_cut_is_shown_as_cells_too():
    row = "cell | " * 12 + "cell "
    found = quote(row[-90:].rjust(90, "c"), "| Kraan |", "", start=400).shown

    assert "|" not in "".join(found)


def test_a_case_in_quarantine_shows_a_row_as_its_cells():
    case = CaseShown(A, {}, B, "a.md", "A", "en", 1, 10, 30, "", "| IT | soon | 二〇二六 |", "")

    assert case.shown == ("", "IT · soon · 二〇二六", "")


def test_a_place_that_holds_a_closer_one_is_left_out():
    row, name = quote("", "| IT | Kraan |", "", start=0), quote("| IT | ", "Kraan", " |", start=7)

    assert closest([row, name]) == [name]


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", "[a](javascript:x)", "![p](//x)", "# h", "`c`", "a|b", "&lt;", "**b**"]
)
def test_no_name_is_markup_in_an_export(name):
    escaped_name = plain(name)

    assert all(escaped_name[at - 1] == "\\" for at, sign in enumerate(escaped_name) if sign in "<>[]()#`|&*!")


def test_a_line_break_can_not_begin_another_block():
    assert plain("a\n# b") == "a \\# b"


@pytest.mark.parametrize(("given", "pattern"), [("50%", "50\\%"), ("a_b", "a\\_b"), ("a\\b", "a\\\\b")])
def test_nothing_in_a_search_is_a_wildcard(given, pattern):
    assert escaped(given) == pattern


@pytest.mark.parametrize(("language", "word"), [("en", "calls"), ("zh-hans", "调用")])
def test_relations_are_named_in_the_readers_language(language, word):
    declared = RelationType("calls", ("A",), ("B",), labels={"en": "calls", "zh": "调用"})
    with translation.override(language):
        assert labelled(declared, "calls") == word
        assert labelled_inverse(declared, "calls") == f"← {word}"


def test_what_the_skeleton_does_not_have_any_more_keeps_its_name():
    assert labelled(None, "Gone") == "Gone"
    assert labelled(EntityClass("Thing"), "Thing") == "Thing"


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ({"value": "Old"}, {"value": "New"}, "Old → New"),
        ({}, {"value": {"name": "port", "value": "80"}}, "port: 80"),
        ({}, {"value": str(A)}, ""),
        ({}, {}, ""),
    ],
)
def test_a_deed_is_told_by_names_and_not_by_ids(before, after, said):
    assert detail_of(before, after) == said


def test_a_picture_takes_both_ends_or_neither():
    known = {id: node(id) for id in (A, B, C, D)}

    chosen = first_ends([edge(1, A, B), edge(2, C, D), edge(3, B, C)], known, 3)

    assert list(chosen) == [A, B, C]
    assert [each.id.int for each in among([edge(1, A, B), edge(2, C, D), edge(3, B, C)], chosen)] == [1, 3]


def test_a_way_is_walked_back_to_where_it_began():
    first, second = edge(1, A, B), edge(2, B, C)

    assert walked({A: None, B: (A, first), C: (B, second)}, C) == ([C, B, A], [second, first])


def test_facts_and_entities_are_lines_for_people():
    evidence = [{"quote": "Kraan\n uses Loods"}]
    fact = {
        "source": "Kraan",
        "source_class": "System",
        "relation": "uses",
        "target": "Loods",
        "target_class": "System",
        "attributes": {"since": 2024},
        "confirmed": True,
        "evidence": evidence,
    }
    entity = {
        "name": "Kraan",
        "class": "System",
        "aliases": ["K"],
        "confirmed": False,
        "evidence": [],
        "attributes": [{"name": "port", "value": 80, "unit": "", "comparison": "≥"}],
    }

    assert fact_line(fact) == (
        'Kraan (System) uses Loods (System) {since: 2024} · 1 place, confirmed: "Kraan uses Loods"'
    )
    assert entity_line(entity) == "Kraan (System) = K; port: ≥80 · 0 places"

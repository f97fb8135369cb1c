"""A finished message is one template, whatever the answer was; what people and documents wrote stays text."""

import json
import re
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import mark_safe

HOSTILE = "<img src=x onerror=alert(1)> {{ 7|add:7 }} </script><script>alert(2)</script> \"'"
CITATION = {
    "n": 1,
    "document": "d1",
    "document_title": HOSTILE,
    "text": HOSTILE,
    "heading_path": [HOSTILE],
    "page": 3,
}
ANSWER: dict[str, Any] = {
    "id": "m1",
    "role": "assistant",
    "language": "en",
    "html": mark_safe("<p>At 80 °C.</p>"),
    "markdown": "At 80 °C [1]. " + HOSTILE,
    "found": True,
    "answerer": "model",
    "citations": [CITATION],
    "degraded": [],
    "took_ms": 1830,
    "question": HOSTILE,
    "feedback": None,
}


def shown(**changes: Any) -> str:
    with translation.override("en"):
        return render_to_string("chat/message.html", {"message": {**ANSWER, **changes}})


def test_hostile_text_stays_text_everywhere_in_a_message() -> None:
    page = shown() + render_to_string("chat/chip.html", {"n": 1, "citation": CITATION, "url": "/evidence/m1/1/"})
    page += render_to_string("chat/message.html", {"message": {"id": "m0", "role": "user", "text": HOSTILE}})

    assert "<img" not in page
    assert "<script>alert" not in page
    assert "14" not in page


def test_the_data_for_copying_comes_back_unchanged() -> None:
    islands = re.findall(r'<script type="application/json">(.*?)</script>', shown(), re.DOTALL)

    assert [json.loads(island) for island in islands] == [ANSWER["markdown"], [CITATION]]


@pytest.mark.parametrize(
    ("changes", "there", "not_there"),
    [
        ({"answerer": "quote"}, "Excerpts", "Written by the language model"),
        ({"answerer": "model"}, "Written by the language model", "Excerpts"),
        ({"degraded": ["graph:timeout"]}, "Left out: search in the graph (took too long)", "Nothing relevant"),
        ({"dropped": 1}, "1 statement was left out", "statements"),
        ({"dropped": 3}, "3 statements were left out", "statement was"),
        ({"dropped": 0}, "1.8 s", "left out"),
        ({"is_stopped": True}, "You stopped it here.", "Nothing relevant"),
        ({"feedback": {"value": -1}}, 'data-rates="-1" aria-pressed="true"', 'data-rates="1" aria-pressed="true"'),
        ({"error": {"code": "x", "message": "Engine is away."}}, "Engine is away.", "data-rates"),
    ],
)
def test_the_small_print_says_what_happened(changes: dict[str, Any], there: str, not_there: str) -> None:
    page = shown(**changes)

    assert there in page
    assert not_there not in page


def test_nothing_found_says_what_was_searched_and_what_to_try() -> None:
    page = shown(
        found=False,
        citations=[],
        searched={"passages": 1204, "knowledge_bases": ["Plant", "Prices"]},
        nearest=[{"title": HOSTILE, "url": "/documents/d1/"}],
    )

    assert "Nothing relevant was found." in page
    assert "1,204 passages were searched: Plant, Prices." in page
    assert 'href="/documents/d1/"' in page
    assert "data-copies" not in page
    assert "<img" not in page


def test_a_deleted_source_says_so_and_shows_nothing_of_it() -> None:
    page = render_to_string("chat/evidence.html", {"n": 1, "deleted": True, "citation": CITATION, "document": None})

    assert "This source was deleted" in page
    assert "img" not in page

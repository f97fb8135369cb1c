"""`manage.py corpus_stats` over what has been read."""

import json
from collections.abc import Callable, Iterator
from io import StringIO

import pytest
from django.core.management import call_command

from knowledge import tools as tools_of_process
from knowledge.models import Document
from knowledge.tools import Tools


@pytest.fixture
def bound(tools: Tools) -> Iterator[None]:
    """These tools are the process's, and the ones before come back."""
    before = list(tools_of_process._made)
    tools_of_process.bind(lambda: tools)
    yield
    tools_of_process._made[:] = before
    tools_of_process.tools.cache_clear()


def stats(*arguments: str) -> dict[str, object]:
    printed = StringIO()
    call_command("corpus_stats", "--json", *arguments, stdout=printed)
    found: dict[str, object] = json.loads(printed.getvalue())
    return found


@pytest.mark.django_db
def test_paragraphs_of_what_readers_see_are_measured(read: Callable[..., Document], bound: None) -> None:
    read("zh.md", "# 泵\n\n水泵在八十度时停机。\n\n| 型号 |\n| --- |\n| P-100 |\n")
    read("en.md", "The pump stops.\n\nIt starts again.\n")
    found = stats("--kb", "pumps")
    assert found["paragraphs"] == 3
    assert [(row["language"], row["paragraphs"]) for row in found["languages"]] == [("en", 2), ("zh", 1)]  # type: ignore[attr-defined]
    assert found["recommended_target_tokens"] == 192


@pytest.mark.django_db
def test_nothing_read_is_no_fault(kb: object, bound: None) -> None:
    assert stats("--kb", "pumps")["paragraphs"] == 0

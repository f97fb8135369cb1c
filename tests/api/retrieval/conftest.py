"""The fixtures of asking, and the server's tools bound to them."""

from collections.abc import Iterator

import pytest

from retrieval import tools as bound
from retrieval.tools import Tools
from tests.asking import ask, corpus, editor, kb, reader, search, stranger, tools

__all__ = ["ask", "corpus", "editor", "kb", "reader", "search", "stranger", "tools"]


@pytest.fixture
def served(tools: Tools) -> Iterator[Tools]:
    """The tools that views find."""
    before = list(bound._made)
    bound.bind(lambda: tools)
    yield tools
    bound._made[:] = before

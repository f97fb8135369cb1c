"""The fixtures of asking."""

from tests.asking import ask, corpus, editor, kb, reader, search, stranger, tools

__all__ = ["ask", "corpus", "editor", "kb", "reader", "search", "stranger", "tools"]
